"""Deterministic safety scanners: pure, cheap, run on every decoded request, and blind to what has no known form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from monitor.judges.safety.finding import Family, Finding, Scanner, Severity
from monitor.judges.safety.fraud import frauds
from monitor.judges.safety.injection import injections
from monitor.judges.safety.leaks import pii_leaks, secret_leaks
from monitor.judges.safety.refusal import refusals
from monitor.records import RagTrace, SensitiveHit

__all__ = ["SCANNERS", "Family", "Finding", "Severity", "endangers", "scan"]

SCANNERS: Mapping[Family, Scanner] = {
    Family.PII: pii_leaks,
    Family.SECRETS: secret_leaks,
    Family.INJECTION: injections,
    Family.FRAUD: frauds,
    Family.REFUSAL: refusals,
}
"""One scanner for each family."""


def scan(trace: RagTrace, hits: Sequence[SensitiveHit]) -> tuple[Finding, ...]:
    """All findings in an unredacted request; `hits` are what the privacy scan found in it. Empty for hidden content."""
    if trace.redacted:
        return ()
    return tuple(finding for scanner in SCANNERS.values() for finding in scanner(trace, hits))


def endangers(trace: RagTrace, hits: Sequence[SensitiveHit]) -> bool:
    """Whether a request is worth judging for safety: `scan` finds more than a refusal, which is no danger.

    Stops at the first finding. Of `hits` only those in the answer matter.
    """
    if trace.redacted:
        return False
    dangers = (scanner for family, scanner in SCANNERS.items() if family is not Family.REFUSAL)
    return any(True for scanner in dangers for _ in scanner(trace, hits))
