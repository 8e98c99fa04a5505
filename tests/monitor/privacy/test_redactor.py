from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.config.settings import Privacy
from monitor.feedback import Feedback
from monitor.privacy.redactor import Redactor
from monitor.records import Passage, Provenance, RagTrace, RequestError, SensitiveHit

REDACTOR = Redactor(Privacy(), b"a key of the tests")

TRACE = RagTrace(
    "t",
    "r",
    question="My mail is li@example.com, what is the courier's phone?",
    answer="Courier: 138-0013-8000, desk 13900139000, we wrote to LI@example.com.",
    contexts=(Passage("no data", id="p1"), Passage("courier phone 13800138000", id="li@example.com.txt")),
    search_query="courier of li@example.com",
    error=RequestError("E", "generation", "rejected 13800138000"),
    user_id="u1",
    session_id="s1",
    tenant="acme",
    feedback=(Feedback("thumb", comment="call 13700137000"), Feedback("thumb")),
)


def fragments() -> st.SearchStrategy[str]:
    known = [
        *("li@example.com", "13800138000", "+86 138-0013-8000", "4111111111111111", "11010519491231002X", "10.1.2.3"),
        *("010-62345678", "password: hunter22x", "密码是abc12345", "postgres://a:b7c@h.example/x", "123-45-6789"),
        *("-----BEGIN PRIVATE KEY-----", "abc1", "<EMAIL_1>", "<PHONE_2>", "sk-" + "a1" * 12, "微信abcdef1", "Phone: "),
    ]
    glue = ["", " ", ",", "@", ".", ":", "-", "1", "a", "是", "\n", "://", "\u200b", "１", "<", ">"]
    return st.lists(st.sampled_from(known) | st.sampled_from(glue) | st.text(max_size=3), max_size=12).map("".join)


def test_hits_tell_where_they_are_and_where_those_of_the_answer_come_from() -> None:
    hits = {(hit.target, hit.passage, hit.kind, hit.start, hit.end): hit.provenance for hit in REDACTOR.scan(TRACE)}
    assert hits == {
        ("question", 0, "email", 11, 25): None,
        ("contexts", 2, "phone", 14, 25): None,
        ("answer", 0, "phone", 9, 22): Provenance.CONTEXT,
        ("answer", 0, "phone", 29, 40): Provenance.NOVEL,
        ("answer", 0, "email", 54, 68): Provenance.QUESTION,
    }


def test_what_stands_in_question_and_context_is_an_echo_of_the_question() -> None:
    trace = replace(TRACE, question="is it 13800138000?")
    origins = [hit.provenance for hit in REDACTOR.scan(trace) if hit.target == "answer"]
    assert origins[0] is Provenance.QUESTION


def test_a_word_is_traced_back_even_where_its_cue_is_missing() -> None:
    trace = RagTrace("t", "r", "what about hunter22x", "your password: hunter22x", (Passage("nothing"),))
    assert [hit.provenance for hit in REDACTOR.scan(trace)] == [Provenance.QUESTION]


def test_placeholders_are_typed_numbered_and_consistent_over_the_whole_request() -> None:
    redacted = REDACTOR.redact(TRACE, REDACTOR.scan(TRACE))
    assert redacted.question == "My mail is <EMAIL_1>, what is the courier's phone?"
    assert redacted.search_query == "courier of <EMAIL_1>"
    assert [passage.text for passage in redacted.contexts] == ["no data", "courier phone <PHONE_1>"]
    assert [passage.id for passage in redacted.contexts] == ["p1", "<EMAIL_2>"]
    assert redacted.answer == "Courier: <PHONE_1>, desk <PHONE_2>, we wrote to <EMAIL_1>."
    assert redacted.error == RequestError("E", "generation", "rejected <PHONE_1>")
    assert [item.comment for item in redacted.feedback] == ["call <PHONE_3>", None]


def test_nothing_else_of_the_request_changes() -> None:
    redacted = REDACTOR.redact(TRACE, REDACTOR.scan(TRACE))
    content = ("question", "answer", "contexts", "search_query", "error", "feedback", "user_id", "session_id", "tenant")
    assert replace(redacted, **{name: getattr(TRACE, name) for name in content}) == TRACE


def test_texts_that_are_not_there_stay_so() -> None:
    empty = RagTrace("t", "r", None, "")
    assert REDACTOR.redact(empty, REDACTOR.scan(empty)) == empty


def test_ids_become_pseudonyms_of_their_purpose() -> None:
    redacted = REDACTOR.redact(replace(TRACE, user_id="same", session_id="same", tenant="same"), ())
    ids = [redacted.user_id, redacted.session_id, redacted.tenant]
    assert len(set(ids)) == 3
    assert all(value and "same" not in value for value in ids)


