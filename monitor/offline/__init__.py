"""The commands that need no Kafka, one file each: extract, judge, replay, dataset."""

OK, FAILED, WRONG_INPUT = 0, 1, 2
"""Exit codes."""
