"""A row that people wrote into a file, as the decoder of plain records takes it: of one passage the text will do."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from monitor.traces.decode.plain_fields import CONTEXTS


def record_of_row(row: Mapping[str, object], trace_id: str) -> bytes:
    """The plain record of a row {question, contexts, answer}, under a trace id. A blank text is no known passage."""
    record = {**row, "trace_id": trace_id}
    contexts = row.get(CONTEXTS)
    if isinstance(contexts, str):
        record[CONTEXTS] = [contexts] if contexts.strip() else None
    return msgspec.json.encode(record)