def test_without_a_key_there_are_no_ids_at_all() -> None:
    redacted = Redactor(Privacy(), None).redact(TRACE, ())
    assert (redacted.user_id, redacted.session_id, redacted.tenant) == (None, None, None)


def test_redacting_finds_what_the_given_hits_leave_out() -> None:
    """A caller that loses hits must not leak: what is still sensitive is replaced anyway."""
    assert "example.com" not in str(REDACTOR.redact(TRACE, ()))


@pytest.mark.parametrize("spelling", ["400-820-8820", "4008208820", "400 820 8820"])
def test_allowed_texts_stay_in_every_spelling(spelling: str) -> None:
    redactor = Redactor(Privacy(allow=("400-820-8820",)), None)
    trace = RagTrace("t", "r", "hotline?", f"热线{spelling},专线13800138000")
    hits = redactor.scan(trace)
    assert [hit.provenance for hit in hits] == [Provenance.ALLOWED, Provenance.NOVEL]
    assert redactor.redact(trace, hits).answer == f"热线{spelling},专线<PHONE_1>"
    assert redactor.redact_text(f"热线{spelling}") == f"热线{spelling}"


def test_an_allowed_number_needs_no_cue() -> None:
    redactor = Redactor(Privacy(allow=("6552 9988",)), None)
    assert redactor.redact_text("call 6552 9988, call 6552 9989") == "call 6552 9988, call <PHONE_1>"


def test_kinds_and_families_can_be_switched_off_and_the_identity_says_so() -> None:
    redactor = Redactor(Privacy(disable=("ip", "secret")), None)
    text = "10.1.2.3 password: hunter22x a@example.com"
    assert redactor.redact_text(text) == "10.1.2.3 password: hunter22x <EMAIL_1>"
    assert redactor.identity == f"{REDACTOR.identity}-no_ip-no_secret"


def test_a_hit_holds_no_content() -> None:
    assert set(SensitiveHit.__slots__) == {"kind", "target", "start", "end", "provenance", "passage"}


@given(fragments())
def test_redacting_a_text_twice_changes_nothing_more(text: str) -> None:
    once = REDACTOR.redact_text(text)
    assert REDACTOR.redact_text(once) == once


@given(fragments(), fragments(), fragments())
def test_all_hits_of_a_request_lead_to_the_same_text_without_a_second_search(
    question: str, passage: str, answer: str
) -> None:
    trace = RagTrace("t", "r", question, answer, (Passage(passage), Passage(answer)), search_query=passage)
    hits = REDACTOR.scan(trace)
    assert REDACTOR.redact(trace, hits, complete=True) == REDACTOR.redact(trace, hits)


@given(fragments(), fragments(), fragments())
def test_redacting_a_request_twice_changes_nothing_more(question: str, passage: str, answer: str) -> None:
    trace = RagTrace("t", "r", question, answer, (Passage(passage),), user_id="u", tenant="x")
    once = REDACTOR.redact(trace, REDACTOR.scan(trace))
    assert REDACTOR.scan(once) == ()
    assert REDACTOR.redact(once, REDACTOR.scan(once)) == once


@given(st.text() | fragments())
def test_no_text_raises_and_a_text_without_hits_is_left_as_it_is(text: str) -> None:
    trace = RagTrace("t", "r", text, text, (Passage(text),))
    hits = REDACTOR.scan(trace)
    if not hits:
        assert REDACTOR.redact(trace, hits) == trace


@given(fragments())
def test_offsets_lead_to_the_text_that_was_found(text: str) -> None:
    trace = RagTrace("t", "r", None, text)
    for hit in REDACTOR.scan(trace):
        assert text[hit.start : hit.end].strip()
        assert hit.provenance is Provenance.NOVEL


@pytest.mark.parametrize(
    "phone",
    [
        "\u200e".join("13800138000"),
        "138\ufe0f0013\U000e00418000",
        "".join(chr(0x1D7CE + int(digit)) for digit in "13800138000"),
        "".join(chr(0x660 + int(digit)) for digit in "13800138000"),
    ],
)
def test_a_disguised_number_is_replaced_and_known_again(phone: str) -> None:
    trace = RagTrace("t", "r", "q", f"call {phone} now", (Passage("phone 13800138000"),))
    hits = REDACTOR.scan(trace)
    assert [hit.provenance for hit in hits] == [None, Provenance.CONTEXT]
    redacted = REDACTOR.redact(trace, hits)
    assert (redacted.answer, redacted.contexts[0].text) == ("call <PHONE_1> now", "phone <PHONE_1>")


def test_the_source_of_a_passage_is_redacted() -> None:
    trace = replace(TRACE, contexts=(Passage("Open.", "d-1", source="mail/li@example.com.eml"),))
    (passage,) = REDACTOR.redact(trace, REDACTOR.scan(trace)).contexts
    assert "li@example.com" not in (passage.source or "")
