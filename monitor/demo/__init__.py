"""The demo: a local broker, a small but real RAG service that starts to invent facts, and ragmon watching it."""
