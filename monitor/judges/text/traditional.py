"""Traditional forms of the characters that numbers, units and declines are written with, as simplified ones.

No dictionary: a character of the table means the same in every word that is read here, and what is not in it stays.
"""

from __future__ import annotations

_FORMS = (
    "萬万 億亿 兩两 點点 個个 歲岁 週周 間间 塊块 號号 條条 種种 層层 級级 屆届 輛辆 鐘钟 時时 幣币 鎊镑 歐欧 圓元 "
    "場场 張张 雙双 頁页 樓楼 噸吨 畝亩 禮礼 價价 費费 錢钱 總总 約约 沒没 無无 資资 訊讯 關关 說说 據据 檔档 內内 "
    "對对 這这 該该 會会 來来 為为 於于 與与 從从 們们 問问 題题 請请 應应 並并 過过 還还 確确 認认 實实 館馆 圖图 "
    "書书 開开 閉闭 參参 給给 詳详 細细 獲获 尋寻 現现 處处 項项 標标 記记 錄录 載载 體体 類类 範范 圍围 僅仅 數数 "
    "顯显 詢询 聯联 閱阅 識识 議议 讓让 見见 讀读 較较 難难 將将 後后 "
)
_TABLE = str.maketrans({pair[0]: pair[1] for pair in _FORMS.split()})


_INFORMATION = "资讯", "信息"
"""The word that Taiwan has for information."""


def simplified(text: str) -> str:
    """`text` with the characters of the table in their simplified form; its length stays."""
    return text if text.isascii() else text.translate(_TABLE).replace(*_INFORMATION)
