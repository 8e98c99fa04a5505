"""Sensitive text: finding it, saying where it came from, replacing it."""
