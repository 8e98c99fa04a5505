from __future__ import annotations

import gzip
import json
import time
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.errors import InputError
from monitor.offline.labels import Labels, read_labels
from monitor.offline.lines import MAX_LINE

CONTENT = {"question": "When?", "contexts": ["The desk closes at 18:00."], "answer": "At 18:00."}
VERDICT = {
    "id": "a",
    "evaluation": "faithfulness",
    "outcome": "scored",
    "reason": "",
    "score": 0.25,
    "label": "unfaithful",
    "judge": {"name": "llm", "fingerprint": "0123456789ab", "calibrated": False},
}


def read(path: Path, content: str | bytes, *, joined: bool = True) -> Labels:
    file = path / "labels"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_labels(str(file), "faithfulness", judged_elsewhere=joined)


def problems(path: Path, content: str | bytes, *, joined: bool = True) -> list[str]:
    with pytest.raises(InputError) as raised:
        read(path, content, joined=joined)
    return [line.removeprefix(f"{path}/labels:") for line in str(raised.value).splitlines()]


def by_id(labels: Labels) -> dict[str, dict[str, float]]:
    return {answer.id: answer.labels for answer in labels.answers}


def lines(*rows: object) -> str:
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)


# ------------------------------------------------------------------------------------------------------------ formats


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_csv_with_any_of_three_separators(tmp_path: Path, separator: str) -> None:
    text = "id,label\na,1\nb,0.5\n\nc,不忠实\n".replace(",", separator)
    assert by_id(read(tmp_path, text)) == {"a": {"": 1.0}, "b": {"": 0.5}, "c": {"": 0.0}}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("sep=|\nid|label\na|1\nb,c|0\n", 4),
        ("\ufeffSEP=;\r\n\r\nid;label\r\na;1\r\nb,c;0\r\n", 5),
        ('\n\nid,label\na,1\n"b,c",0\n', 5),
    ],
)
def test_a_line_that_tells_the_separator_and_blank_ones_may_stand_before_the_header(
    tmp_path: Path, text: str, line: int
) -> None:
    labels = read(tmp_path, text)
    assert by_id(labels) == {"a": {"": 1.0}, "b,c": {"": 0.0}}
    assert labels.answers[-1].line == line


@pytest.mark.parametrize("told", ['sep="', "sep="])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_that_tells_no_separator_that_can_be_one_is_told_as_a_wrong_header(
    tmp_path: Path, told: str, end: str
) -> None:
    (problem,) = problems(tmp_path, f"{told}{end}id,label{end}a,1{end}")
    assert problem.startswith("1: the header of the CSV file names no `label`")


def test_columns_are_found_whatever_their_case_and_annotators_keep_their_names(tmp_path: Path) -> None:
    assert by_id(read(tmp_path, "ID, Label_Anna ,LABEL_李\na,1,0\n")) == {"a": {"Anna": 1.0, "李": 0.0}}
    assert by_id(read(tmp_path, "Trace_ID,Annotator,Label\na,Anna,1\n")) == {"a": {"Anna": 1.0}}


def test_csv_of_a_spreadsheet_with_byte_order_mark_quotes_and_line_breaks(tmp_path: Path) -> None:
    text = (
        '\ufeffid,question,contexts,answer,label\r\n1,"When, and\r\nwhere?","[""One."", ""Two.""]","At ""18"".",yes\r\n'
    )
    (answer,) = read(tmp_path, text, joined=False).answers
    assert answer.row is not None
    assert answer.row.trace is not None
    assert answer.row.trace.question == "When, and\r\nwhere?"
    assert [passage.text for passage in answer.row.trace.contexts] == ["One.", "Two."]
    assert (answer.row.trace.answer, answer.labels) == ('At "18".', {"": 1.0})


def test_a_passage_that_is_no_list_is_one_passage(tmp_path: Path) -> None:
    (answer,) = read(tmp_path, "answer,contexts,label\nYes.,Only one.,1\n", joined=False).answers
    assert answer.row is not None
    assert answer.row.trace is not None
    assert [passage.text for passage in answer.row.trace.contexts] == ["Only one."]


