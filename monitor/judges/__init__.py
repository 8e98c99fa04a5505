"""Judges: what an answer is worth, with reasons; a failure is never a score.

`panel` asks them all: `embedded` (the default one, by `text` and `grounding`), `llm` (by `prompts`, `servers`, `limits`
and `replies`), `scanner` (by `safety`) and `reference`.
"""
