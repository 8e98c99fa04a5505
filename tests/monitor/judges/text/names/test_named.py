"""Rules of the names that a text in Chinese puts forward."""

from collections.abc import Callable

import pytest

from monitor.judges.text.names.named import in_plain_characters, is_held, named_in
from monitor.judges.text.tokens import tokenize
from tests.growth import grows_linearly


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [("公司在廣州與臺北", "公司在广州与台北"), ("項目由張偉負責", "项目由张伟负责"), ("經理陳麗說", "经理陈丽说")],
)
def test_traditional_characters_name_the_same(traditional: str, simplified: str) -> None:
    assert named_in(traditional) == named_in(simplified) != frozenset()
    assert all(is_held(name, in_plain_characters(traditional)) for name in named_in(simplified))


def test_a_place_is_no_person() -> None:
    assert named_in("哈萨克斯坦和阿姆斯特丹") == {"哈萨克斯坦", "阿姆斯特丹"}
    assert named_in("北京市市长陈吉宁表示") == {"北京", "陈吉宁"}


def test_only_text_in_scripts_without_blanks_names_something_here() -> None:
    assert tokenize("Obama was in Paris and Guangzhou").named == frozenset()
    assert tokenize("奥巴马到访广州").named == {"奥巴马", "广州"}


@pytest.mark.parametrize("text", ["北", "北京", "记者张", "张伟", "阿", "阿里", "奥·", "由张", "全县", "山东", "，张"])
def test_hostile_text_is_read_in_linear_time(text: str) -> None:
    assert grows_linearly(lambda length: lambda: named_in(text * (length // len(text))), 5_000)


@pytest.mark.parametrize("text", ["川", "沪、", "广东", "广东全", "西北", "中", "江西南", "粤港", "日本，"])
def test_hostile_passages_are_searched_in_linear_time(text: str) -> None:
    names = ("新疆", "青海", "汕头", "宁夏", "神户")

    def searched(length: int) -> Callable[[], object]:
        passages = text * (length // len(text))
        return lambda: [is_held(name, passages) for name in names]

    assert grows_linearly(searched, 5_000)