def test_json_lines_with_content_are_rows_to_judge(tmp_path: Path) -> None:
    found = read(tmp_path, lines({**CONTENT, "id": 7, "label": True}, {**CONTENT, "label": 0}), joined=False)
    assert by_id(found) == {"7": {"": 1.0}, "line 2": {"": 0.0}}
    assert all(answer.row is not None and answer.row.trace is not None for answer in found.answers)


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_packed_file_is_read_as_a_plain_one(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    assert by_id(read(tmp_path, pack(b"id,label\na,1\n"))) == {"a": {"": 1.0}}


@pytest.mark.parametrize("key", ["id", "verdict_id", "case_id", "trace_id"])
def test_an_answer_is_named_by_any_of_its_ids(tmp_path: Path, key: str) -> None:
    assert by_id(read(tmp_path, lines({key: "x", "label": 1}))) == {"x": {"": 1.0}}


def test_a_number_and_its_digits_are_the_same_id(tmp_path: Path) -> None:
    assert by_id(read(tmp_path, lines({"id": 12, "label": 1}))) == by_id(read(tmp_path, "id,label\n12,1\n"))


# --------------------------------------------------------------------------------------------------------- annotators


def test_a_column_for_each_annotator_and_the_mean_of_them(tmp_path: Path) -> None:
    found = read(tmp_path, "id,label_1,label_2,label_bob\na,1,0,1\nb,,1,\n")
    assert by_id(found) == {"a": {"1": 1.0, "2": 0.0, "bob": 1.0}, "b": {"2": 1.0}}
    assert found.answers[0].label == pytest.approx(2 / 3)


def test_a_line_for_each_annotator(tmp_path: Path) -> None:
    found = read(tmp_path, "id,annotator,label\na,ann,1\nb,ann,0\na,bob,partial\nb,bob,\n")
    assert by_id(found) == {"a": {"ann": 1.0, "bob": 0.5}, "b": {"ann": 0.0}}


@pytest.mark.parametrize("name", ["ann", "Ann ", " ANN", "Ａｎｎ", "Ann\u200b"])
def test_an_annotator_is_one_person_however_the_name_is_written(tmp_path: Path, name: str) -> None:
    first = [{"id": "a", "annotator": "Ann", "label": 1}, {"id": "a", "annotator": "bob", "label": 0}]
    found = read(tmp_path, lines(*first, {"id": "b", "annotator": name, "label": 0}))
    assert by_id(found) == {"a": {"Ann": 1.0, "bob": 0.0}, "b": {"Ann": 0.0}}
    (told,) = problems(tmp_path, lines(*first, {"id": "a", "annotator": name, "label": 0}))
    assert told.startswith("3: the answer 'a' was labelled by Ann on line 1, too")


def test_two_columns_of_one_annotator_are_told(tmp_path: Path) -> None:
    assert problems(tmp_path, "id,label_Ann,label_ANN\na,1,0\n") == ["2: has two labels by 'Ann'"]


def test_a_label_that_stands_twice_in_an_object_is_told(tmp_path: Path) -> None:
    (told,) = problems(tmp_path, '{"id": "a", "label": 1, "label": 0}\n')
    assert told == "1: the key `label` stands twice in it; which one counts cannot be told"


def test_long_lines_may_repeat_the_content_but_not_change_it(tmp_path: Path) -> None:
    same = [{**CONTENT, "id": "a", "annotator": name, "label": 1} for name in ("ann", "bob")]
    assert by_id(read(tmp_path, lines(*same), joined=False)) == {"a": {"ann": 1.0, "bob": 1.0}}
    told = problems(tmp_path, lines(same[0], {**same[1], "answer": "At 19:00."}), joined=False)
    assert told == ["2: the answer 'a' has another content on line 1"]


def test_what_nobody_labelled_is_counted_and_left_out(tmp_path: Path) -> None:
    found = read(tmp_path, lines({"id": "a", "label": None}, {"id": "b", "label": ""}, {"id": "c", "label": 1}))
    assert (by_id(found), found.blank) == ({"c": {"": 1.0}}, 2)


# ------------------------------------------------------------------------------------------------------------- judges


def test_the_output_of_a_judge_gives_its_scores_as_labels(tmp_path: Path) -> None:
    failed = {**VERDICT, "id": "b", "outcome": "judge_error", "reason": "timeout", "score": None}
    found = read(tmp_path, lines(VERDICT, failed))
    assert (by_id(found), found.blank) == ({"a": {"llm": 0.25}}, 1)
    assert found.reference is not None
    assert (found.reference.name, found.reference.fingerprint) == ("llm", "0123456789ab")


def test_labels_that_people_added_to_the_output_of_a_judge_are_theirs(tmp_path: Path) -> None:
    found = read(tmp_path, lines({**VERDICT, "label_ann": 1}))
    assert (by_id(found), found.reference) == ({"a": {"ann": 1.0}}, None)


def test_labels_of_several_judges_or_of_people_and_a_judge_do_not_mix(tmp_path: Path) -> None:
    other = {**VERDICT, "id": "b", "judge": {"name": "llm", "fingerprint": "ba9876543210"}}
    assert problems(tmp_path, lines(VERDICT, other)) == [
        "2: labels of several judges do not mix: llm 0123456789ab, llm ba9876543210"
    ]
    assert problems(tmp_path, lines(VERDICT, {"id": "b", "label": 1})) == [
        "1: labels of people and of a judge do not mix"
    ]


def test_a_verdict_on_something_else_is_told(tmp_path: Path) -> None:
    told = problems(tmp_path, lines({**VERDICT, "evaluation": "safety.pii"}, {**VERDICT, "judge": None}))
    assert told == [
        "1: is a verdict on safety.pii, not on faithfulness",
        "2: is a verdict without its judge; it is no whole line of `ragmon judge`",
    ]


# ----------------------------------------------------------------------------------------------------------- problems


def test_every_problem_is_told_at_once_with_its_line(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "label": 1},
        {"id": "b", "label": 7},
        {"id": "c", "labell": 1},
        {"id": "a", "label": 0},
        {"label": 1},
        {"id": "d", "label_1": "maybe"},
    ]
    told = problems(tmp_path, lines(*rows) + "\n\n{\n[1]\n" + lines({"id": "e", "label": 1}))
    assert [line.partition(":")[0] for line in told] == ["2", "3", "4", "5", "6", "8", "9"]
    assert told[0] == "2: label: 7 is outside 0 to 1; a grade g of a to b is (g - a) / (b - a)"
    assert told[1].startswith("3: has no label; the key is `label`")
    assert told[2].startswith("4: the answer 'a' was labelled on line 1, too; name who labelled in `annotator`")
    assert told[3].startswith("5: has no id to join by")
    assert told[4].startswith("6: label_1: 'maybe' is no label")


