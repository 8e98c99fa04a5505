"""Any script, and what no script has, through every path: encoding, request, judge, messages, table, terminal."""

from __future__ import annotations

import asyncio
import io
import json
import re
from pathlib import Path

import pytest

from exporters.dataset import DeltaSampleSet
from exporters.labels import clean
from exporters.messages import decode_case, decode_verdict, encode_case, encode_verdict
from monitor.config.judges import EmbeddedJudge as EmbeddedSettings
from monitor.config.settings import Settings
from monitor.judges.embedded import EmbeddedJudge
from monitor.offline.explain import main
from monitor.records import Outcome, RagTrace, TopicPartition
from monitor.traces.decode import make_decoder
from tests import virtual_time
from tests.fakes import FakeSource
from tests.monitor.streams import Rig, entry, otlp, record, retrieval
from tests.monitor.traces.decode.encoders import ENCODERS
from tests.virtual_time import VirtualClock

TRACE = "f" * 32
HALF, NUL = "~~~", "^^^"
"""Stand for half an emoji and for NUL until the records are encoded: no text of ours can hold them before."""
SCRIPTS = {
    "chinese": "青岚茶馆周一营业吗",
    "japanese": "駅は何時に開きますか、ゴー",
    "korean": "역은 언제 열리나요",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 🚲 e\u0301",
    "arabic": "متى تفتح المحطات؟ \u202b123\u202c",
    "hebrew": "מתי נפתחות התחנות \u200f!",
    "hindi": "स्टेशन कब खुलते हैं",
    "astral": "𝔘𝔫𝔦 𠜎 \U0010fffd",
    "controls": "a\u0085b\u2028c\u2029d\ufeffe\x7f",
    "half": f"bike {HALF} and more",
    "nul": f"bike {NUL} and more",
}


def damaged(value: bytes) -> bytes:
    """The record with half an emoji and NUL, as a careless writer spells them."""
    if value[:1] in b"{[":
        return value.replace(HALF.encode(), rb"\ud83d").replace(NUL.encode(), rb"\u0000")
    return value.replace(HALF.encode(), b"\xed\xa0\xbd").replace(NUL.encode(), b"\x00" * 3)


def mended(text: str | None) -> str:
    """What must come out, however many U+FFFD stand for one piece of damage."""
    return re.sub("\ufffd+", "\ufffd", (text or "").replace(HALF, "\ufffd").replace(NUL, "\ufffd"))


def texts(text: str) -> tuple[str, str, str]:
    """Question, answer and passage."""
    return f"Q {text} one?", f"A {text} two.", f"P {text} two three."


def records(encoding: str, text: str) -> list[bytes]:
    question, answer, passage = texts(text)
    if encoding == "plain":
        fields = {
            "trace_id": TRACE,
            "question": question,
            "answer": answer,
            "contexts": [passage],
            "app": f"shop {text}",
        }
        return [damaged(json.dumps(fields, ensure_ascii=False).encode())]
    value = otlp(entry(TRACE, question, answer), retrieval(TRACE, passage), service=f"shop {text}")
    spans = make_decoder("otlp_json").decode(value).spans
    return [damaged(one) for one in ENCODERS[encoding](spans)]


def judged(encoding: str, text: str) -> Rig:
    """The request through the pipeline, with the real judge."""
    source = FakeSource([record(value, offset) for offset, value in enumerate(records(encoding, text))])

    async def through(clock: VirtualClock) -> Rig:
        rig = Rig(source, clock, [EmbeddedJudge(EmbeddedSettings(), clock)])
        await rig.pipeline.run(asyncio.Event())
        rig.check()
        return rig

    return virtual_time.run(through)


def said(trace: RagTrace) -> tuple[str, ...]:
    return tuple(map(mended, (trace.question, trace.answer, *(passage.text for passage in trace.contexts))))


@pytest.mark.parametrize("encoding", [*ENCODERS, "plain"])
def test_every_script_comes_through_to_verdict_case_and_label(encoding: str) -> None:
    for name, text in SCRIPTS.items():
        rig = judged(encoding, text)
        (case,), (verdict,) = rig.cases.items, rig.verdicts.items
        assert said(case.trace) == tuple(map(mended, texts(text))), name
        assert verdict.outcome is Outcome.SCORED, (name, verdict)
        assert said(decode_case(encode_case(case)).trace) == said(case.trace)
        assert decode_verdict(encode_verdict(verdict)) == verdict
        label = clean(verdict.app)
        assert label.encode()
        assert "\x00" not in label
        assert rig.dead_letters.items == []


def test_every_script_is_kept_in_the_table(tmp_path: Path) -> None:
    cases = [judged("otlp_proto", text).cases.items[0] for text in SCRIPTS.values()]
    for number, case in enumerate(cases):
        sample_set = DeltaSampleSet(str(tmp_path / str(number)))
        assert sample_set.append([case], {TopicPartition("rag.cases", 0): 1}) == 1
        (row,) = sample_set.read()
        assert (row["question"], row["answer"]) == (case.trace.question, case.trace.answer)


@pytest.mark.parametrize("as_json", [False, True], ids=["tree", "json"])
def test_every_script_is_explained_on_a_terminal_that_obeys_none_of_it(tmp_path: Path, *, as_json: bool) -> None:
    for name, text in SCRIPTS.items():
        file = tmp_path / f"{name}.json"
        file.write_bytes(records("otlp_json", text)[0])
        out = io.StringIO()
        assert main([str(file)], "auto", Settings(), out, as_json=as_json) == 0, name
        shown = out.getvalue()
        assert shown.encode()
        assert not set(shown) & set("\x00\x7f\u202b\u202e\ud83d") or as_json, name
        if name in {"chinese", "japanese", "korean", "hindi"} and not as_json:
            assert text[:4] in shown
