"""Fixtures for all tests: the brokers, and a machine without variables of ours."""

import os

import pytest
from hypothesis import settings

from tests.brokers import _session_kafka, kafka, tansu

__all__ = ["_session_kafka", "kafka", "no_variables", "tansu"]

settings.register_profile("ragmon", deadline=None)  # a loaded machine takes longer than the 0.2 s of one example
settings.load_profile("ragmon")


@pytest.fixture
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of the machine plays a part in a configuration."""
    for name in [name for name in os.environ if name.upper().startswith("RAGMON_")]:
        monkeypatch.delenv(name)
