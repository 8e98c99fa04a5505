"""Judges: what an answer is worth, with reasons; a failure is never a score."""
