"""Rules of names of places."""

import pytest

from monitor.judges.text.places import is_held, is_place, places_in, without_places


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("总部从深圳迁到广州市", {"深圳", "广州"}),
        ("日本与韩国签署协议", {"日本", "韩国"}),
        ("黑龙江省哈尔滨市", {"黑龙江", "哈尔滨"}),
        ("来宾市和朝阳区", {"来宾", "朝阳"}),
        ("贵州省桐梓县县长", {"贵州", "桐梓县"}),
    ],
)
def test_a_place_is_found_by_its_name_and_a_county_by_its_ending(text: str, places: set[str]) -> None:
    assert places_in(text) == places
    assert all(map(is_place, places))


@pytest.mark.parametrize(
    "text",
    [
        "我国中国国内",
        "北京时间上午九点",
        "宪法国家层面，道德国际比较，精美国画",
        "节日本身很热闹，今日本市晴，3日本报讯",
        "最强大连锁品牌已完成都市化改造",
        "出海口、黄河南岸、江河北上、太湖南岸、南北朝",
        "平安保险、来宾登记、大理石、白银价格、朝阳产业、和田玉、哈密瓜、长治久安、开封保质期、重大庆典",
        "该县各县贫困县县级县城",
        "穿越南北，孙中山，中山装，蒙古族舞蹈",
    ],
)
def test_a_word_or_two_that_only_look_like_a_place_are_none(text: str) -> None:
    assert places_in(text) == frozenset()


def test_a_direction_behind_a_name_is_no_other_place() -> None:
    assert places_in("在上海南边") == {"上海"}
    assert places_in("广东部分地区") == {"广东"}
    assert places_in("广西安全生产") == {"广西"}
    assert places_in("东北京剧团，东北亚") == frozenset()


@pytest.mark.parametrize(
    ("place", "passages"),
    [
        ("广州", "广州市"),
        ("广州", "穗深两地"),
        ("广东", "公司在深圳"),
        ("上海", "京沪高铁"),
        ("日本", "中日双方"),
        ("美国", "美联储"),
        ("美国", "中美贸易"),
        ("杭州", "西湖免门票"),
        ("广州", "白云机场"),
        ("美国", "特朗普说"),
        ("东京", "区域 Tokyo 可用"),
        ("纽约", "in New York"),
        ("来宾", "来宾登记"),
        ("桐梓县", "桐梓"),
        ("金门县", "金门与厦门"),
    ],
)
def test_a_place_is_held_by_any_name_by_short_forms_and_by_its_towns(place: str, passages: str) -> None:
    assert is_held(place, passages)


@pytest.mark.parametrize(
    ("place", "passages"),
    [
        ("广州", "公司在广东省深圳市"),
        ("日本", "3月1日"),
        ("美国", "精美的图画"),
        ("法国", "方法"),
        ("桐梓县", "贫困县"),
    ],
)
def test_a_place_is_not_held_by_its_region_or_by_a_character_that_is_no_short_form(place: str, passages: str) -> None:
    assert not is_held(place, passages)


def test_places_are_taken_out_of_a_text_and_nothing_else() -> None:
    assert without_places("北京市长安街，宪法国家") == " 市长安街，宪法国家"
