"""Rules of names of places."""

import pytest

from monitor.judges.text.names.places import is_held, is_place, places_in, without_places


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


@pytest.mark.parametrize(
    ("passages", "places"),
    [
        ("川渝云贵藏", "四川 重庆 云南 贵州 西藏"),
        ("云贵川三省", "云南 贵州 四川"),
        ("陕甘宁", "陕西 甘肃 宁夏"),
        ("黑吉辽", "黑龙江 吉林 辽宁"),
        ("沪苏两地", "上海 江苏"),
        ("门店：沪、苏、浙、皖。", "上海 江苏 浙江 安徽"),
        ("在京、津两市", "北京 天津"),
        ("美、英、法三国", "美国 英国 法国"),
    ],
)
def test_names_in_one_character_are_held_in_a_row_of_them(passages: str, places: str) -> None:
    assert all(is_held(place, passages) for place in places.split())


@pytest.mark.parametrize(
    ("passages", "places"),
    [
        ("东北三省、内蒙古", "辽宁 吉林 黑龙江 沈阳"),
        ("华北仓库", "北京 河北"),
        ("华东仓库设在昆山", "江苏 苏州"),
        ("西北和西南地区", "甘肃 四川"),
        ("两广两湖", "广东 广西 湖北 湖南"),
        ("长三角", "江苏 上海 苏州"),
        ("珠三角", "广州 深圳"),
        ("粤港澳大湾区", "广州 深圳 香港 澳门 广东"),
        ("欧盟成员国", "德国"),
        ("东盟国家", "越南"),
    ],
)
def test_a_part_of_the_country_or_the_world_holds_what_lies_in_it(passages: str, places: str) -> None:
    assert all(is_held(place, passages) for place in places.split())


@pytest.mark.parametrize(
    "passages",
    ["广东省内订单次日达", "广东境内", "全粤", "广东全省", "广东各市", "广东公布：全省门店", "整个广东省范围"],
)
def test_a_region_that_is_spoken_of_as_a_whole_holds_its_towns(passages: str) -> None:
    assert is_held("广州", passages)
    assert not is_held("杭州", passages)


@pytest.mark.parametrize(
    ("place", "passages"),
    [
        ("宁夏", "辽宁、吉林"),
        ("宁夏", "辽宁和江苏、宁波"),
        ("新疆", "江苏、新加坡"),
        ("青海", "西藏、青岛"),
        ("陕西", "湖南省西北部"),
        ("云南", "江西南昌，广西南宁"),
        ("美国", "湖北美食"),
        ("呼和浩特", "河北省内蒙古族"),
        ("法国", "方法、日常"),
        ("东京", "3月1日公布全国数字"),
        ("荷兰", "欧洲杯小组赛"),
        ("莫斯科", "欧洲股市"),
        ("纽约", "美国国内正在辩论"),
    ],
)
def test_what_only_looks_like_a_list_or_a_larger_region_holds_nothing(place: str, passages: str) -> None:
    assert not is_held(place, passages)


def test_a_large_town_below_the_prefectures_implies_what_it_lies_in() -> None:
    assert places_in("仓库在江苏昆山") == {"江苏", "昆山"}
    assert all(is_held(place, "仓库设在昆山") for place in ("江苏", "苏州", "昆山"))
    assert not is_held("昆山", "苏州")


def test_the_side_of_a_province_is_no_prefecture() -> None:
    assert places_in("湘西北的张家界") == {"张家界"}
    assert places_in("湘西的凤凰县") == {"湘西", "凤凰县"}


def test_places_are_taken_out_of_a_text_and_nothing_else() -> None:
    assert without_places("北京市长安街，宪法国家") == " 市长安街，宪法国家"
