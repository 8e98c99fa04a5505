"""Whatever way the bytes of an export request were written, its items are those that protobuf's own parser finds."""

from __future__ import annotations

from google.protobuf.message import DecodeError as ProtobufError
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from monitor.errors import DecodeError
from monitor.traces.decode.declare import BYTES, Field, declare
from monitor.traces.decode.envelope import Envelope
from tests.monitor.traces.decode.encoders import blob
from tests.monitor.traces.decode.odd_protobuf import UNKNOWN, padded
from tests.monitor.traces.decode.samples import wire
from tests.monitor.traces.decode.wishes import Wish, only

Found = list[tuple[bytes, bytes, bytes]]
"""Of each item: its resource, its scope, and its bytes."""

_SCOPE = (Field("scope", 1, BYTES, repeated=True), Field("items", 2, BYTES, repeated=True))
_VIEW = declare(
    "ragmon.test",
    {
        "Scope": _SCOPE,
        "Group": (
            Field("resource", 1, BYTES, repeated=True),
            Field("scopes", 2, "Scope", repeated=True),
            Field("old_scopes", 1000, "Scope", repeated=True),
        ),
        "Request": (Field("groups", 1, "Group", repeated=True),),
        "Item": (Field("trace_id", 1, BYTES),),
    },
)


def parsed(value: bytes) -> Found | None:
    """What protobuf finds; None when it refuses the bytes."""
    try:
        request = _VIEW["Request"].FromString(value)
    except ProtobufError:
        return None
    places = [(group, scope) for group in request.groups for scope in group.scopes or group.old_scopes]
    return [(b"".join(group.resource), b"".join(scope.scope), item) for group, scope in places for item in scope.items]


def opened(value: bytes, wish: Wish | None = None) -> Found | None:
    """What the envelope finds, of all items or of those among them that somebody wants."""
    try:
        envelope = Envelope(value)
    except DecodeError:
        return None
    numbers = range(len(envelope)) if wish is None else envelope.among(wish)
    return [(*frame, item) for frame, items in envelope.items(numbers) for item in items]


def trace_of(item: bytes) -> bytes:
    try:
        trace_id: bytes = _VIEW["Item"].FromString(item).trace_id
    except ProtobufError:
        return b""
    return trace_id


def agrees(value: bytes) -> None:
    """The items are those of the reference, and so is the choice among them."""
    reference = parsed(value)
    assert opened(value) == reference
    for number, (*_, chosen) in enumerate(reference or ()):
        wish = only(trace_of(chosen).hex())
        among = Envelope(value).among(wish)
        assert number in among
        assert among == [at for at, (*_, item) in enumerate(reference or ()) if may_be(item, wish)]
        assert opened(value, wish) == [found for found in reference or () if may_be(found[-1], wish)]


def may_be(item: bytes, wish: Wish) -> bool:
    trace_id = trace_of(item)
    return len(trace_id) != 16 or wish(trace_id.hex())


IDS = [b"i" * 16, b"j" * 16]
ITEMS = (
    st.sampled_from([blob(1, trace_id) + blob(2, b"12345678") for trace_id in IDS])
    | st.lists(st.sampled_from([*(blob(1, trace_id) for trace_id in IDS), blob(13, blob(1, IDS[0])), b"\x7a\x00"])).map(
        b"".join
    )
    | st.binary(max_size=4)
    | st.sampled_from([bytes(127), bytes(128), bytes(20_000)])
)
TEXTS = st.binary(max_size=4)


