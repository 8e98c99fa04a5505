"""Find sensitive texts in a request and replace them, before anything of it leaves memory.

Placeholders such as `<EMAIL_1>` are consistent within one request, so that a judge can still tell whether the answer
repeats the passage, and mean nothing outside it: they cannot be undone. Names and street addresses are not found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from monitor.config.settings import Privacy
from monitor.feedback import Feedback
from monitor.privacy import scan
from monitor.privacy.origins import Origins
from monitor.privacy.patterns import Span, digits
from monitor.privacy.placeholders import Placeholders
from monitor.privacy.pseudonyms import Pseudonyms
from monitor.records import Provenance, RagTrace, RequestError, SensitiveHit

_NUMBER = re.compile(r"[0-9 ()+.-]{5,}")
_ROUNDS = 4  # a replacement can free a neighbour that its touch had hidden; more than twice was never seen


class Redactor:
    """Scans and redacts. `pseudonym_key` turns user, session and tenant ids into pseudonyms; without it they go."""

    def __init__(self, settings: Privacy, pseudonym_key: bytes | None) -> None:
        self._pseudonyms = Pseudonyms(pseudonym_key) if pseudonym_key else None
        self._kinds = tuple(kind for kind in scan.KINDS if not _disabled(kind, settings.disable))
        self._allowed = frozenset(value for text in settings.allow for value in self._values(text))
        self.identity = f"ragmon-{scan.VERSION}-{scan.fingerprint()}{''.join(f'-no_{k}' for k in settings.disable)}"
        """Which detectors redacted: version and hash of the patterns, and what is switched off."""

    def scan(self, trace: RagTrace) -> tuple[SensitiveHit, ...]:
        """The sensitive texts in question, contexts and answer, with offsets in the request as it is.

        Hits in the answer say where they come from; elsewhere only public ones (`allowed`) are marked.
        """
        question, query, answer, *contexts = self._scan(
            trace.question, trace.search_query, trace.answer, *(passage.text for passage in trace.contexts)
        )
        known = {span.value: Provenance.CONTEXT for spans in contexts for span in spans}
        known |= {span.value: Provenance.QUESTION for span in (*question, *query)}
        origins = Origins(trace, known)
        return (
            *(self._hit(span, "question") for span in question),
            *(self._hit(span, "contexts", number) for number, spans in enumerate(contexts, 1) for span in spans),
            *(self._hit(span, "answer", origin=origins.of(span.value)) for span in answer),
        )

    def finds(self, text: str | None) -> bool:
        """Whether a text holds anything sensitive, allowed or not."""
        return bool(self._spans(text))

    def redact(self, trace: RagTrace, hits: Sequence[SensitiveHit], *, complete: bool = False) -> RagTrace:
        """The request without its sensitive texts. `hits` are what `scan` found in it.

        With `complete` they are all that `scan` found in this very request: a text without any is not searched again.
        Search query, error, feedback, ids and sources of passages are searched here. Safe to call twice.
        """
        contexts = [passage.text for passage in trace.contexts]
        texts = [trace.question, trace.search_query, trace.answer, *contexts]
        names = Placeholders(text for text in texts if text)
        places = _by_place(hits)

        named = [name for passage in trace.contexts for name in (passage.id, passage.source)]
        others = [trace.search_query, *named]
        clean = {text for text, spans in zip(others, self._scan(*others), strict=True) if not spans}

        def without(text: str | None, target: str, passage: int = 0) -> str | None:
            spans = _spans_of(text or "", places.get((target, passage), ()))
            return text if complete and not spans else self._replace(text, names, spans)

        def other(text: str | None) -> str | None:
            return text if text in clean else self._replace(text, names)

        return replace(
            trace,
            question=without(trace.question, "question"),
            search_query=other(trace.search_query),
            contexts=tuple(
                replace(
                    passage,
                    text=without(passage.text, "contexts", number) or "",
                    id=other(passage.id),
                    source=other(passage.source),
                )
                for number, passage in enumerate(trace.contexts, 1)
            ),
            answer=without(trace.answer, "answer"),
            error=self._error(trace.error, names),
            feedback=tuple(self._feedback(item, names) for item in trace.feedback),
            user_id=self._pseudonym("user", trace.user_id),
            session_id=self._pseudonym("session", trace.session_id),
            tenant=self._pseudonym("tenant", trace.tenant),
        )

    def redact_text(self, text: str) -> str:
        """A text that belongs to no request's fields: explanations, evidence, log lines. Idempotent."""
        return self._replace(text, Placeholders([text])) or ""

    def _spans(self, text: str | None) -> list[Span]:
        return self._scan(text)[0]

    def _scan(self, *texts: str | None) -> list[list[Span]]:
        return scan.scan_texts([text or "" for text in texts], self._kinds)

    def _values(self, text: str) -> Iterable[str]:
        """All values that an allowed text can have: on its own, a number may not be recognised as one."""
        text = text.strip()
        values = {text, text.lower(), *(span.value for span in self._spans(text))}
        return values | {digits(text)} if _NUMBER.fullmatch(text) else values

    def _hit(self, span: Span, target: str, passage: int = 0, *, origin: Provenance | None = None) -> SensitiveHit:
        provenance = Provenance.ALLOWED if span.value in self._allowed else origin
        return SensitiveHit(span.kind, target, span.start, span.end, provenance, passage)

    def _replace(self, text: str | None, names: Placeholders, spans: Iterable[Span] | None = None) -> str | None:
        if not text:
            return text
        if spans is not None:
            text = names.replace(text, spans)
        for _ in range(_ROUNDS):
            found = [span for span in self._spans(text) if span.value not in self._allowed]
            if not found:
                break
            text = names.replace(text, found)
        return text

    def _error(self, error: RequestError | None, names: Placeholders) -> RequestError | None:
        if error is None:
            return None
        # some senders write the whole message where its type belongs
        kind, message = (self._replace(text, names) or "" for text in (error.type, error.message))
        return replace(error, type=kind, message=message)

    def _feedback(self, item: Feedback, names: Placeholders) -> Feedback:
        name = self._replace(item.name, names) or ""
        return replace(
            item, name=name, label=self._replace(item.label, names), comment=self._replace(item.comment, names)
        )

    def _pseudonym(self, purpose: str, identifier: str | None) -> str | None:
        return self._pseudonyms.of(purpose, identifier) if self._pseudonyms and identifier else None


def _disabled(kind: str, disable: Sequence[str]) -> bool:
    """Whether a kind, or its family (the word before the dot), is switched off."""
    return kind in disable or kind.partition(".")[0] in disable


def _by_place(hits: Iterable[SensitiveHit]) -> Mapping[tuple[str, int], Sequence[SensitiveHit]]:
    """The hits that have to go, by target and passage."""
    places: dict[tuple[str, int], list[SensitiveHit]] = {}
    for hit in hits:
        if hit.provenance is not Provenance.ALLOWED:
            places.setdefault((hit.target, hit.passage), []).append(hit)
    return places


def _spans_of(text: str, hits: Iterable[SensitiveHit]) -> list[Span]:
    return [Span(hit.kind, hit.start, hit.end, scan.value_of(hit.kind, text[hit.start : hit.end])) for hit in hits]
