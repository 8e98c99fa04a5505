"""Evaluations with a reference at hand: the question is one of a golden file, which says what is right."""