def field(number: int, content: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    """A length-delimited field."""
    return st.tuples(content, st.integers(0, 3)).map(lambda drawn: padded(blob(number, drawn[0]), drawn[1]))


def shell(first: st.SearchStrategy[bytes], *others: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    """A message of these fields in any order, any number of each, and fields that nobody knows."""
    return st.lists(st.one_of(first, *others, *others, UNKNOWN), max_size=5).map(b"".join)


SCOPES = shell(field(1, TEXTS), field(2, ITEMS))
GROUPS = shell(field(1, TEXTS), field(2, SCOPES)) | shell(field(1, TEXTS), field(2, SCOPES), field(1000, SCOPES))
REQUESTS = shell(field(1, GROUPS))


@given(REQUESTS)
def test_any_order_of_fields_any_lengths_and_unknown_fields(value: bytes) -> None:
    agrees(value)


@given(REQUESTS, st.data())
def test_damaged_bytes(value: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(value)))
    agrees(value[:at] + data.draw(st.binary(max_size=2)) + value[at + data.draw(st.integers(0, 2)) :])


USUAL = st.sampled_from([*IDS, b"k" * 16]).map(lambda trace_id: blob(1, trace_id) + blob(2, b"12345678"))
HOLDERS = st.sampled_from([blob(1, b"z" * 16) + blob(13, blob(1, IDS[0])), blob(1, IDS[0]) + blob(1, IDS[1])])
SCOPE = st.tuples(TEXTS, USUAL, USUAL | HOLDERS, ITEMS).map(
    lambda drawn: b"".join([blob(1, drawn[0]), *(blob(2, item) for item in drawn[1 : 2 + len(drawn[0])])])
)
GROUP = st.tuples(field(1, TEXTS), SCOPE, SCOPE).map(lambda drawn: drawn[0] + blob(2, drawn[1]) + blob(2, drawn[2]))
MANY = st.tuples(st.lists(GROUP, min_size=1, max_size=4), st.lists(st.integers(0, 3), min_size=9, max_size=20)).map(
    lambda drawn: b"".join(blob(1, drawn[0][number % len(drawn[0])]) for number in drawn[1])
)


@given(MANY)
def test_few_traces_among_many_groups_wherever_else_their_ids_stand(value: bytes) -> None:
    """Also in the resources, the links and the overwritten ids of others."""
    named = blob(1, blob(1, IDS[0]) + blob(2, blob(2, blob(1, IDS[1]))))
    for written in (value, named + value + named):
        reference = parsed(written)
        assert reference is not None
        for ids in (IDS[:1], IDS[1:], IDS):
            wish = only(*map(bytes.hex, ids))
            assert opened(written, wish) == [found for found in reference if may_be(found[-1], wish)]


@given(st.binary(max_size=40))
def test_any_bytes(value: bytes) -> None:
    agrees(value)


def test_what_a_collector_and_the_library_write() -> None:
    for value in wire("otlp_proto"):
        again = ExportTraceServiceRequest.FromString(value).SerializeToString()
        for written in (value, again):
            assert opened(written) == parsed(written)
            assert len(Envelope(written)) > 0
            assert Envelope(written).has_ids


def test_only_what_is_no_field_of_otlp_is_strange() -> None:
    """The addresses of schemas are OTLP's, and so are the scopes of old. Beside spans nobody counts."""
    scope = blob(1, b"\x0a\x01s") + blob(2, blob(1, IDS[0])) + blob(3, b"url")
    usual = blob(1, blob(1, b"") + blob(2, scope) + blob(3, b"url"))
    old = blob(1, blob(1000, scope))
    odd = blob(1, blob(2, scope + blob(7, b"")) + blob(8, b"")) + b"\x20\x05"
    empty = blob(1, blob(2, blob(1, b"\x0a\x01s") + blob(7, b"")))
    values = (usual, old, odd, usual + odd + odd, empty)
    assert [Envelope(value).strange for value in values] == [0, 0, 2, 4, 1]


def test_very_many_strange_fields_are_one_of_each_level() -> None:
    scope = blob(2, blob(2, blob(1, IDS[0])))
    few, many = b"\x28\x00" * 2048, b"\x28\x00" * 2049
    values = (few + blob(1, scope), blob(1, few + scope), many + blob(1, scope), blob(1, many + scope) + few)
    assert [Envelope(value).strange for value in values] == [2048, 2048, 1, 2049]
    assert all(Envelope(value).has_ids for value in values)
