"""Delta tables grow with what is written to them."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from exporters.delta import DeltaSet


def schema_of(*names: str) -> pa.Schema:
    piece = pa.struct([(name, pa.int32()) for name in names])
    judgement = pa.struct([("evidence", pa.list_(piece))])
    columns = [pa.field("id", pa.string(), nullable=False), pa.field("day", pa.string(), nullable=False)]
    return pa.schema([*columns, ("judgements", pa.list_(judgement))])


def test_a_field_that_is_new_inside_a_column_is_added_and_rows_from_before_lack_it(tmp_path: Path) -> None:
    for number, names in enumerate([("start",), ("start", "passage_start")]):
        schema = schema_of(*names)
        row = {"id": str(number), "day": "2026-01-01", "judgements": [{"evidence": [dict.fromkeys(names, 7)]}]}
        assert DeltaSet(str(tmp_path / "t"), schema, "id").merge(pa.Table.from_pylist([row], schema=schema), {}) == 1
    found = sorted(DeltaSet(str(tmp_path / "t"), schema_of("start"), "id").read(), key=lambda row: str(row["id"]))
    assert [row["judgements"][0]["evidence"][0] for row in found] == [  # type: ignore[index]
        {"start": 7, "passage_start": None},
        {"start": 7, "passage_start": 7},
    ]
