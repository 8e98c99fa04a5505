"""Rules of names of people."""

import pytest

from monitor.judges.text.names.people import is_held, people_in


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("市长陈吉宁表示支持", "陈吉宁"),
        ("张伟负责该项目", "张伟"),
        ("项目由张伟主持", "张伟"),
        ("项目负责人是李娜。", "李娜"),
        ("联系人：李娜", "李娜"),
        ("他说，高洪波认为可行", "高洪波"),
        ("她的朋友玛丽亚·穆斯塔法告诉记者", "玛丽亚·穆斯塔法"),
        ("欧盟的弗拉德里希到访", "弗拉德里希"),
        ("首相卡梅伦到访", "卡梅伦"),
        ("罗纳尔多加盟后", "罗纳尔多"),
        ("史蒂夫·乔布斯表示", "史蒂夫·乔布斯"),
        ("史蒂夫•乔布斯表示", "史蒂夫·乔布斯"),
        ("胡安·加西亚在会上", "胡安·加西亚"),
        ("选手吉迪恩·阿山塞纳。", "吉迪恩·阿山塞纳"),
        ("记者高峰说", "高峰"),
        ("记者黄金荣说", "黄金荣"),
        ("公司由白雪创立", "白雪"),
        ("公司由白云飞创立", "白云飞"),
        ("马力强创立了公司", "马力强"),
    ],
)
def test_a_name_is_told_by_what_stands_around_it_or_by_its_sound(text: str, person: str) -> None:
    assert people_in(text) == {person}


@pytest.mark.parametrize(
    "text",
    [
        "高校表示支持，白宫表示反对，金融机构负责",
        "有关专家认为有效，记者高度评价，记者于昨日报道",
        "方法获得成功，程序负责启动，周末负责值班，顾客表示满意，范围介绍",
        "由白名单负责，由黄色预警负责，由石油公司承担",
        "张女士说没有问题，王先生表示满意",
        "陈述说明，唐诗介绍，张贴负责人信息",
        "伊斯兰、诺贝尔、马拉松、可可西里、斯诺克",
        "张店的李子和王国的法律",
        "由管理员负责，管理层表示支持，管理费获得批准，客服管理的流程",
        "经理高效负责，学生白天在校，代表黄金的储备，医生何时的安排，同事严格的要求",
        "马铃薯获得丰收，白细胞负责防御，高新技术获得支持，左侧负责，周一负责，程序员负责",
        "夏天获得的收入，高峰期负责，黄金周主持，由夏天的活动负责，记者夏天的报道，黄金获得支持",
        "律师万一的建议，居民余额的查询，司机夏天的收入，教授武器的历史，专家高度的评价",
    ],
)
def test_words_that_begin_like_a_surname_name_nobody(text: str) -> None:
    assert people_in(text) == frozenset()


def test_a_name_is_held_by_two_neighbouring_characters_of_it() -> None:
    assert is_held("陈吉宁", "吉宁先生")
    assert is_held("玛丽亚·穆斯塔法", "穆斯塔发")
    assert not is_held("张伟", "张三和李伟")
    assert not is_held("玛丽亚·穆斯塔法", "丽·穆")


def test_a_foreign_name_of_three_parts_is_held_by_its_last() -> None:
    assert people_in("列奥纳多·达·芬奇是作者") == {"奥纳多·达·芬奇"}
    assert is_held("奥纳多·达·芬奇", "达芬奇绘制")
    assert is_held("达·芬奇", "列奥纳多·达·芬奇")


def test_a_foreign_name_may_stand_in_the_passages_in_latin_letters_and_a_chinese_one_not() -> None:
    assert is_held("奥巴马", "总统 Obama 说")
    assert not is_held("奥巴马", "NBA 联盟和 iOS")
    assert not is_held("张伟", "经理 Zhang 说")
