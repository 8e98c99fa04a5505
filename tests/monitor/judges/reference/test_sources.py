"""Rules of naming documents, and of which passages are of a relevant one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.judges.reference.references import Reference
from monitor.judges.reference.sources import is_generated, relevant_ranks, source_name
from monitor.records import Passage


@pytest.mark.parametrize(
    "name",
    [
        "Refund Policy",
        "refund_policy.md",
        "01_Refund-Policy.PDF",
        "[3] refund policy",
        "12. Refund Policy.docx",
        "/srv/kb/refund_policy.txt",
        "C:\\kb\\Refund Policy.doc",
        "s3://bucket/refund_policy.md",
        "https://docs.example.com/refund-policy?utm_source=x#refunds",
        "https://docs.example.com/refund%20policy.html",
        "refund_policy.md#chunk-3",
        "refund-policy.pdf:p12",
        "ｒｅｆｕｎｄ＿ｐｏｌｉｃｙ．ｐｄｆ",
        "refund-policy/index.html",
    ],
)
def test_one_document_has_many_names(name: str) -> None:
    assert source_name(name).names_the_same(source_name("refund-policy"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("退款政策.pdf", "１２、退款政策.docx"),
        ("《退款政策》", "第3章 退款政策.md"),
        ("退款政策.pdf", "第三章 退款政策.pdf"),
        ("第112章 退款政策.pdf", "第一百一十二章 退款政策.pdf"),
        ("第3章 退款政策.pdf", "第三章 退款政策.pdf"),
        ("退款政策.pdf", "一、退款政策.pdf"),
        ("退款政策.pdf", "（十二）退款政策.pdf"),
        ("退款政策.pdf", "01退款政策.pdf"),
        ("退款政策.pdf", "①退款政策.pdf"),
        ("warranty.pdf", "1.2 Warranty.pdf"),
        ("warranty.pdf", "01warranty.pdf"),
        ("01_warranty.pdf", "1. Warranty.docx"),
        ("warranty", "warranty.tar.gz"),
        ("warranty.key", "warranty.pages"),
        ("https://www.a.example/docs/policy", "https://a.example/docs/policy/"),
        ("https://a.example/docs/policy", "docs/policy.md"),
        ("tenantA/docs/policy.md", "docs/policy.md"),
        ("/kb/policy.md", "/srv/kb/policy.md"),
        ("https://a.example/docs/policy/index.html", "https://a.example/docs/policy"),
        ("https://a.example/view?id=5&title=x", "https://a.example/view?id=5"),
        ("https://a.example/view?tenant=a&id=1&session_id=7", "https://a.example/view?id=1&session_id=8"),
        ("https://a.example/C%23.html", "C#.pdf"),
        ("%E9%80%80%E6%AC%BE%E6%94%BF%E7%AD%96.pdf", "退款政策"),
    ],
)
def test_prefixes_hosts_and_folders_may_be_missing(one: str, other: str) -> None:
    assert source_name(one).names_the_same(source_name(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2023-report.pdf", "2024-report.pdf"),
        ("hr/policy.md", "sales/policy.md"),
        ("https://wiki.example/page?id=17", "https://wiki.example/page?id=18"),
        ("d-001", "d-002"),
        ("iso-9001.pdf", "iso-9002.pdf"),
        ("v1.2.md", "v1.3.md"),
        ("退款政策.pdf", "退货政策.pdf"),
        ("365-day-return.md", "30-day-return.md"),
        ("2 year warranty.md", "3 year warranty.md"),
        ("30天退货.md", "7天退货.md"),
        ("filings/10-K.pdf", "filings/8-K.pdf"),
        ("第1章 总则.pdf", "第2章 总则.pdf"),
        ("第一章 总则.pdf", "第二章 总则.pdf"),
        ("1.2 Warranty.pdf", "1.3 Warranty.pdf"),
        ("①总则.pdf", "②总则.pdf"),
        ("1-hr/policy.md", "2-hr/policy.md"),
        ("https://a.example/docs/policy", "https://b.example/docs/policy"),
        ("tenantA/docs/policy.md", "tenantB/docs/policy.md"),
        ("/srv/kb/policy.md", "/mnt/kb/policy.md"),
        ("C:\\kb\\policy.md", "D:\\kb\\policy.md"),
        ("https://a.example/docs/policy", "https://a.example/admin/docs/policy"),
        ("s3://a/policy.md", "s3://a/kb/policy.md"),
        ("https://x.example/?p=1", "https://x.example/?p=2"),
        ("https://x.example/view?slug=a", "https://x.example/view?slug=b"),
        ("https://x.example/view?tenant=a&id=1", "https://x.example/view?tenant=b&id=1"),
        ("C#.pdf", "C.pdf"),
        ("C# guide.pdf", "C guide.pdf"),
        ("C#-guide.pdf", "C-guide.pdf"),
        ("C++.pdf", "C.pdf"),
    ],
)
def test_different_documents_have_different_names(one: str, other: str) -> None:
    assert not source_name(one).names_the_same(source_name(other))


@given(st.text(max_size=40))
def test_any_text_has_a_name_that_is_its_own(text: str) -> None:
    assert source_name(text).names_the_same(source_name(text))


def test_generated_ids_are_told_from_names() -> None:
    generated = ("6f1c9d2e-8a34-4f0b-9c55-2b7d1e3f4a5b", "6f1c9d2e8a344f0b9c552b7d1e3f4a5b", "4711")
    assert all(map(is_generated, generated))
    assert not any(map(is_generated, ("d-001", "faded-decade", "refund.md")))


def passages(*ids: str | None) -> list[Passage]:
    return [Passage(f"Text number {number} about something.", name) for number, name in enumerate(ids)]


NAMED = Reference(sources=("refund.md",))


@pytest.mark.parametrize(
    ("ids", "ranks"),
    [
        (("a.md", "kb/refund.pdf", "refund.md#2"), (2, 3)),
        (("a.md", "b.md"), ()),
        ((), ()),
        ((None, "b.md"), None),
        (("6f1c9d2e-8a34-4f0b-9c55-2b7d1e3f4a5b", "b.md"), None),
        ((None, "refund.md"), (2,)),
    ],
)
def test_ranks_are_those_of_passages_of_relevant_documents(
    ids: tuple[str | None, ...], ranks: tuple[int, ...] | None
) -> None:
    assert relevant_ranks(passages(*ids), NAMED) == ranks


def test_generated_ids_are_compared_where_the_golden_file_has_such() -> None:
    ids = ("4711", "4712")
    assert relevant_ranks(passages(*ids), Reference(sources=("4712",))) == (2,)
    assert relevant_ranks(passages(*ids), Reference(sources=("4713",))) == ()


def test_a_relevant_text_is_met_whole_or_cut() -> None:
    text = "The museum is open from Tuesday to Sunday. Entry costs 12 euros. Children under six enter free."
    cut = Passage("Entry costs 12 euros. Children under six enter free.")
    longer = Passage(f"Opening hours and fees. {text} The café is closed on Fridays.")
    other = Passage("The library is open from Monday to Friday. Lending costs nothing.")
    assert relevant_ranks([other, cut, longer], Reference(passages=(text,))) == (2, 3)
    assert relevant_ranks(
        [Passage("保修期为两年，自购买之日起计算。")], Reference(passages=("本产品保修期为2年，自购买之日起计算。",))
    ) == (1,)


def test_without_sources_and_passages_nothing_can_be_told() -> None:
    assert relevant_ranks(passages("a.md"), Reference(("an answer",))) is None


def test_the_source_names_the_document_where_the_id_is_a_chunks() -> None:
    chunk = Passage("Text.", "6f1c9d2e-8a34-4f0b-9c55-2b7d1e3f4a5b", source="kb/refund.md")
    other = Passage("Text.", "6f1c9d2e-8a34-4f0b-9c55-2b7d1e3f4a5c", source="kb/other.md")
    assert relevant_ranks([other, chunk], NAMED) == (2,)
    assert relevant_ranks([other], NAMED) == ()
