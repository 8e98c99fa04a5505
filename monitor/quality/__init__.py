"""Verdicts to Snapshot: windows, estimators, intervals, slices."""
