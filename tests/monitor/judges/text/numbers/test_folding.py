"""Rules of reading numbers and dates."""

import pytest

from monitor.judges.text.numbers.dates import MONTH
from monitor.judges.text.numbers.folding import NEGATIVE, fold_numbers, han_number
from monitor.judges.text.numbers.notation import fold_notation, without_separators
from monitor.judges.text.tokens import normalise, read_words, tokenize


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("二十五", "25"),
        ("十", "10"),
        ("一百零三", "103"),
        ("三万五千", "35000"),
        ("二〇二四", "2024"),
        ("三点五", "3.5"),
        ("一亿二千万", "120000000"),
        ("一万亿", "1000000000000"),
    ],
)
def test_a_number_in_chinese_characters_has_its_value(text: str, number: str) -> None:
    assert han_number(text) == number


@pytest.mark.parametrize(
    "same",
    [
        ("1,234.5", "1234.50", "１，２３４．５"),
        ("25", "twenty-five", "Twenty five", "二十五", "２５"),
        ("3.5 million", "3500000", "350万", "3,500,000"),
        ("two hundred", "200", "二百"),
        ("one hundred and fifty", "a hundred and fifty", "One hundred fifty", "150", "一百五十"),
        ("one hundred and twenty-five", "125"),
        ("one thousand two hundred and five", "1,205"),
        ("two hundred and fifty thousand", "250,000"),
        ("a thousand and one", "1001"),
        ("between one hundred and two hundred", "between 100 and 200"),
        ("two hundred 5-star hotels", "200 5-star hotels"),
        ("1.5亿", "150000000", "150 million"),
        ("10%", "10 percent", "百分之十", "１０％"),
        ("15 January 1967", "January 15, 1967", "1967-01-15", "1967年1月15日", "15 Jan 1967", "1967/1/15"),
        ("May 2010", "2010年5月"),
        ("12k", "12K", "12,000"),
        ("$40M", "$40m", "$40 million", "40M users"),
        ("$3B", "$3bn", "30亿"),
        ("-5 °C", "\u22125 °C", "minus five", "零下5度", "零下五度"),
        ("三点五", "3.5"),
        ("三点五万", "35000"),
        ("二十点五", "20.5"),
        ("上午九点十五分", "上午9点15分"),
        ("10³", "10^3", "1000", "1 x 10^3"),
        ("1.5×10⁸ km", "1.5 × 10^8 km", "150,000,000 km", "1.5亿"),
        ("10⁻³", "10^-3", "0.001"),
        ("1½ cups", "1 1/2 cups", "1.5 cups"),
        ("½", "1/2", "二分之一", "0.5"),
        ("⅔", "2/3", "two thirds", "two-thirds", "三分之二"),
        ("one fifth", "a fifth of it", "五分之一", "0.2"),
        ("three quarters of it", "three-quarters", "¾", "四分之三"),
        ("1.000 Euro", "1000 Euro", "1,000 Euro"),
        ("1.500 million", "1.5 million", "1,5 million"),
        ("1.234.567", "1,234,567", "1234567"),
        ("1.234,50", "1234.5"),
        ("1'250'000 people", "1’250’000 people", "1,250,000 people"),
        ("CHF 1’250.50", "CHF 1250.5"),
        ("1\u00a0234\u00a0567 km", "1\u202f234\u202f567 km", "1\u2009234\u00a0567 km", "1,234,567 km"),
        ("12\u202f345,67 €", "12,345.67 €"),
        ("$10 000", "$10,000"),
        ("1 250 000 visitors", "1,250,000 visitors"),
        ("约1 000人", "约1000人"),
        ("5\u00a0000-10\u00a0000 km", "5,000-10,000 km"),
        ("约1\u202f000人", "约1000人", "约一千人"),
        ("3,5 kg", "3.5 kg", "三点五公斤"),
        ("the 21st century", "the twenty-first century"),
        ("May 3rd", "3 May", "the 3rd of May", "5月3日"),
        ("第三产业", "第3产业"),
        ("排名第三，获得奖牌", "排名第3，获得奖牌"),
        ("唯一一名选手", "唯一一名选手"),
        ("十点十分", "10点10分"),
        ("合同金额壹拾贰万元整", "合同金额12万元整", "合同金額壹拾貳萬元整"),
        ("總投資2.5億元", "總投資25000萬元", "总投资2.5亿元"),
        ("降到-5度", "降到零下5度", "降到-5℃", "气温-5°C"),
        ("2024.3.5", "05.03.2024", "3/5/2024", "2024/03/05", "5 March 2024", "2024年3月5日"),
        ("25/3/2024", "3/25/2024", "March 25, 2024"),
        ("10千米", "10公里", "10 km"),
        ("2千克", "2公斤", "2 kg"),
        ("1.5 hours", "one and a half hours", "一个半小时", "1.5小时"),
        ("half an hour", "30 minutes", "半小时", "半个小时"),
        ("a dozen eggs", "12 eggs", "one dozen eggs"),
        ("twice a year", "two times a year", "2x a year", "2× a year"),
        ("thrice", "three times", "3x"),
        ("two dozen", "24"),
    ],
)
def test_the_same_number_is_the_same_however_it_is_written(same: tuple[str, ...]) -> None:
    assert len({tokenize(text).numbers for text in same}) == 1


