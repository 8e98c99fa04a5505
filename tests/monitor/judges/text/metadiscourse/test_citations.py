"""Marks that point at the evidence are no part of what a sentence states."""

import pytest

from monitor.judges.text.metadiscourse.citations import raised, without_citations


@pytest.mark.parametrize(
    "mark",
    [
        " [1]",
        "[1][2]",
        " [1, 2]",
        " [1-3]",
        " (Source 1)",
        " (passage 2)",
        " (see [1])",
        " [Source: doc1.pdf]",
        " (Document 3, page 4)",
        " [Doc 1, p. 3]",
        "【1】",
        " [^1]",
        " [doc_3]",
        " [ref 1]",
        " (Ref. 2)",
        " <1>",
        " {1}",
        " (1)",
        " [context 2]",
        " [chunk 4]",
        " (from Passage 2)",
        " (as stated in passage 2)",
        " (see the document)",
        " [citation needed]",
        " (sources 1 and 3)",
        " (1, 2)",
        " (p. 12)",
        " [S1]",
        " [Passage 1: Introduction]",
        " ([handbook](https://example.org/a))",
        " [Read more](https://example.org/a)",
    ],
)
def test_a_mark_is_left_out_before_and_behind_the_stop(mark: str) -> None:
    assert without_citations(f"It lasts two years{mark}.").replace(" .", ".") == "It lasts two years."
    assert without_citations(f"It lasts two years.{mark}").rstrip() == "It lasts two years."


@pytest.mark.parametrize(
    "mark",
    [
        "[1]",
        "（资料1）",
        "【1】",
        "（来源：资料1）",
        "（见资料1）",
        "（文档1，第3页）",
        "[资料1]",
        "（1）",
        "（参见第2段）",
        "[来源1]",
        "（片段3）",
        "（段落3）",
        "（参考文献[1]）",
        "（资料1、资料2）",
        "（摘自资料1）",
        "（1、2）",
        "——资料1",
    ],
)
def test_a_chinese_mark_is_left_out(mark: str) -> None:
    assert without_citations(f"保修期为两年{mark}。") == "保修期为两年。"


