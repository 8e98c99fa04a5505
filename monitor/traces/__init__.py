"""Bytes to RagTrace: decode, assemble, extract."""
