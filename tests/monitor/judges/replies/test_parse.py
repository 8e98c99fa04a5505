from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from monitor.errors import JudgeError, JudgeRejected
from monitor.judges.replies.parse import choice, holds_object, is_object, parse_verdict
from monitor.judges.replies.repair import repair_syntax
from monitor.judges.replies.strict_json import MAX_DEPTH, Json, folded, strict_json
from tests.monitor.judges.replies.parsed import VERDICT, reason_of, value_of

YES_NO = {"yes": 1.0, "no": 0.0}


# ---------------------------------------------------------------------------------------------------------- strict


def test_a_clean_reply_is_not_repaired() -> None:
    parsed = parse_verdict(' {"verdict": "yes", "score": 0.5}\n', VERDICT)
    assert (parsed.value, parsed.repaired) == ({"verdict": "yes", "score": 0.5}, False)


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "9" * 5000])
def test_a_number_that_json_does_not_have_is_an_invalid_score(constant: str) -> None:
    assert reason_of(f'{{"score": {constant}, "reason": "no claims"}}', frozenset({"score"})) == "invalid_score"


@pytest.mark.parametrize("constant", ["NaN", "Infinity"])
def test_no_repair_lets_such_a_number_through(constant: str) -> None:
    assert reason_of(f'```json\n{{"score": {constant},}}\n```', frozenset({"score"})) == "invalid_score"


@pytest.mark.parametrize(
    "text",
    [
        '{"verdict": "yes", "verdict": "no"}',
        '{"verdict": "yes", "verdict": "no",}',
        '```json\n{"verdict": "yes", "verdict": "yes"}\n```',
        '{"verdict": "yes" "verdict": "no"}',
        '{"verdict": "yes", "other": {"a": 1, "a": 2}}',
    ],
)
def test_a_key_that_stands_twice_is_an_error(text: str) -> None:
    assert reason_of(text) == "parse"


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"verdict":' * 100_000,
        '{"result":' * 50_000 + "1" + "}" * 50_000,
        '{"verdict": ' + "[" * 99 + "]" * 99 + "}",
    ],
)
def test_deep_nesting_is_an_error_and_no_crash(text: str) -> None:
    assert reason_of(text) == "parse"


def test_brackets_inside_a_text_are_no_depth() -> None:
    text = json.dumps({"verdict": "yes", "reason": "[{" * 1000})
    assert value_of(text)["verdict"] == "yes"


def test_depth_up_to_the_limit_is_read() -> None:
    strict_json("[" * MAX_DEPTH + "]" * MAX_DEPTH)


def test_lone_surrogates_and_controls_become_replacement_characters() -> None:
    assert value_of(r'{"verdict": "yes", "reason": "half \ud83e, whole \ud83d\ude42, \u0000"}') == {
        "verdict": "yes",
        "reason": "half \ufffd, whole 🙂, \ufffd",
    }


@given(st.dictionaries(st.text(), st.text() | st.integers(-(10**17), 10**17) | st.booleans() | st.none()))
def test_what_json_can_write_is_read_back(value: dict[str, Json]) -> None:
    value = {key: item for key, item in value.items() if key.isprintable() and str(item).isprintable()}
    value = {key: item for key, item in value.items() if "verdict" not in folded(key)}  # it may say otherwise
    text = json.dumps({"verdict": "yes"} | value)
    parsed = parse_verdict(text, VERDICT)
    assert (parsed.value, parsed.repaired) == ({"verdict": "yes"} | value, False)


# -------------------------------------------------------------------------------------------------- search and repair


def test_a_fence_and_python_literals_are_repaired_outside_texts_only() -> None:
    parsed = parse_verdict('```json\n{"verdict": True, "n": None, "reason": "It is True, not None."}\n```', VERDICT)
    assert parsed.value == {"verdict": True, "n": None, "reason": "It is True, not None."}
    assert parsed.repaired


def test_an_illegal_escape_keeps_its_backslash_and_legal_ones_their_meaning() -> None:
    text = r'{"verdict": "yes", "reason": "\sigma = \sqrt{\lambda}\n\u00e9 \"q\" C:\\dir \usepackage"}'
    parsed = parse_verdict(text, VERDICT)
    assert parsed.value["reason"] == '\\sigma = \\sqrt{\\lambda}\né "q" C:\\dir \\usepackage'
    assert parsed.repaired


@pytest.mark.parametrize("end", ["", r" \sigma"])
def test_latex_that_looks_like_a_form_feed_or_backspace_stays_latex(end: str) -> None:
    assert value_of(rf'{{"verdict": "yes", "reason": "\frac \beta{end}"}}')["reason"] == rf"\frac \beta{end}"


def test_a_raw_line_break_in_a_text_is_kept() -> None:
    parsed = parse_verdict('{"verdict": "yes", "reason": "one\ntwo"}', VERDICT)
    assert (parsed.value["reason"], parsed.repaired) == ("one\ntwo", True)


