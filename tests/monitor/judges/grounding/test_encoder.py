"""What is said where the extra `embeddings` is missing or another version; needs none of it."""

import hashlib
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

from monitor.config.judges import EmbeddedJudge as EmbeddedSettings
from monitor.errors import ConfigError
from monitor.judges.embedded import EmbeddedJudge, identity_of
from monitor.judges.grounding.encoder import File
from tests.fakes import FakeClock

PATH = "msgspec/__init__.py"
HERE = Path(str(distribution("msgspec").locate_file(PATH))).read_bytes()
EXTRA = r"ragmon\[embeddings\]"


def test_a_file_is_read_when_it_is_the_expected_one() -> None:
    assert File("msgspec", PATH, hashlib.sha256(HERE).hexdigest()).read() == HERE


@pytest.mark.parametrize(
    ("file", "told"),
    [
        (File("msgspec", PATH, "0" * 64), "another version"),
        (File("msgspec", "msgspec/absent.onnx", "0" * 64), "msgspec is missing"),
        (File("no-such-package-of-ours", PATH, "0" * 64), "no-such-package-of-ours is missing"),
    ],
)
def test_any_other_file_is_refused_by_naming_the_extra(file: File, told: str) -> None:
    with pytest.raises(ConfigError, match=EXTRA) as refused:
        file.read()
    assert told in str(refused.value)


def test_a_judge_with_embeddings_needs_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "monitor.judges.grounding.vectors", raising=False)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)  # as if it were missing
    with pytest.raises(ConfigError, match=EXTRA):
        EmbeddedJudge(EmbeddedSettings(embeddings=True), FakeClock())


def test_embeddings_are_off_by_default_and_score_as_a_series_of_their_own() -> None:
    assert not EmbeddedSettings().embeddings
    plain, with_vectors = (identity_of("embedded", embeddings=asked) for asked in (False, True))
    assert plain == identity_of("embedded")
    assert plain.name == with_vectors.name
    assert plain.fingerprint != with_vectors.fingerprint
