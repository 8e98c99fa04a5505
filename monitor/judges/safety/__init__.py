"""Deterministic safety scanners."""