@pytest.mark.parametrize(
    "text",
    [
        '{"verdict": "yes",}',
        "{'verdict': 'yes'}",
        "{verdict: yes}",
        '{"verdict": "yes" "reason": "a "quoted" word"}',
        'Here you are: {"verdict": "yes"} I hope this helps {really}.',
        '{"thought": 1}\n{"verdict": "yes"}',
        '{"verdict": "yes"}\n{"verdict": "yes"}',
        '[{"verdict": "yes"}]',
        '{"result": {"verdict": "yes"}}',
        '{"response": {"output": {"verdict": "yes"}}}',
        '{"arguments": "{\\"verdict\\": \\"yes\\"}"}',
        '"{\\"verdict\\": \\"yes\\"}"',
    ],
)
def test_small_slips_around_one_clear_verdict_are_repaired(text: str) -> None:
    parsed = parse_verdict(text, VERDICT)
    assert (parsed.value["verdict"], parsed.repaired) == ("yes", True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yes",
        '"yes"',
        "null",
        "I rate this an 8 out of 10.",
        '{"verdict": "yes"} or rather {"verdict": "no"}',
        '{"verdict": "no"} ```json\n{"verdict": True}\n```',
        '{"verdict": "yes"} no: {"verdict": "n',
        '{"other": "yes"}',
        "{}",
        '{"example": {"verdict": "yes"}}',
        '{"result": {"verdict": "yes"}, "other": {"verdict": "no"}}',
        '{"result": {"verdict": "yes"}} {"verdict": "no"}',
        '{"verdict": "yes" "no"}',
        '{"verdict": "yes" // rather: no\n}',
        '{"verdict": "yes", verdict2: "no" // or "verdict": "no"\n}',
    ],
)
def test_no_verdict_or_two_is_an_error(text: str) -> None:
    assert reason_of(text) == "parse"


COMPLETE = '{"claims": [{"claim": "a {b} \\"c\\"", "verdict": "supported"}, {"claim": "d"}], "claim_count": 2}'


@given(st.integers(1, len(COMPLETE) - 1))
def test_a_cut_reply_never_gives_a_verdict(length: int) -> None:
    assert reason_of(COMPLETE[:length], frozenset({"claims", "claim_count"})) == "parse"


@given(st.integers(1, len(COMPLETE) - 1), st.sampled_from(["```json\n", "Sure: ", "<think>hm</think>\n"]))
def test_nor_does_one_that_is_wrapped(length: int, before: str) -> None:
    assert reason_of(before + COMPLETE[:length], frozenset({"claims"})) == "parse"


@given(st.text(alphabet='{}[]":,\\ \nabTrue1e9.NaN<think>/', max_size=200))
@example('"' + '\\"' * 100)
def test_any_text_is_read_or_refused_with_a_bounded_reason(text: str) -> None:
    reason = None
    try:
        parse_verdict(text, VERDICT)
    except JudgeError as error:
        reason = error.reason
    assert reason in {None, "parse", "invalid_score"}


@pytest.mark.parametrize("text", ['"' + '\\"' * 200_000, "{" * 30, '{"a' * 30, '{"verdict": "' + "\\" * 200_000])
@pytest.mark.timeout(5)
def test_a_hostile_reply_costs_no_more_than_one_pass(text: str) -> None:
    assert reason_of(text) == "parse"


@pytest.mark.parametrize(
    ("text", "is_whole", "is_there"),
    [
        ('{"a": 1}', True, True),
        ('<think>hm</think>{"a": 1}', True, True),
        ('```json\n{"a": 1}\n```', False, True),
        ('{"a": 1} {"a": 2}', False, True),
        ('{"a": 1, "a": 2}', False, True),
        ("The answer is yes.", False, False),
        ('<think>{"a": 1}</think>', False, False),
        ('{"a": 1', False, False),
        ("[1]", False, False),
        ("", False, False),
    ],
)
def test_a_reply_that_follows_the_format_is_told_from_one_that_does_not(
    text: str, *, is_whole: bool, is_there: bool
) -> None:
    assert (is_object(text), holds_object(text)) == (is_whole, is_there)


# ----------------------------------------------------------------------------------------------------------- choices


@pytest.mark.parametrize(("word", "score"), [("yes", 1.0), (" No ", 0.0), ("YES", 1.0)])
def test_a_choice_is_one_of_the_options(word: str, score: float) -> None:
    assert choice(word, YES_NO) == (word.strip().lower(), score)


@pytest.mark.parametrize("word", ["maybe", "", "yes and no", "not yes", None, 1, True, ["yes"], {"yes": 1}])
def test_anything_else_is_no_choice(word: Json) -> None:
    with pytest.raises(JudgeRejected, match="parse"):
        choice(word, YES_NO)


@pytest.mark.parametrize("word", ["not_found", "Not found", "NOT-FOUND", " not  found "])
def test_how_the_words_of_an_option_are_joined_does_not_count(word: str) -> None:
    assert choice(word, {"found": 1.0, "not_found": 0.0}) == ("not_found", 0.0)
    for other in ("notfound", "not.found", "not_found?", "found not", "-found"):
        with pytest.raises(JudgeRejected):
            choice(other, {"found": 1.0, "not_found": 0.0})


def test_a_boolean_is_a_choice_where_it_was_offered() -> None:
    assert choice(value=True, options={"true": 1.0, "false": 0.0}) == ("true", 1.0)


@given(st.text(alphabet='{}[]":, abTF', max_size=60))
def test_repairing_leaves_clean_json_alone(text: str) -> None:
    clean = json.dumps({"a": text, "b": [True, None, 1.5]})
    assert repair_syntax(clean) == clean


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1, "b": 2}', {"a": 1, "b": 2}),
        ('{"b": 2}', {"b": 2}),
        ('Verdicts: {"b": 2} and {"c": 3}', {"b": 2}),
        ('{"a": 1} {"a": 1}', {"a": 1}),
    ],
)
def test_of_several_verdicts_some_may_be_missing(text: str, found: dict[str, Json]) -> None:
    assert parse_verdict(text, frozenset("ab"), some=True).value == found


@pytest.mark.parametrize("text", ['{"c": 3}', '{"a": 1} {"b": 2}', '{"a": 1, "b": 2} {"b": 2}', "[]"])
def test_verdicts_in_several_objects_are_none(text: str) -> None:
    with pytest.raises(JudgeRejected, match="parse"):
        parse_verdict(text, frozenset("ab"), some=True)
