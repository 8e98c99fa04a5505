"""How each tracing convention spells a RAG request: one file each, one registry."""
