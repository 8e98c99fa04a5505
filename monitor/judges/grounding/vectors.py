"""How close in meaning a sentence comes to one sentence of the passages, by sentence vectors (all-MiniLM-L6-v2).

onnxruntime and tokenizers, which may be missing, are imported here and nowhere else. Nothing is downloaded. The encoder
knows English: cosines of other languages say little.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from monitor.judges.grounding.encoder import MODEL, TOKENIZER

Floats = NDArray[np.float32]
Whole = NDArray[np.int16]

MOST_TOKENS = 256
"""Tokens of a text that are read; few sentences have more than 100."""
MOST = 1 << 14
"""Texts whose vectors are remembered, in 15 MB; one more and all are forgotten: that costs time, never a result."""
_WIDTH = 384
_AT_ONCE = 16
"""Texts that the model reads together, in half the time that they take one by one."""
_SCALE = 4000
"""Vectors are kept as whole numbers of this many to one: products add up to less than 2**24, which float32 holds
exactly, so a cosine depends neither on the order of the passages nor on how a matrix product is cut into blocks."""


class Stopped(Exception):  # noqa: N818 - nothing is wrong
    """Nobody waits for the vectors any more."""


class Vectors:
    """Vectors of texts, remembered by content. Safe to use from several threads."""

    def __init__(self, most: int = MOST) -> None:
        """Reads 23 MB in 0.2 s. Raises ConfigError where a package is missing or holds another file than expected."""
        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(MODEL.read(), options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_str(TOKENIZER.read().decode())
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MOST_TOKENS)
        self._most = most
        self._known: dict[bytes, Whole] = {}
        self._lock = threading.Lock()

    def nearest(self, claims: Sequence[str], sentences: Sequence[str], stopped: Callable[[], bool]) -> Floats:
        """For each claim the cosine with the sentence that comes closest, 0 to 1; 0 without any sentence.

        Another sentence never lowers it. Raises Stopped within a batch of when `stopped` says so.
        """
        if not claims or not sentences:
            return np.zeros(len(claims), np.float32)
        found = self.of([*claims, *sentences], stopped).astype(np.float32)
        closest = (found[: len(claims)] @ found[len(claims) :].T).max(axis=1)
        return np.asarray(np.clip(closest / _SCALE**2, 0.0, 1.0), np.float32)

    def of(self, texts: Sequence[str], stopped: Callable[[], bool]) -> Whole:
        """A row for each text."""
        plain = [text.encode("utf-8", "replace") for text in texts]  # half a surrogate pair is no text
        keys = [hashlib.blake2b(text, digest_size=16).digest() for text in plain]
        with self._lock:
            known = {key: self._known[key] for key in keys if key in self._known}
        new = {key: text.decode() for key, text in zip(keys, plain, strict=True) if key not in known}
        read = sorted(
            ((key, self._tokenizer.encode(text)) for key, text in new.items()), key=lambda one: len(one[1].ids)
        )
        for start in range(0, len(read), _AT_ONCE):
            if stopped():
                raise Stopped
            part = read[start : start + _AT_ONCE]
            vectors = dict(zip((key for key, _ in part), self._encode([encoding for _, encoding in part]), strict=True))
            known |= vectors
            self._remember(vectors)
        return np.array([known[key] for key in keys], np.int16).reshape(-1, _WIDTH)

    def _remember(self, vectors: dict[bytes, Whole]) -> None:
        with self._lock:
            if len(self._known) + len(vectors) > self._most:
                self._known.clear()
            self._known |= vectors

    def _encode(self, texts: Sequence[Encoding]) -> Whole:
        """The mean of each text's token vectors, of length 1. Padding changes none, which a test holds."""
        shape = len(texts), max(len(text.ids) for text in texts)
        ids, mask = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        for row, text in enumerate(texts):
            ids[row, : len(text.ids)] = text.ids
            mask[row, : len(text.ids)] = 1
        fed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (states,) = self._session.run(["last_hidden_state"], fed)
        means = (states * mask[:, :, None]).sum(axis=1, dtype=np.float64)  # a sum: its length does not matter
        means /= np.linalg.norm(means, axis=1, keepdims=True)
        return np.asarray(np.round(means * _SCALE), np.int16)


@cache
def load() -> Vectors:
    """The vectors of this process: judges share what they remember."""
    return Vectors()
