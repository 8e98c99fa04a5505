"""Fixtures for all tests: the brokers."""

from tests.brokers import _session_kafka, kafka, tansu

__all__ = ["_session_kafka", "kafka", "tansu"]
