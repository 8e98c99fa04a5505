"""Bytes of one encoding to spans or requests: one file each, one registry."""
