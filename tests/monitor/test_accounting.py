from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from monitor.accounting import STAGES, Accounting
from monitor.snapshot import OTHER, StageCount


def test_every_declared_counter_exists_before_the_first_record() -> None:
    counts = Accounting().counts()
    assert [count.stage for count in counts] == [spec.name for spec in STAGES]
    for count, spec in zip(counts, STAGES, strict=True):
        assert count.dropped == dict.fromkeys([*(reason.name for reason in spec.reasons), OTHER], 0)
        assert (count.unit, count.received, count.passed, count.held) == (spec.unit, 0, 0, 0)


def test_the_stages_are_the_verbs_of_the_design_in_its_order() -> None:
    verbs = ["source", "decode", "assemble", "extract", "sample", "judge", "emit", "hear", "harvest", "keep"]
    assert [spec.name for spec in STAGES] == verbs


def test_reasons_are_unique_in_their_stage_and_leave_other_to_the_account() -> None:
    for spec in STAGES:
        names = [reason.name for reason in spec.reasons]
        assert len(set(names)) == len(names)
        assert OTHER not in names


def test_an_account_tells_received_passed_dropped_and_held() -> None:
    accounting = Accounting(())
    stage = accounting.stage("decode", "records", ["dead_letter"])
    stage.received(5)
    stage.passed(2)
    stage.dropped("dead_letter")
    expected = StageCount("decode", "records", 5, 2, {"dead_letter": 1, "other": 0}, 2)
    assert accounting.counts() == (expected,)


def test_an_undeclared_reason_is_counted_as_other_and_does_not_grow_the_account() -> None:
    stage = Accounting(()).stage("decode", "records")
    for number in range(1000):
        stage.dropped(f"reason {number}")
    assert stage.count().dropped == {"other": 1000}


def test_a_stage_is_opened_once() -> None:
    accounting = Accounting()
    assert accounting.stage("decode") is accounting.stage("decode", "something else", ["more"])
    assert accounting.stage("decode").unit == "records"


def test_a_count_does_not_change_afterwards() -> None:
    accounting = Accounting()
    before = accounting.stage("decode").count()
    accounting.stage("decode").dropped("dead_letter")
    assert before.dropped["dead_letter"] == 0


def test_what_is_held_but_not_in_flight_is_a_problem() -> None:
    accounting = Accounting()
    accounting.stage("judge").received(3)
    assert accounting.problems({"judge": 3}) == []
    assert len(accounting.problems({"judge": 2})) == 1
    assert len(accounting.problems({})) == 1


def test_what_was_counted_out_twice_is_a_problem() -> None:
    accounting = Accounting()
    accounting.stage("emit").received()
    accounting.stage("emit").passed(2)
    assert accounting.problems({}) == ["emit: the counters say that -1 verdicts are held, 0 are in flight"]


def test_in_flight_of_a_stage_that_does_not_exist_is_a_problem() -> None:
    assert Accounting().problems({"judgment": 1}) == ["judgment: in flight, but no such stage"]


@given(st.lists(st.tuples(st.sampled_from(["received", "passed", "late", "?"]), st.integers(0, 5))))
def test_received_is_passed_plus_dropped_plus_held_at_any_moment(events: list[tuple[str, int]]) -> None:
    stage = Accounting(()).stage("assemble", "spans", ["late"])
    for event, n in events:
        match event:
            case "received":
                stage.received(n)
            case "passed":
                stage.passed(n)
            case reason:
                stage.dropped(reason, n)
        count = stage.count()
        assert count.received == count.passed + sum(count.dropped.values()) + count.held
