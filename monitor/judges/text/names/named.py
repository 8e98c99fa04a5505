"""Places and people that a text in Chinese names, where no capital marks them."""

from __future__ import annotations

from monitor.judges.text.names import people, places
from monitor.judges.text.traditional import simplified

_FORMS = (
    "廣广 東东 蘇苏 遼辽 寧宁 龍龙 濟济 魯鲁 陝陕 貴贵 雲云 慶庆 漢汉 瀋沈 陽阳 錫锡 連连 揚扬 鎮镇 溫温 紹绍 興兴 "
    "華华 麗丽 蕪芜 馬马 銅铜 門门 巖岩 贛赣 饒饶 撫抚 棗枣 營营 煙烟 臺台 濰潍 澤泽 鄭郑 許许 灣湾 岡冈 荊荆 陰阴 "
    "長长 婁娄 賀贺 賓宾 瓊琼 瀘泸 綿绵 樂乐 達达 貢贡 義义 畢毕 節节 滄沧 蘭兰 寶宝 涼凉 隴陇 銀银 烏乌 齊齐 庫库 "
    "爾尔 錦锦 鐵铁 嶺岭 蘆芦 島岛 滬沪 粵粤 閩闽 晉晋 國国 奧奥 臘腊 麥麦 愛爱 羅罗 亞亚 維维 聖圣 納纳 邁迈 頓顿 "
    "紐纽 舊旧 諾诺 韓韩 鮮鲜 緬缅 倫伦 貝贝 劉刘 陳陈 楊杨 黃黄 趙赵 吳吴 孫孙 謝谢 鄧邓 馮冯 蕭萧 葉叶 蔣蒋 呂吕 "
    "盧卢 鍾钟 譚谭 陸陆 賈贾 韋韦 鄒邹 閻阎 顧顾 龔龚 嚴严 湯汤 賴赖 龐庞 顏颜 聶聂 駱骆 紀纪 喬乔 統统 縣县 區区 "
    "鄉乡 導导 員员 師师 醫医 護护 練练 隊队 選选 講讲 專专 詩诗 創创 負负 責责 遊游 學学 機机 執执 訴诉 強强 調调 "
    "憶忆 釋释 補补 稱称 彌弥 當当 凱凯 萊莱 勞劳 瑪玛 薩萨 絲丝 傑杰 茲兹 蓋盖 飛飞 鳳凤 鵬鹏 偉伟 軍军 輝辉 紅红 "
    "鳴鸣 濤涛 勝胜 榮荣 賢贤 進进 啟启 穎颖 曉晓 瑤瑶 瑩莹 靜静 嵐岚 蓮莲 橋桥 濱滨 鹽盐 鶴鹤 雞鸡 鷄鸡 鴨鸭 綏绥 "
    "騰腾 瀾澜 誠诚 職职 經经 領领 環环 務务 贏赢 奪夺 擊击 戰战 業业 滿满 "
    "諸诸 瀏浏 鞏巩 膠胶 壽寿 懷怀 餘余 崑昆 遷迁 磚砖 團团 莊庄 豐丰 線线 "
)
_TABLE = str.maketrans({pair[0]: pair[1] for pair in _FORMS.split()})


def in_plain_characters(text: str) -> str:
    """`text` with the traditional characters of names, and of what stands beside them, in their simplified form."""
    return simplified(text).translate(_TABLE)


def named_in(text: str) -> frozenset[str]:
    """The names that a text puts forward, in simplified characters."""
    plain = in_plain_characters(text)
    return places.places_in(plain) | people.people_in(places.without_places(plain))


def is_held(name: str, texts: str) -> bool:
    """Whether some texts in plain characters hold a name of `named_in`, in any way to write it."""
    return places.is_held(name, texts) if places.is_place(name) else people.is_held(name, texts)
