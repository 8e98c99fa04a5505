"""Rules of what numbers say in more than one way."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.amounts.quantities import CLOCK, PLAIN, SHARE, said_in
from monitor.judges.text.tokens import normalise, tokenize
from tests.growth import grows_linearly

ALIKE = [
    ("It weighs 2 tonnes.", "It weighs 2,000 kg."),
    ("The tour takes 90 minutes.", "The tour takes 1.5 hours."),
    ("The tour takes one and a half hours.", "The tour takes 90 minutes."),
    ("The warranty is two years.", "The warranty is 24 months."),
    ("The warranty is a year.", "The warranty is 12 months."),
    ("The route is 1.5-2.5 km long.", "The route is 1500 m long."),
    ("Cancel within two days.", "Cancel within 48 hours."),
    ("The plan has 2 TB of space.", "The plan has 2000 GB of space."),
    ("The plan has 2 TB of space.", "The plan has 2048 GB of space."),
    ("重量为两斤。", "重量为1公斤。"),
    ("全程90分钟。", "全程1.5小时。"),
    ("试用期为半年。", "试用期为6个月。"),
    ("路程为3千米。", "路程为3000米。"),
    ("有效期一年。", "有效期12个月。"),
    ("The tour takes 110 minutes.", "The tour takes close to two hours."),
    ("The ditch is 1.8 m deep.", "The ditch is nearly two metres deep."),
    ("The bridge carries 9,400 vehicles a day.", "The bridge carries close to ten thousand vehicles a day."),
    ("The trial had 612 participants.", "The trial had over 600 participants."),
    ("The margin of the segment was 42.3%.", "The margin of the segment was more than 42%."),
    ("The firm has hedged 60 % of its fuel.", "The firm has hedged three fifths of its fuel."),
    ("In the course, 38% reached remission.", "In the course, 38 of every 100 reached remission."),
    ("Traffic costs $0.07 a gigabyte.", "Traffic costs seven cents a gigabyte."),
    ("The museum closes at 20:00.", "The museum closes at eight in the evening."),
    ("The desk is open until 4.30 p.m.", "The desk is open until 16:30."),
    ("Last entry is at half past four.", "Last entry is at 4:30 pm."),
    ("The road was opened in 1936.", "The road was opened in the 1930s."),
    ("The mill was built in 1849.", "The mill was built in the 19th century."),
    ("林地占全镇面积的四成。", "林地占全镇面积的40%。"),
    ("毛利率为16.8%。", "毛利率不足17%。"),
    ("码头多达17处。", "码头接近二十处。"),
    ("祠堂16:30关门。", "祠堂下午四点半关门。"),
    ("前台登记时间截至21:00。", "前台登记时间截至晚上九点。"),
    ("1936年公路通车。", "20世纪30年代公路通车。"),
    ("移植断枝2300株。", "移植断枝两千多株。"),
    ("每度电0.8元。", "每度电八毛。"),
    ("每度电8毛。", "每度电0.8元。"),
    ("The tour takes 1 h 30 min.", "The tour takes 90 minutes."),
    ("The tour takes 110 minutes.", "The tour takes 1 hour and 50 minutes."),
    ("全程7小时40分钟。", "全程不到8小时。"),
    ("Of the patients, 20% recovered.", "Of the patients, one in five recovered."),
    ("About a third of the patients recovered.", "About 33% of the patients recovered."),
    ("Two out of three patients recovered.", "Of the patients, 67% recovered."),
    ("Of the patients, 68.4% recovered.", "Over 65% of the patients recovered."),
    ("The museum closes at noon.", "The museum closes at 12 pm."),
    ("公路于1984年建成。", "公路建于上世纪80年代。"),
    ("参加者共2341人。", "参加者共2300多人。"),
    ("有52.6%的受访者支持。", "超过五成的受访者支持。"),
    ("Revenue rose to $3.18 billion.", "Revenue rose to about $3.2 billion."),
    ("The office is open from 9:00 to 17:00.", "The office is open from 9 a.m. to 5 p.m."),
    ("A quarter of the users left.", "25% of the users left."),
    ("25% of the users left.", "One quarter of the users left."),
    ("One tenth of the users left.", "1/10 of the users left."),
    ("1/10 of the users left.", "One tenth of the users left."),
    ("One twelfth of the salary is paid.", "1/12 of the salary is paid."),
    ("One sixth of the land is forest.", "1/6 of the land is forest."),
    ("Of the land, 5 % is forest.", "One twentieth of the land is forest."),
    ("25%的用户流失了。", "四分之一的用户流失了。"),
    ("工作年限3个月以下的员工可享受补贴。", "工作年限不满三个月的员工可享受补贴。"),
    ("工作年限不满3个月的员工可享受补贴。", "工作年限未满三个月的员工可享受补贴。"),
    ("押金为两个月租金。", "押金为两月租金。"),
    ("押金为两月租金。", "押金为两个月租金。"),
]
OTHER = [
    ("It weighs 2 tonnes.", "It weighs 3,000 kg."),
    ("The warranty is two years.", "The warranty is 30 months."),
    ("It costs 60 euros a month.", "It costs 720 euros a year."),
    ("It is 5 feet deep.", "It is 1.5 metres deep."),
    ("重量为两斤。", "重量为3公斤。"),
    ("The tour takes 110 minutes.", "The tour takes close to four hours."),
    ("The trial had 612 participants.", "The trial had over 900 participants."),
    ("The trial had 612 participants.", "The trial had 600 participants."),
    ("The margin of the segment was 42.3%.", "The margin of the segment was less than 42%."),
    ("The firm has hedged 60 % of its fuel.", "The firm has hedged four fifths of its fuel."),
    ("The museum closes at 20:00.", "The museum closes at eight in the morning."),
    ("The road was opened in 1936.", "The road was opened in the 1950s."),
    ("The treaty dates from 1849.", "The treaty dates from about 1870."),
    ("祠堂16:30关门。", "祠堂下午五点半关门。"),
    ("毛利率为16.8%。", "毛利率不足12%。"),
    ("The tour takes 1 h 30 min.", "The tour takes 100 minutes."),
    ("The fee is 50 percent a year.", "The fee is 0.5 percent a year."),
    ("含糖量为50%。", "含糖量为0.5%。"),
    ("公路于1984年建成。", "公路建于上世纪70年代。"),
    ("约三成用户表示满意。", "约五成用户表示满意。"),
    ("公路于1984年建成。", "公路建于1990年左右。"),
    ("The office is open from 9:00 to 17:00.", "The office is open from 9 AM to 6 PM."),
    ("25% of the users left.", "One third of the users left."),
    ("1/10 of the users left.", "One eighth of the users left."),
    ("工作年限3个月以下的员工可享受补贴。", "工作年限不满六个月的员工可享受补贴。"),
    ("押金为两个月租金。", "押金为三个月租金。"),
]
LIMITS = [
    ("Orders over $50 ship free of charge.", "Orders over $40 ship free of charge."),
    ("Children under 12 travel free of charge.", "Children under 14 travel free of charge."),
    ("Staff get 20 days of leave a year.", "Staff get over 16 days of leave a year."),
    ("Staff get 20 days of leave a year.", "Staff get about 22 days of leave a year."),
    ("Staff get 20 days of leave a year.", "Staff get nearly 25 days of leave a year."),
    ("The dose is 4 tablets a day.", "The dose is about 4.3 tablets a day."),
    ("Revenue rose to $3.18 billion.", "Revenue rose to about $3.5 billion."),
    ("年满18岁以上可申请。", "年满16岁以上可申请。"),
    ("员工每年享有20天年假。", "员工每年享有22天左右年假。"),
    ("身高1.4米以下儿童免票。", "身高1.5米以下儿童免票。"),
    ("12人中有3人参加。", "10人中多数有3人参加。"),
    ("They recover 11 of 12 parcels.", "They recover 10 of 12 parcels."),
    ("In the second half, the club lost 12 games.", "Of the games, the club lost 50%."),
    ("Of the members, 20% are late.", "Someone in five clubs is late."),
]


@pytest.mark.parametrize(("passage", "answer"), ALIKE)
def test_an_amount_is_supported_in_another_unit_of_its_system(passage: str, answer: str) -> None:
    (piece,) = assess(answer, [passage]).evidence
    assert piece.label == "supported"


@pytest.mark.parametrize(("passage", "answer"), OTHER)
def test_another_amount_is_not(passage: str, answer: str) -> None:
    (piece,) = assess(answer, [passage]).evidence
    assert piece.label == "unsupported"


@pytest.mark.parametrize(("passage", "answer"), LIMITS)
def test_a_rough_number_is_rounder_than_what_it_stands_for(passage: str, answer: str) -> None:
    (piece,) = assess(answer, [passage]).evidence
    assert piece.label == "unsupported"


@pytest.mark.parametrize(("passage", "answer"), [*ALIKE, *OTHER])
def test_an_amount_as_it_is_written_is_supported_whatever_it_is_converted_to(passage: str, answer: str) -> None:
    (piece,) = assess(answer, [passage, answer]).evidence
    assert piece.label == "supported"


def test_a_number_without_a_unit_is_no_amount_of_a_unit() -> None:
    said = said_in(normalise("room 12 of 40, chapter 3: see page 7, 10.0.0.1"))
    assert {amount.kind for amount in said} <= {PLAIN, SHARE}


def test_a_claim_without_numbers_has_no_amounts() -> None:
    assert not tokenize("It opens in the morning, and half of it is free").amounts


def test_a_time_without_its_half_of_the_day_may_be_either() -> None:
    assert {amount.least for amount in tokenize("It opens at 7:45").amounts if amount.kind == CLOCK} == {465.0, 1185.0}


@pytest.mark.parametrize(
    "piece", ["about ", "1 of ", "9点", "3:", "12 in the ", "八成", "more than 7 ", "1 h ", "one in ", "9:9:"]
)
def test_time_is_linear_in_the_length(piece: str) -> None:
    assert grows_linearly(lambda count: lambda: (said_in(piece * count), tokenize(piece * count)), 500)


def test_a_number_below_zero_is_what_a_claim_says_to_be_a_loss() -> None:
    (loss,) = assess("去年净流出1.33亿元。", ["现金流量净额去年为 -1.33 亿元。"]).evidence
    assert "number" not in loss.note
    (gain,) = assess("去年净流入1.33亿元。", ["现金流量净额去年为 -1.33 亿元。"]).evidence
    assert gain.note.startswith("number 1.33亿")
