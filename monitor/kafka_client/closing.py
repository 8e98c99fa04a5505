"""Closing aiokafka clients within a bound.

With a dead or frozen broker their own `stop()` hangs, or ends in CancelledError before it has closed its sockets
(aiokafka 0.14, measured). So it gets its time, and what it leaves open is then closed by force: this module is the
only one that reaches into the client's private parts, because nothing public does that.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any

from aiokafka import errors

_FORCE_BOUND_S = 1.0


async def close_client(client: Any, within: float) -> bool:  # noqa: ANN401 - consumer, producer or admin, all untyped
    """Stop a consumer or producer within about `within` + 2 seconds; whether it went in good order. Never raises."""
    stop = asyncio.create_task(client.stop(), name="close Kafka client")
    await _end([stop], within)
    orderly = stop.done() and not stop.cancelled() and stop.exception() is None
    if not orderly:
        await _force(client)
    return orderly


async def abandon_producer(producer: Any) -> None:  # noqa: ANN401 - untyped
    """Close a producer that no longer delivers: what it still holds fails at once, so that its writers hear of it."""
    _fail_all(producer)
    await close_client(producer, _FORCE_BOUND_S)


def _fail_all(producer: Any) -> None:  # noqa: ANN401 - untyped
    """Fail what the producer still holds, once for each batch: its second future is the producer's own, unasked."""
    accumulator = producer._message_accumulator  # noqa: SLF001 - see the module's docstring
    held = [*accumulator._pending_batches, *itertools.chain(*accumulator._batches.values())]  # noqa: SLF001 - same
    accumulator.fail_all(errors.ProducerClosed())
    for batch in held:
        for future in (batch.future, batch._drain_waiter):  # noqa: SLF001 - same
            if future.done() and not future.cancelled():
                future.exception()  # asyncio would complain that nobody asked for it


async def _end(tasks: list[asyncio.Task[Any]], within: float) -> None:
    """Wait for tasks, then cancel those that still run and wait a moment more."""
    tasks = [task for task in tasks if not task.done()]
    if not tasks:
        return
    _, running = await asyncio.wait(tasks, timeout=within)
    for task in running:
        task.cancel()
    if running:
        await asyncio.wait(running, timeout=_FORCE_BOUND_S)


async def _force(owner: Any) -> None:  # noqa: ANN401 - see close_client
    if hasattr(owner, "_message_accumulator"):
        _fail_all(owner)
    tasks = list(_tasks(owner))
    for task in tasks:
        task.cancel()
    await _end(tasks, _FORCE_BOUND_S)
    client = getattr(owner, "_client", None) or owner.client
    connections = list(client._conns.values())  # noqa: SLF001 - see the module's docstring
    transports = [c._writer.transport for c in connections if c._writer is not None]  # noqa: SLF001 - same
    await _end([asyncio.create_task(client.close(), name="close Kafka connections")], _FORCE_BOUND_S)
    for transport in transports:
        transport.abort()  # a TLS farewell to a frozen broker would wait half a minute
    await asyncio.sleep(0)  # the sockets close in the next turn of the loop


def _tasks(owner: Any) -> Iterator[asyncio.Task[Any]]:  # noqa: ANN401 - see close_client
    """The background tasks of a consumer or producer."""
    parts = {
        "_coordinator": ("_coordination_task", "_heartbeat_task", "_commit_refresh_task"),
        "_fetcher": ("_fetch_task", "_pending_tasks"),
        "_sender": ("_sender_task",),
    }
    for part, names in parts.items():
        for name in names:
            found = getattr(getattr(owner, part, None), name, None)
            for task in found if isinstance(found, set) else (found,):
                if isinstance(task, asyncio.Task):
                    yield task
