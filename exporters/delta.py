"""Delta tables that take every row in exactly once.

Every append is one atomic version that also records how far each partition of a topic was taken in (a Delta application
transaction). What is read or produced twice is recognised by the row's id, not by its offset: a topic may be made anew
and begin at 0 again. Tables are partitioned by a day that depends on the row's content alone, so the look-up of an id
reads the days at hand only.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, Transaction
from deltalake.exceptions import DeltaError, TableNotFoundError

from exporters.table_troubles import nothing_at, plainly, unreadable
from monitor.errors import ConfigError, SinkError
from monitor.records import TopicPartition

_MAX_INT64 = 2**63 - 1
_FIRST_DAY = "1970-01-01"


class DeltaSet:
    """A table of rows with an id and a `day`; also what reads it again. Columns that are new in `schema` are added."""

    def __init__(self, path: str, schema: pa.Schema, identifier: str) -> None:
        self.path = path
        self._schema = schema
        self._identifier = identifier
        self._same = f"kept.day = came.day AND kept.{identifier} = came.{identifier}"

    def check(self) -> None:
        """Raise ConfigError when the table's folder cannot be made or written; an object store is not asked."""
        if "://" in self.path:
            return
        try:
            Path(self.path).mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.path):
                pass
        except FileExistsError:
            raise ConfigError([f"dataset.path: {self.path} is no folder, and a sample set is one"]) from None
        except OSError as error:
            problem = f"{self.path} cannot be written ({error.strerror}); name another folder, or mount a volume"
            raise ConfigError([f"dataset.path: {problem}"]) from None

    def merge(self, rows: pa.Table, positions: Mapping[TopicPartition, int]) -> int:
        """Add rows, each id once, in one version that also records `positions`; returns how many were new.

        Raises SinkError.
        """
        transactions = [Transaction(_app_id(partition), offset) for partition, offset in sorted(positions.items())]
        try:
            table = self._open() or DeltaTable.create(self.path, self._schema, partition_by=["day"], mode="ignore")
            metrics = (
                table.merge(
                    source=rows,
                    predicate=self._same,
                    source_alias="came",
                    target_alias="kept",
                    merge_schema=self._grows(table),
                    commit_properties=CommitProperties(app_transactions=transactions),
                )
                .when_not_matched_insert_all()
                .execute()
            )
        except (DeltaError, OSError) as error:
            raise SinkError(f"{self.path}: {plainly(error)}") from error
        return int(metrics["num_target_rows_inserted"])

    def versions(self) -> list[dict[str, object]]:
        """The table's versions, newest first; empty when there is no table. Raises SinkError."""
        table = self._open()
        with self._told():
            return table.history() if table else []

    def read(self, version: int | None = None, columns: Sequence[str] | None = None) -> Iterator[dict[str, object]]:
        """The rows of a version (None: the newest) as plain objects. Raises SinkError, also when there is none.

        With `columns` only those of them that the table has.
        """
        table = self._open(version)
        if table is None:
            raise SinkError(nothing_at(self.path))
        with self._told():
            # file by file: a scan reads ahead in threads, which must not be left behind when a reader stops half-way
            files = table.to_pyarrow_dataset()
            if self._identifier not in files.schema.names:
                raise SinkError(f"{self.path}: is a table of something else: it has no column `{self._identifier}`")
            wanted = None if columns is None else [name for name in columns if name in files.schema.names]
            for fragment in files.get_fragments():
                yield from fragment.to_table(schema=files.schema, columns=wanted, use_threads=False).to_pylist()

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Raises SinkError for whatever the libraries make of missing and damaged files."""
        try:
            yield
        except (DeltaError, OSError, pa.ArrowException) as error:
            raise SinkError(unreadable(self.path, error)) from error

    def _grows(self, table: DeltaTable) -> bool:
        """Whether the table was made before some column, or some field inside one, was thought of."""
        return not set(_names(pa.schema(table.schema().to_arrow()))).issuperset(_names(self._schema))

    def _open(self, version: int | None = None) -> DeltaTable | None:
        try:
            return DeltaTable(self.path, version=version)
        except (DeltaError, OSError, UnicodeError) as error:
            if version is not None and (newest := self._newest()) is not None:
                there = f"there are 0 to {newest}" if version > newest else f"the newest is {newest}"
                raise SinkError(f"{self.path}: version {version} cannot be read; {there}") from error
            if isinstance(error, TableNotFoundError):
                return None
            raise SinkError(unreadable(self.path, error)) from error

    def _newest(self) -> int | None:
        """The newest version, to tell a wrong one from a table that cannot be read."""
        try:
            return DeltaTable(self.path).version()
        except (DeltaError, OSError):
            return None


def int64(number: int | None) -> int | None:
    """None stands for a number that the column cannot hold."""
    return number if number is not None and abs(number) <= _MAX_INT64 else None


def day_of(time_ns: int) -> str:
    """The UTC date; a time that is no date is put on the first day, like one that is unknown."""
    try:
        return dt.datetime.fromtimestamp(time_ns // 1_000_000_000, dt.UTC).date().isoformat()
    except (OverflowError, ValueError, OSError):
        return _FIRST_DAY


def _app_id(partition: TopicPartition) -> str:
    return f"ragmon:{partition.topic}:{partition.partition}"


def _names(fields: Iterable[pa.Field], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The names of columns and of the fields inside them, each with those above it."""
    for field in fields:
        name = (*above, field.name)
        yield name
        kind = field.type
        while pa.types.is_list(kind) or pa.types.is_large_list(kind):
            kind = kind.value_type
        if pa.types.is_struct(kind):
            yield from _names(kind.fields, name)