@pytest.mark.parametrize(
    "text",
    [
        "It was founded (1998).",
        "It covers 25 km².",
        "It holds List<String>.",
        "The rule (Article 5) holds.",
        "Some (12) of them stay.",
        "They won the match (3-1).",
        "He came — source of joy.",
        "第3页写明了。",
    ],
)
def test_what_states_something_stays(text: str) -> None:
    assert without_citations(text) == text


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("停车费为每小时【五十元】。", "停车费为每小时五十元。"),
        ("会员【不】享受八折优惠。", "会员不享受八折优惠。"),
        ("请服用【阿司匹林】一片。", "请服用阿司匹林一片。"),
        ("营业时间【8:30开门】。", "营业时间8:30开门。"),
        ("停车费为[50]元。", "停车费为50元。"),
        ("停车费为【50】。", "停车费为50。"),
        ("酒店有[5]颗星。", "酒店有5颗星。"),
        ("The fee is [50] euros.", "The fee is 50 euros."),
        ("The fee is[50] euros.", "The fee is 50 euros."),
        ("The fee is [50].", "The fee is 50."),
        ("The fee is (50).", "The fee is 50."),
        ("The price: [50].", "The price: 50."),
        ("The fee rose by [50].", "The fee rose by 50."),
        ("The hotel has {5} stars.", "The hotel has 5 stars."),
        ("The hotel offers [5] stars.", "The hotel offers 5 stars."),
        ("Entry costs <12>.", "Entry costs 12."),
        ("The rate is [5]%.", "The rate is 5%."),
        ("The fee rose to [1,000].", "The fee rose to 1,000."),
        ("It holds for [5] years.", "It holds for 5 years."),
        ("[50]元是停车费。", "50元是停车费。"),
        ("[50] euros is the fee.", "50 euros is the fee."),
    ],
)
def test_a_value_or_a_word_in_brackets_is_stated(text: str, stated: str) -> None:
    assert without_citations(text) == stated


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("The museum [1] is open.", "The museum  is open."),
        ("The museum[1] opens.", "The museum opens."),
        ("Smith et al. [5] found it.", "Smith et al.  found it."),
        ("According to [1], it is ten.", "According to , it is ten."),
        ("It is red [1]; it is big [2].", "It is red ; it is big ."),
        ("[1] It is red.", " It is red."),
        ("[1]日本在亚洲。", "日本在亚洲。"),
        ("It is what we refer to [1].", "It is what we refer to ."),
        ("It is as big as it is [1, 2].", "It is as big as it is ."),
        ("博物馆[1]于十点开门。", "博物馆于十点开门。"),
        ("两年【4:0†a.pdf】。", "两年。"),
        ("两年【来源】。", "两年。"),
        ("【温馨提示】两年。", "两年。"),
    ],
)
def test_a_mark_inside_a_sentence_is_left_out(text: str, stated: str) -> None:
    assert without_citations(text) == stated


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("The fee is [source 50] euros.", "The fee is 50 euros."),
        ("The fee is [Source 50].", "The fee is 50."),
        ("The fee is[passage 5].", "The fee is 5."),
        ("A fee of (passage 50) euros applies.", "A fee of 50 euros applies."),
        ("[source 50] euros is the fee.", "50 euros is the fee."),
        ("It costs (see source 50) euros.", "It costs 50 euros."),
        ("It costs [sources 50 and 60] euros.", "It costs 50 60 euros."),
        ("It costs ([50]) euros.", "It costs 50 euros."),
        ("It costs [^50] euros.", "It costs 50 euros."),
        ("It costs [S50] euros.", "It costs 50 euros."),
        ("It has [source 5] rooms.", "It has 5 rooms."),
        ("It employs at least [doc 50] of them.", "It employs at least 50 of them."),
        ("The fee is [p. 500] euros.", "The fee is 500 euros."),
        ("The fee is [p. 1500].", "The fee is 1500."),
        ("The fee is (p. 12).", "The fee is 12."),
        ("停车费为【资料50】元。", "停车费为50元。"),
        ("停车费为【资料50】。", "停车费为50。"),
        ("停车费每小时【资料50】元。", "停车费每小时50元。"),
        ("【资料50】元是停车费。", "50元是停车费。"),
        ("价格：（资料50）", "价格：50"),
        ("全书共[第500页]。", "全书共500。"),
    ],
)
def test_a_number_with_the_word_for_a_source_is_a_value_where_only_a_value_can_stand(text: str, stated: str) -> None:
    assert without_citations(text) == stated


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("The museum is [source 1] open daily.", "The museum is  open daily."),
        ("The trial included [source 2] patients.", "The trial included  patients."),
        ("It holds parts [source 30] and labour.", "It holds parts  and labour."),
        ("The source is [Source 30].", "The source is ."),
        ("According to [source 50], years ago it stood.", "According to , years ago it stood."),
        ("[Source 1] Days are long.", " Days are long."),
        ("It is as it is [p. 4], and it stays.", "It is as it is , and it stays."),
        ("It lasts two years [p. 500].", "It lasts two years ."),
        ("依据为【资料3】。", "依据为。"),
        ("来源：【资料1】【资料2】", "来源："),
        ("保修期为【资料1】两年。", "保修期为两年。"),
        ("博物馆【资料1】每天开放。", "博物馆每天开放。"),
        ("会员【资料1】天天免费。", "会员天天免费。"),
    ],
)
def test_elsewhere_it_points_at_the_source(text: str, stated: str) -> None:
    assert without_citations(text) == stated


@pytest.mark.parametrize(
    "text",
    [
        "It is red [Source: the maker also refunds 500 euros to every customer].",
        "It is red (Source 1: the maker refunds 500 euros).",
        "红色（来源：会员可免费停车）。",
    ],
)
def test_a_statement_behind_the_label_of_a_mark_stays(text: str) -> None:
    assert without_citations(text) == text


def test_the_words_of_a_link_stay() -> None:
    assert without_citations("The [museum](https://example.org) opens at ten.") == "The museum opens at ten."


@pytest.mark.parametrize(
    "text", ["Storage is free for three days only [5].", "It is taken for four weeks at most [5]."]
)
def test_a_mark_behind_a_value_is_none_itself(text: str) -> None:
    assert without_citations(text) == text.replace("[5]", "")


@pytest.mark.parametrize("text", ["It costs only [5].", "You get at most [5]."])
def test_figures_where_only_a_value_can_stand_are_one(text: str) -> None:
    assert without_citations(text) == text.replace("[5]", "5")


@pytest.mark.parametrize(
    "mark",
    [
        *("(section 4.2)", "[Section 4.2, p. 12]", "(see Table 2)", "(§ 4.2)", "(Fig. 3)", "(appendix B)"),
        *("(Sections 4.2 and 4.3)", "[Table 3; Figure 2]", "(handbook, section 4.2)", "(Terms of Service, § 4.2)"),
        *("(section 4.2 of the handbook)", "(as stated in section 4.2)", "(see Article 5)", ", see Article 5"),
        *(
            "(see Smith, 2021)",
            "(Smith & Jones, 2021, p. 4)",
            "(Smith et al., 2021; Jones 2019)",
            "(see Smith et al. 2021)",
        ),
        *("[Source: Refund Policy, 3 May 2024]", "(Source: Refund Policy, last updated May 2024)", ", see section 4.2"),
        *(
            "(Doc 2, §3)",
            "[source 2, section 4.2]",
            "(Data Retention Policy, section 4.2)",
            "(policy.pdf, section 2)",
            "(Section 4, last updated March 2021)",
        ),
    ],
)
def test_what_says_where_it_is_written_is_left_out(mark: str) -> None:
    assert (
        without_citations(f"It lasts two years {mark}.").replace(" .", ".").replace(" ,", ",") == "It lasts two years."
    )