@pytest.mark.parametrize(
    "text",
    [
        *("I may march on", "一些人统一了意见", "万一千万别来", "one of them", "version 10.0.0.1", "1,2,3"),
        *("四五个人", "三五天后", "七八十人"),
        *("三心二意", "五花八门", "三头六臂", "十分好", "一点点", "周五晚上", "星期三点名", "张三和李四"),
        *("a 25m pool", "house 40B", "5 kg", "a 401k plan", "3.5MW", "3-5 points", "COVID-19", "10 minus 5", "-5%"),
        *("sıx", "fİve", "ſeven", "5 mıllion", "mınus 5"),
    ],
)
def test_what_is_no_number_stays_as_it_is(text: str) -> None:
    assert fold_numbers(text) == text


@pytest.mark.parametrize(
    "text",
    [
        *("Riders under 16 may not enter", "In 2018 march bands played", "you may 3 times", "march 20 miles"),
        *("长征-5号", "周三点名", "每周一次", "收拾东西", "1.2.3", "10.0.0.1", "3/45/2024"),
        *("a ratio of 8:1", "the other half of it", "dozens of eggs", "10千瓦", "第一-5组"),
    ],
)
def test_what_only_looks_like_a_date_a_sign_or_a_measure_is_none(text: str) -> None:
    assert fold_numbers(text) == text


@pytest.mark.parametrize("text", ["3 May 2019", "May 3", "3 may 2019", "in may 2019", "the 3rd of May", "MAY 2019"])
def test_may_is_a_month_by_its_capital_beside_a_number_or_before_a_year(text: str) -> None:
    assert f"{MONTH}5" in tokenize(f"since {text}").numbers


@pytest.mark.parametrize("text", ["每周六开放", "每星期六开放", "禮拜六開放"])
def test_a_chinese_weekday_is_a_value(text: str) -> None:
    assert tokenize(text).values == {"saturday"}


@pytest.mark.parametrize("text", ["每周一次", "一周五天", "四周三面", "两周日常", "周年庆", "周三次"])
def test_what_only_begins_like_a_weekday_is_none(text: str) -> None:
    assert tokenize(text).values == frozenset()


@pytest.mark.parametrize(
    "same", [("the 3rd reason", "the third reason"), ("12th", "Twelfth"), ("第三，公司", "第三,公司")]
)
def test_a_small_ordinal_is_a_word_as_answers_count_their_points_with_it(same: tuple[str, str]) -> None:
    first, second = map(tokenize, same)
    assert first.words == second.words
    assert not first.numbers


@pytest.mark.parametrize("text", ["192.168.100.200", "9/11", "1/2/2024", "3.125", "for three quarters", "a third way"])
def test_what_only_looks_like_a_fraction_or_like_thousands_is_none(text: str) -> None:
    assert "." not in fold_notation(text).replace(text, "")
    assert without_separators(text) == text


@pytest.mark.parametrize(
    "measured",
    "小时 分钟 秒 公里 公斤 公分 斤 克 升 杯 瓶 折 章 楼 页 点 张 本 间 套 份 站 晚 度 星期 美元 季度".split(),  # noqa: SIM905 - a word list reads as text
)
def test_a_lone_chinese_numeral_counts_before_a_measure_word(measured: str) -> None:
    assert fold_numbers(f"共三{measured}。") == f"共3{measured}。"


def test_a_negative_number_is_another_than_the_positive_one() -> None:
    assert tokenize("It is -5 °C").numbers == {f"{NEGATIVE}5"} != tokenize("It is 5 °C").numbers


def test_a_month_is_marked_so_that_it_differs_from_a_day() -> None:
    assert normalise("1967年1月15日") == f"1967年{MONTH}1 15日"


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("in 2019\u00a0300 people", {"2019", "300"}),  # no group has four digits
        ("COVID-19\u00a0300 cases, vitamin B12\u00a0100 mg", {"19", "300", "100"}),
        ("version 2.1\u00a0300 times", {"2.1", "300"}),
        ("555\u00a0123\u00a04567", {"555", "123", "4567"}),
        ("06\u00a0123\u00a0456", {"6", "123", "456"}),
        ("12\u00a034", {"12", "34"}),
        ("in 2019 300 people", {"2019", "300"}),
        ("3 100 ml bottles", {"3", "100"}),  # a plain blank parts numbers as well
        ("in 2019 25 000 people", {"2019", "25", "0"}),
        ("100 200 300", {"100", "200", "300"}),
        ("324 324 silver", {"324"}),
    ],
)
def test_blanks_part_thousands_only_where_nothing_else_can_be_meant(text: str, numbers: set[str]) -> None:
    assert tokenize(text).numbers == numbers


def test_parted_thousands_are_one_number_in_every_reading() -> None:
    text = "It took 1\u202f000\u202f000 steps."
    assert read_words([text]) == read_words(["It took 1000000 steps."])
    assert normalise(text) == "It took 1000000 steps."


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("in the sixteenth century", {"16"}),
        ("in the 16th century", {"16"}),
        ("the Twentieth and the thirtieth", {"20", "30"}),
        ("the twenty-first", {"21"}),
        ("the tenth try", set()),
        ("the 2018-19 season", {"2018", "2019"}),
        ("the 1999/00 season", {"1999", "2000"}),
        ("pages 2010-12", {"2010", "12"}),
    ],
)
def test_ordinals_in_words_and_seasons_are_the_numbers_that_they_mean(text: str, numbers: set[str]) -> None:
    assert tokenize(text).numbers == numbers
    assert set(read_words([text])) >= numbers


@pytest.mark.parametrize("text", ["三成员", "一成不变", "两成本", "五成熟", "三五成群"])
def test_a_numeral_before_a_word_that_begins_like_tenths_counts_nothing(text: str) -> None:
    assert fold_numbers(text) == text
    assert fold_numbers("三成用户") == "3成用户"
