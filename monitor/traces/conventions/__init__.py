"""How LLM applications are written into spans: one file for each convention, and the registry."""
