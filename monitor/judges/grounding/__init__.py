"""Risk of one sentence: what it says against what the passages say, by boosted trees whose signs are fixed."""
