"""`ragmon judge`: one verdict a row, in order, whatever the rows are."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from monitor.config.settings import Privacy
from monitor.judges.panel import Panel, PanelMember
from monitor.offline.bench import Bench, JudgingTask
from monitor.offline.rows import Row
from monitor.privacy.redactor import Redactor
from monitor.records import RagTrace
from tests import virtual_time
from tests.fakes import ScriptedJudge
from tests.judge_server import Canned, JudgeServer
from tests.monitor.offline.judging import dead_shadow
from tests.monitor.terminal import Ended, ragmon, spawn
from tests.virtual_time import VirtualClock

GOOD = {"id": 1, "question": "When?", "contexts": ["The desk closes at 18:00."], "answer": "The desk closes at 18:00."}
BAD = {**GOOD, "id": 2, "answer": "Forty-two purple dragons sing."}
KEYS = {"id", "evaluation", "outcome", "reason", "score", "label", "explanation", "evidence"}


def judge(path: Path, *rows: object, evaluation: str = "faithfulness", options: tuple[str, ...] = ()) -> Ended:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path = path / "rows.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return ragmon("judge", "--evaluation", evaluation, path, *options)


def remote(folder: Path, server: JudgeServer, more: str = "retries: 0") -> Path:
    """A configuration with one judge behind a server."""
    file = folder / "ragmon.yaml"
    file.write_text(f"judges: [{{type: llm, base_url: '{server.url}', model: m, allow_private: true, {more}}}]\n")
    return file


def verdicts(ended: Ended) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ended.out.splitlines()]


def test_each_row_gets_its_verdict_with_evidence(tmp_path: Path) -> None:
    ended = judge(tmp_path, GOOD, BAD)
    good, bad = verdicts(ended)
    assert (ended.code, ended.err) == (0, "")
    assert good.keys() >= KEYS
    assert (good["id"], good["outcome"], good["label"], bad["id"], bad["label"]) == (
        1,
        "scored",
        "faithful",
        2,
        "unfaithful",
    )
    assert good["score"] > 0.9
    assert bad["score"] < 0.1
    assert [item["label"] for item in bad["evidence"]] == ["unsupported"]
    assert BAD["answer"] in bad["explanation"]


def test_rows_that_cannot_be_read_are_told_with_their_line_and_have_a_verdict_that_says_so(tmp_path: Path) -> None:
    ended = judge(tmp_path, GOOD, "", "{", "[1]", {"id": "x", "answer": 3}, BAD)
    found = verdicts(ended)
    assert ended.code == 1
    assert [item["id"] for item in found] == [1, None, None, "x", 2]
    assert [item["reason"] for item in found] == ["", *["unreadable_row"] * 3, ""]
    assert {item["score"] for item in found[1:4]} == {None}
    assert {tuple(item) for item in found} == {tuple(found[0])}
    nobody: dict[str, object] = {
        "judge": None,
        "coverage": None,
        "flags": [],
        "cause": "",
        "cause_evidence": "",
        "language": None,
    }
    assert all(item | nobody == item for item in found[1:4])
    lines = [line.removeprefix(f"{tmp_path}/rows.jsonl:").partition(":")[0] for line in ended.told]
    assert lines == ["3", "4", "5"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"id": 1}, "no_answer"),
        ({"id": 1, "answer": "Yes.", "contexts": []}, "no_context"),
        ({"id": 1, "answer": "Yes."}, "unknown_context"),
        ({"id": 1, "answer": "I don't know.", "contexts": ["x"]}, "abstention"),
        ({"id": 1, "answer": "HIDDEN:non-empty", "contexts": ["HIDDEN:non-empty"]}, "hidden_content"),
        ({**GOOD, "question": "[REDACTED]"}, "hidden_content"),
        ({**GOOD, "contexts": ["[REDACTED]", "The desk closes at 18:00."]}, "incomplete_input"),
    ],
)
def test_what_cannot_be_scored_says_why(tmp_path: Path, row: dict[str, object], reason: str) -> None:
    ended = judge(tmp_path, row, GOOD)
    verdict, _ = verdicts(ended)
    assert (ended.code, verdict["outcome"], verdict["reason"], verdict["score"]) == (0, "not_scorable", reason, None)


@pytest.mark.parametrize("given", [None, 0, "a", ["x"], {"k": 1}, 1.5])
def test_an_id_comes_back_as_it_was_given(tmp_path: Path, given: object) -> None:
    (verdict,) = verdicts(judge(tmp_path, {**GOOD, "id": given, "trace_id": "other"}))
    assert verdict["id"] == given


def test_a_row_without_an_id_is_called_by_its_case_or_trace(tmp_path: Path) -> None:
    row = {key: value for key, value in GOOD.items() if key != "id"}
    found = verdicts(judge(tmp_path, row, row | {"trace_id": "t"}, row | {"trace_id": "t", "case_id": "c"}))
    assert [item["id"] for item in found] == [None, "t", "c"]


def test_rows_of_which_none_can_be_read_end_with_2(tmp_path: Path) -> None:
    assert judge(tmp_path, "{", "[1]").code == 2


def test_a_table_is_told_once_where_it_belongs(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("id,question,answer\n1,Q,A\n", encoding="utf-8")
    ended = ragmon("judge", "--evaluation", "faithfulness", str(table))
    hinted = ["CSV is for the labels of `ragmon calibrate`" in line for line in ended.told]
    assert (ended.code, ended.out, hinted) == (2, "", [True])


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\n{\n\x10\x00\x01", "is no text; rows are JSON lines"),
        ('{"id": 1}'.encode("utf-16"), "is UTF-16 text; save it as UTF-8"),
    ],
)
@pytest.mark.parametrize("command", [("judge", "--evaluation", "faithfulness"), ("judge", "audit")])
def test_what_is_no_text_ends_at_once(tmp_path: Path, content: bytes, told: str, command: tuple[str, ...]) -> None:
    file = tmp_path / "rows.pb"
    file.write_bytes(content * 50)
    ended = ragmon(*command, file)
    assert (ended.code, ended.out, len(ended.told)) == (2, "", 1)
    assert told in ended.told[0]


def test_the_same_complaint_of_many_rows_is_one_line(tmp_path: Path) -> None:
    ended = judge(tmp_path, *[{"answer": 3}] * 40, GOOD, {"answer": 3})
    assert (ended.code, len(verdicts(ended))) == (1, 42)
    assert ended.told == [f"{tmp_path}/rows.jsonl:1-40,42: answer: is a number, and should be a text"]


MISSPELT = {"id": "1", "question": "When?", "context": ["Open at 9."], "anwser": "At 9."}


@pytest.mark.parametrize("command", [("judge", "--evaluation", "faithfulness"), ("judge", "audit")])
def test_keys_that_no_row_has_are_told_with_those_that_look_like_them(tmp_path: Path, command: tuple[str, ...]) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(f"{json.dumps(MISSPELT)}\n" * 3, encoding="utf-8")
    ended = ragmon(*command, file)
    assert (ended.code, len(ended.told)) == (2, 1)
    assert ended.told[0] == (
        f"{file}: no row has `contexts` or `answer`; the keys of the first are anwser, context, id, question; "
        "did you mean `contexts` by `context`, `answer` by `anwser`?"
    )


@pytest.mark.parametrize("other", [GOOD, {**MISSPELT, "answer": "", "contexts": []}])
def test_a_key_that_one_row_has_is_known(tmp_path: Path, other: dict[str, object]) -> None:
    ended = judge(tmp_path, MISSPELT, other)
    assert (ended.code, ended.err) == (0, "")


def test_only_what_the_evaluation_needs_is_missed(tmp_path: Path) -> None:
    ended = judge(tmp_path, {"reply": "Hi."}, evaluation="safety.pii")
    hint = "the keys of the first are reply; did you mean `answer` by `reply`?"
    assert ended.told == [f"{tmp_path}/rows.jsonl: no row has `answer`; {hint}"]


def test_a_judge_that_fails_on_every_row_ends_with_1_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps(GOOD))
    config = dead_shadow(tmp_path)
    ended = ragmon("judge", "--evaluation", "faithfulness", "--judge", "gpt", "-c", config, tmp_path / "rows.jsonl")
    assert ended.code == 1
    address = json.loads(config.read_text())["judges"][1]["base_url"].removesuffix("/v1")
    why = f"no connection to {address} (judges[1].base_url), or it broke before the reply was whole"
    assert ended.told[-1] == f"no row has a score: 1 judge_error{{connect}}; {why}"
    assert verdicts(ended)[0]["explanation"] == why


def test_a_judge_that_gives_no_score_at_all_ends_with_1_however_it_came_to_that(tmp_path: Path) -> None:
    decline = {**GOOD, "answer": "I don't know."}
    with JudgeServer([Canned.error(401, {"message": "x", "code": "invalid_api_key"})]) as server:
        ended = judge(tmp_path, decline, *[GOOD] * 70, options=("-c", str(remote(tmp_path, server))))
    ends = Counter((item["outcome"], item["reason"]) for item in verdicts(ended))
    assert ends["not_scorable", "abstention"] == 1
    assert ends["judge_error", "auth"] + ends["skipped", "circuit_open"] == 70
    assert ends["skipped", "circuit_open"] > 0
    assert ended.code == 1
    address = server.url.removesuffix("/v1")
    assert ended.told[-1].startswith("no row has a score: ")
    assert ended.told[-1].endswith(
        f"{address} (judges[0].base_url) does not take the key: see `api_key` (status 401, invalid_api_key)"
    )
    paused = {item["explanation"] for item in verdicts(ended) if item["reason"] == "circuit_open"}
    assert paused == {f"not asked for now: {address} (judges[0].base_url) does not take the key: see `api_key`"}


def test_rows_that_a_limit_of_money_leaves_out_are_told_in_one_line(tmp_path: Path) -> None:
    rows = [{**GOOD, "id": number, "question": f"When, {number}?"} for number in range(30)]
    with JudgeServer() as server:
        more = "cost_per_day: 0.02, input_price: 1, output_price: 1"
        ended = judge(tmp_path, *rows, options=("-c", str(remote(tmp_path, server, more))))
    left_out = [item["explanation"] for item in verdicts(ended) if item["reason"] == "over_budget"]
    assert set(left_out) == {"not asked, as one more call could pass the judge's own `cost_per_day`"}
    assert 0 < len(left_out) < 30
    count = len(left_out)
    assert (ended.code, ended.told[-1]) == (
        0,
        f"{count} of 30 rows have no score: {count} skipped{{over_budget}}; {left_out[0]}",
    )


def test_a_judge_that_has_nothing_to_score_ends_with_0(tmp_path: Path) -> None:
    with JudgeServer([Canned.chat(json.dumps({"claims": [], "claim_count": 0}))]) as server:
        ended = judge(tmp_path, {**GOOD, "answer": "Hello!"}, options=("-c", str(remote(tmp_path, server))))
    assert (ended.code, verdicts(ended)[0]["outcome"]) == (0, "not_scorable")


@pytest.mark.parametrize(("calls", "name"), [("apart", "completeness"), ("together", "evaluations")])
def test_only_the_call_of_the_evaluation_is_made(calls: str, name: str, tmp_path: Path) -> None:
    more = (
        f"evaluations: [faithfulness, completeness, safety.harm, correctness], structured: json_schema, calls: {calls}"
    )
    with JudgeServer([Canned.chat("{}")]) as server:
        options = ("-c", str(remote(tmp_path, server, more)))
        judge(tmp_path, {**GOOD, "reference": "18:00"}, evaluation="completeness", options=options)
    assert [body["response_format"]["json_schema"]["name"] for body in server.bodies] == [name]


def test_which_of_several_judges_is_asked_is_said(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps(GOOD))
    ended = ragmon("judge", "--evaluation", "faithfulness", "-c", dead_shadow(tmp_path), tmp_path / "rows.jsonl")
    assert ended.told == ["faithfulness is judged by embedded; --judge takes gpt instead"]


def test_an_evaluation_that_only_a_shadow_gives_is_told_with_the_shadow(tmp_path: Path) -> None:
    config = tmp_path / "ragmon.yaml"
    config.write_text("judges: [{type: scanner}, {type: embedded, shadow_of: scanner}]")
    (told,) = judge(tmp_path, GOOD, options=("-c", str(config))).told
    only = "only judges that run beside another one give it; --judge embedded does"
    assert told == f"--evaluation faithfulness: {only}"


def test_another_evaluation_is_chosen_by_name(tmp_path: Path) -> None:
    ended = judge(tmp_path, {"answer": "Your key is AKIAIOSFODNN7EXAMPLE."}, evaluation="safety.secrets")
    (verdict,) = verdicts(ended)
    assert (verdict["evaluation"], verdict["score"], verdict["label"]) == ("safety.secrets", 0.0, "unsafe")


def test_no_rows_give_no_verdicts() -> None:
    ended = spawn("judge", "--evaluation", "faithfulness", stdin=b"\n")
    assert (ended.code, ended.out, ended.err) == (0, "", "")


def test_a_remote_judge_gets_the_redacted_row_and_is_chosen_by_its_name(tmp_path: Path) -> None:
    config = tmp_path / "ragmon.yaml"
    with JudgeServer() as server:
        config.write_text(
            f"judges: [{{type: embedded}}, {{type: llm, base_url: '{server.url}', model: m, allow_private: true}}]\n"
        )
        row = {**GOOD, "answer": "The desk closes at 18:00. Write to bob@example.com."}
        ended = judge(tmp_path, row, options=("--judge", "llm", "-c", str(config)))
        sent = json.dumps(server.bodies)
    (verdict,) = verdicts(ended)
    assert (verdict["outcome"], verdict["judge"]["name"], len(verdict["evidence"])) == ("scored", "llm", 2)
    assert "bob@example.com" not in sent
    assert "18:00" in sent


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from([None, 0.0, 0.5, 9.0]), max_size=150))
@example([9.0, *[0.0, None, 0.5] * 50])
def test_verdicts_come_in_the_order_of_the_rows_whatever_each_takes(delays: list[float | None]) -> None:
    running = most = 0

    async def score(trace: RagTrace) -> float:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(delays[int(trace.trace_id)] or 0)
        running -= 1
        return 1.0

    rows = [Row(n, None if delay is None else RagTrace(f"{n}", "", "Q", "A"), "bad") for n, delay in enumerate(delays)]
    written: list[tuple[object, object]] = []

    async def main(clock: VirtualClock) -> None:
        panel = Panel([PanelMember(ScriptedJudge(score), 1)], clock)
        task = JudgingTask(Bench(panel, Redactor(Privacy(), None), 60.0), "faithfulness")
        await task.run(iter(rows), lambda row, line: written.append((row.id, line["outcome"])))

    virtual_time.run(main)
    assert written == [(n, "not_scorable" if delay is None else "scored") for n, delay in enumerate(delays)]
    assert most <= 64


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"question": 5, "answer": "x"}, "question: is a number, and should be a text"),
        ({"answer": "x", "contexts": {"text": "one"}}, "contexts: is an object, and should be a list"),
        ({"answer": {}}, "answer: is an object, and should be a text"),
    ],
)
def test_a_field_of_a_wrong_type_is_told_in_plain_words(row: dict[str, object], problem: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row))
    ended = ragmon("judge", "--evaluation", "faithfulness", path)
    assert (ended.code, ended.told) == (2, [f"{path}:1: {problem}"])


def test_a_row_with_keys_of_others_says_which_are_expected_and_which_it_has(tmp_path: Path) -> None:
    other = {"query": "When?", "documents": ["The desk closes at 18:00."], "response": "The desk closes at 18:00."}
    has = "rows are {id, question, contexts, answer}, and this one has query, documents, response"
    assert verdicts(judge(tmp_path, GOOD, other))[1]["explanation"] == (
        f"has no `answer`; {has}; did you mean `answer` by `response`?"
    )
    assert verdicts(judge(tmp_path, GOOD, {**other, "answer": "At 18:00."}))[1]["explanation"] == (
        f"has no `contexts`; {has}, answer; did you mean `contexts` by `documents`?"
    )


def test_what_is_not_scorable_is_never_without_a_word(tmp_path: Path) -> None:
    blank, declined = {**GOOD, "answer": " "}, {**GOOD, "answer": "I don't know."}
    said = [item["explanation"] for item in verdicts(judge(tmp_path, blank, declined, GOOD))]
    assert said[:2] == ["there is no answer on the wire", "the answer only says that it cannot answer"]


@pytest.mark.parametrize("contexts", ["The desk closes at 18:00.", ["The desk closes at 18:00."]])
def test_one_passage_may_stand_as_a_text(tmp_path: Path, contexts: object) -> None:
    [found] = verdicts(judge(tmp_path, {**GOOD, "contexts": contexts}))
    assert found == verdicts(judge(tmp_path, GOOD))[0]


def test_a_blank_text_is_no_known_passage(tmp_path: Path) -> None:
    found = verdicts(judge(tmp_path, GOOD, {**GOOD, "contexts": " "}))[1]
    assert (found["outcome"], found["reason"]) == ("not_scorable", "unknown_context")


def test_what_an_endpoint_is_told_by_has_no_path_and_no_query(tmp_path: Path) -> None:
    with JudgeServer([Canned.error(401, {"message": "x", "code": "invalid_api_key"})]) as server:
        config = remote(tmp_path, server)
        config.write_text(config.read_text().replace(server.url, f"{server.url}?key=hidden"))
        [found] = verdicts(judge(tmp_path, GOOD, options=("-c", str(config))))
    assert found["explanation"].startswith(
        f"{server.url.removesuffix('/v1')} (judges[0].base_url) does not take the key"
    )
    assert "hidden" not in found["explanation"]
