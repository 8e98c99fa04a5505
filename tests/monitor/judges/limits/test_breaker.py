from __future__ import annotations

import random

import pytest

from monitor.judges.limits.breaker import IN_A_ROW, LONGEST_PERMANENT_PAUSE_S, Breaker, Change
from monitor.judges.reasons import PERMANENT, Reason
from monitor.operational import BreakerState


def breaker() -> Breaker:
    return Breaker(random.Random(7))


def fail(circuit: Breaker, now: float, reason: Reason = Reason.SERVER_ERROR, wish: float = 0.0) -> Change | None:
    ticket = circuit.admit(now)
    assert ticket is not None
    return circuit.failed(ticket, reason, wish, now)


def succeed(circuit: Breaker, now: float) -> Change | None:
    ticket = circuit.admit(now)
    assert ticket is not None
    return circuit.succeeded(ticket)


def opened(now: float = 0.0) -> tuple[Breaker, Change]:
    circuit = breaker()
    changes = [fail(circuit, now) for _ in range(IN_A_ROW)]
    assert changes[:-1] == [None] * (IN_A_ROW - 1)
    change = changes[-1]
    assert change is not None
    return circuit, change


def test_failures_in_a_row_open_it_for_a_pause_with_jitter() -> None:
    circuit, change = opened()
    assert (change.state, change.reason) == (BreakerState.OPEN, "server_error")
    assert 2.5 <= change.pause_s <= 5.0
    assert circuit.admit(change.pause_s - 0.01) is None


def test_a_few_failures_among_successes_leave_it_closed() -> None:
    circuit = breaker()
    for index in range(300):
        change = fail(circuit, index) if index % 10 > 2 else succeed(circuit, index)
        assert change is None
    assert circuit.state is BreakerState.CLOSED


def test_a_single_probe_decides() -> None:
    circuit, change = opened()
    probe = circuit.admit(change.pause_s)
    assert (circuit.state, circuit.admit(change.pause_s)) == (BreakerState.HALF_OPEN, None)
    assert probe is not None
    assert circuit.succeeded(probe) == Change(BreakerState.CLOSED, "server_error")
    assert (circuit.reason, circuit.admit(change.pause_s) is not None) == ("", True)


def test_the_pause_doubles_up_to_half_a_minute() -> None:
    circuit, change = opened()
    now, pauses = 0.0, [change.pause_s]
    for _ in range(8):
        now += pauses[-1]
        again = fail(circuit, now)
        assert again is not None
        pauses.append(again.pause_s)
    longest = [5.0, 10.0, 20.0] + [30.0] * 6
    assert all(most / 2 <= pause <= most for pause, most in zip(pauses, longest, strict=True))


def test_after_a_recovery_the_pause_is_short_again() -> None:
    circuit, change = opened()
    fail(circuit, 10.0)
    succeed(circuit, 100.0)
    changes = [fail(circuit, 200.0) for _ in range(IN_A_ROW)]
    assert changes[-1] is not None
    assert changes[-1].pause_s <= 5.0
    assert change.pause_s <= 5.0


@pytest.mark.parametrize("reason", sorted(PERMANENT))
def test_what_a_person_must_mend_opens_it_at_once_and_is_tried_at_growing_intervals(reason: Reason) -> None:
    circuit, now, pauses = breaker(), 0.0, []
    for _ in range(12):
        change = fail(circuit, now, reason)
        assert change is not None
        assert (change.state, change.reason, circuit.reason) == (BreakerState.OPEN, reason, reason)
        assert circuit.admit(now + change.pause_s - 0.01) is None
        now += change.pause_s
        pauses.append(change.pause_s)
    longest = [min(LONGEST_PERMANENT_PAUSE_S, 5.0 * 2**failed) for failed in range(12)]
    assert all(most / 2 <= pause <= most for pause, most in zip(pauses, longest, strict=True))
    assert succeed(circuit, now) == Change(BreakerState.CLOSED, reason)


def test_the_servers_own_wish_is_the_shortest_pause() -> None:
    circuit = breaker()
    for _ in range(IN_A_ROW - 1):
        fail(circuit, 0.0, Reason.RATE_LIMITED)
    change = fail(circuit, 0.0, Reason.RATE_LIMITED, wish=55.0)
    assert change is not None
    assert change.pause_s == 55.0


def test_results_from_before_a_change_are_ignored() -> None:
    circuit = breaker()
    late = [circuit.admit(0.0) for _ in range(3)]
    for _ in range(IN_A_ROW):
        fail(circuit, 0.0)
    probe = circuit.admit(100.0)
    assert all(ticket is not None and circuit.succeeded(ticket) is None for ticket in late)
    assert circuit.state is BreakerState.HALF_OPEN
    assert probe is not None
    assert circuit.succeeded(probe) is not None


def test_a_probe_that_says_nothing_lets_another_one_try() -> None:
    circuit, _ = opened()
    probe = circuit.admit(50.0)
    assert probe is not None
    circuit.unknown(probe)
    assert circuit.state is BreakerState.OPEN
    assert circuit.admit(50.0) is not None
