"""The demo's service: real retrieval, supported answers unless it invents, spans that ragmon reads."""

from __future__ import annotations

import asyncio
import random
import re

import pytest

from monitor.clock import SystemClock
from monitor.config.judges import EmbeddedJudge as EmbeddedSettings
from monitor.config.settings import Assembly
from monitor.demo.corpus import DOCUMENTS, INVENTED, Document
from monitor.demo.service import Retriever, Service
from monitor.judges.embedded import EmbeddedJudge
from monitor.records import ContextsSource, RagTrace
from monitor.traces.decode import make_decoder
from monitor.traces.extract import Extractor
from monitor.wire import Assembled, CloseReason

ALL_INVENTED = [sentence for sentences in INVENTED.values() for sentence in sentences]


def read(service: Service, document: Document | None = None) -> RagTrace:
    """What ragmon reads of one question."""
    (made,) = service.ask(document)
    spans = make_decoder("auto").decode(made.value).spans
    assert {span.trace_id for span in spans} == {made.key.decode()}
    assembled = Assembled(spans[0].trace_id, spans, (), CloseReason.QUIET)
    (request,) = Extractor(Assembly(), ("ragmon",)).extract(assembled).requests
    return request


async def faithfulness(request: RagTrace) -> float | None:
    (judgement,) = await EmbeddedJudge(EmbeddedSettings(), SystemClock()).judge(request, (), 1e12)
    return judgement.score


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.id)
def test_every_question_finds_its_document(document: Document) -> None:
    for question in document.questions:
        best, score = Retriever().search(question)[0]
        assert (best.id, score > 0) == (document.id, True)


def test_a_question_that_shares_nothing_finds_nothing() -> None:
    assert Retriever().search("xylophone") == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.id)
def test_an_answer_is_made_of_the_best_passage_and_ragmon_reads_it(document: Document) -> None:
    request = read(Service(random.Random(document.id)), document)
    assert request.question in document.questions
    assert request.answer
    assert request.answer in document.text
    assert request.contexts[0].text == document.text
    assert request.contexts_source is ContextsSource.SPAN
    assert (request.app, request.app_version, request.model) == ("ferry-and-books", "1.4.2", "demo-composer-1")
    assert request.language == document.language


async def _scores(inventing: float, count: int) -> list[float]:
    service = Service(random.Random(5))
    service.inventing = inventing
    return [score for _ in range(count) if (score := await faithfulness(read(service))) is not None]


def test_the_embedded_judge_tells_invented_answers_from_supported_ones() -> None:
    good, bad = asyncio.run(_scores(0.0, 40)), asyncio.run(_scores(1.0, 40))
    assert (len(good), len(bad)) == (40, 40)
    assert min(good) > 0.5 > max(bad)


def test_it_invents_as_often_as_told() -> None:
    service = Service(random.Random(7))
    service.inventing = 1 / 3
    answers = [read(service).answer or "" for _ in range(300)]
    invented = [answer for answer in answers if any(sentence in answer for sentence in ALL_INVENTED)]
    assert 70 < len(invented) < 130


def test_no_document_holds_what_is_invented() -> None:
    texts = " ".join(document.text for document in DOCUMENTS)
    assert [sentence for sentence in ALL_INVENTED if re.sub(r"\W", "", sentence) in re.sub(r"\W", "", texts)] == []


def test_the_same_seed_gives_the_same_visitors() -> None:
    first, second = Service(random.Random(3)), Service(random.Random(3))
    asked = [[read(service).question for _ in range(10)] for service in (first, second)]
    assert asked[0] == asked[1]