@pytest.mark.parametrize(
    "mark",
    [
        *("（见第3条）", "，见第3条", "（第3.2节）", "（详见表2）", "（见附录2）", "（参见《员工手册》第12条第2款）"),
        *("，详情请见附录", "（员工手册第3条）", "（依据第3条）", "（来源：员工手册，2024年5月3日）"),
    ],
)
def test_what_says_in_chinese_where_it_is_written_is_left_out(mark: str) -> None:
    assert without_citations(f"保修期为两年{mark}。") == "保修期为两年。"


@pytest.mark.parametrize(
    "text",
    [
        *("Section 4.2 allows refunds.", "According to section 4.2, it is red.", "It is red (section 4.2 gives 90)."),
        *(
            "It is red (section 4.2: refunds take 90 days).",
            "It is red (Table 2, within 90 days).",
            "It is red (see 90).",
        ),
        *(
            "It is red (members only, section 4.2).",
            "It is red (May, 2021).",
            "It is red (France, 2015).",
            "It is (2021).",
        ),
        *(
            "It is red (since Winter, 2015).",
            "I see section 4.2 as red.",
            "红色（第3条规定90天）。",
            "红色（见90天）。",
        ),
        *("It is red (Berlin, 2017).", "It opened (Vienna and Graz 1998).", "It was signed (Cancelled, 2019)."),
        *("It is red (Lifetime Guarantee Policy, Table 3).", "It is red (Tenant Pays Rent Agreement, Section 3)."),
        *(
            "It is red (Free Policy, section 3).",
            "It is red (Cancelled Contract, section 3).",
            "红色（终身保修政策第3条）。",
        ),
    ],
)
def test_a_statement_with_a_section_or_a_year_stays(text: str) -> None:
    assert without_citations(text) == text


@pytest.mark.parametrize(
    ("text", "stated"), [("It costs (section 50) euros.", "It costs 50 euros."), ("It is [Table 2].", "It is 2.")]
)
def test_the_number_of_a_section_is_a_value_where_only_a_value_can_stand(text: str, stated: str) -> None:
    assert without_citations(text) == stated


@pytest.mark.parametrize(
    "mark",
    ["¹", " ¹", "¹²", "¹,²", " ¹ ²", "⁽¹⁾", "<sup>1</sup>", "<sup>1, 2</sup>", '<sup><a href="#fn1">12</a></sup>'],
)
def test_a_raised_figure_is_a_mark_behind_a_word_a_stop_or_a_blank(mark: str) -> None:
    assert without_citations(raised(f"It costs no fee{mark}.")) == "It costs no fee."
    assert without_citations(raised(f"It is red.{mark}")) == "It is red."
    assert without_citations(raised(f"保修期为两年{mark}。")) == "保修期为两年。"
    assert without_citations(raised(mark.strip())) == ""


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("It is 10<sup>6</sup> years old.", "It is 10⁶ years old."),
        ("It covers 25 m<sup>2</sup>.", "It covers 25 m²."),
        ("It covers 25 km².", "It covers 25 km²."),
        ("It is the 5<sup>th</sup>.", "It is the 5<sup>th</sup>."),
        ("It is ¹⁄₂ of it.", "It is ¹⁄₂ of it."),
        ("It costs <sup>50 euros</sup>.", "It costs <sup>50 euros</sup>."),
    ],
)
def test_an_exponent_or_a_value_is_no_raised_mark(text: str, stated: str) -> None:
    assert without_citations(raised(text)) == stated


@pytest.mark.parametrize(
    "mark",
    [
        *("(Sect. 22)", "(sec. 4.1)", "(Ch. 4)", "(App. B)", "(Tab. 3)", "(Eq. 7)", "(Doc. 2)", "(cl. 4.2)"),
        *("(handbook, sect. 4)", "(see Reg. 22)", "(see Art. 5)", ", see Reg. 22"),
    ],
)
def test_sections_are_left_out_when_they_are_cut_short(mark: str) -> None:
    assert without_citations(f"It is red {mark}.").replace(" .", ".").replace(" ,", ",") == "It is red."


@pytest.mark.parametrize(
    "text",
    [
        *("It is red (Reg. 22).", "It is red (Art. 5).", "The bus (No. 22) is red.", "It is red (max. 20)."),
        *("It is red (Tab. 3, within 90 days).", "It is red (sec. 4.1 gives 90).", "It is red (app. 5 euros)."),
        *("It is red (open ch. 4 hours).", "It is red (5 tab. 3 times)."),
    ],
)
def test_what_states_something_beside_an_abbreviation_stays(text: str) -> None:
    assert without_citations(text) == text