def test_the_same_annotator_twice_is_told(tmp_path: Path) -> None:
    told = problems(tmp_path, "id,annotator,label\na,ann,1\nb,ann,1\na,ann,0\n")
    assert [line.partition(";")[0] for line in told] == ["4: the answer 'a' was labelled by ann on line 2, too"]


def test_without_another_file_each_answer_must_hold_what_can_be_judged(tmp_path: Path) -> None:
    told = problems(tmp_path, lines({"id": "a", "label": 1}, {**CONTENT, "answer": 3, "label": 1}), joined=False)
    assert told[0] == "1: has no answer to judge; add question, contexts and answer, or name a file with --rows"
    assert told[1].startswith("2: ")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"id,text\na,b\n", "1: the header of the CSV file names no `label`"),
        (b"id,label,label\na,1,1\n", "1: the header names label twice"),
        (b"id,label,Label\na,1,1\n", "1: the header names label twice"),
        (b"id,label\na,1\nb,1,2\nc\n", "3: has 3 cells, and the header 2"),
        (b'id,label\na,1\nb,"1\n', "3: is not CSV"),
        (b"id,label\n\xff\xfe,1\n", "is not UTF-8 text; save it as `CSV UTF-8`"),
        ("id,label\n甲,1\n".encode("utf-16"), "is not UTF-8 text"),
        (b'[{"id": 1, "label": 1}]', "1: is one JSON list; write one object a line"),
        (b"", "has no labelled answer"),
        (b"id,label\n", "has no labelled answer"),
        (gzip.compress(b"id,label\na,1\n", mtime=0)[:-6], "the input is damaged here"),
        (b'answer,contexts,label\nx,"[1",1\n', "2: contexts: is not a JSON list of passages"),
    ],
)
def test_a_file_that_is_none_is_told_in_words(tmp_path: Path, content: bytes, told: str) -> None:
    assert told in "\n".join(problems(tmp_path, content))


def test_a_row_of_any_length_is_bounded(tmp_path: Path) -> None:
    long = b"id,label\n" + b"x," * (MAX_LINE // 2)
    assert problems(tmp_path, long) == [f"2: is not CSV: a line has {MAX_LINE} characters or more"]


def test_very_many_columns_are_read_in_linear_time(tmp_path: Path) -> None:
    columns = ",".join(["label", *(f"column {number}" for number in range(50_000))]).encode()
    started = time.process_time()
    assert problems(tmp_path, columns + b"\n1\n") == [
        "2: has 1 cells, and the header 50001; put texts with separators or quotes in quotes"
    ]
    assert time.process_time() - started < 5  # by the square of them 30 s and more


def test_very_many_problems_are_told_in_part(tmp_path: Path) -> None:
    told = problems(tmp_path, lines(*({"id": n, "label": f"word {n}"} for n in range(120))))
    assert (len(told), told[-1]) == (51, "and 70 more")


def test_a_problem_of_many_lines_is_told_once_with_its_lines(tmp_path: Path) -> None:
    rows = ({"id": n, "label": "good" if n == 60 else "what?"} for n in range(1, 100))
    (told,) = problems(tmp_path, lines(*rows))
    assert told.startswith("1-59,61-99: ")


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_labels(str(tmp_path / "none"), "faithfulness", judged_elsewhere=True)


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
def test_whatever_a_file_holds_it_is_labels_or_a_told_problem(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp()
    try:
        found = read(path, b"id,label\n" + data)
    except InputError:
        return
    assert all(0.0 <= answer.label <= 1.0 for answer in found.answers)


@pytest.mark.parametrize("blank", ["", "\n", " \n\n\t"])
def test_a_file_of_blanks_has_no_labels(blank: str, tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_text(blank)
    with pytest.raises(InputError, match="has no labelled answer"):
        read_labels(str(path), "faithfulness", judged_elsewhere=False)
