"""`protocols.Source` on a librdkafka consumer. Behaves like the aiokafka one; see `source.client`."""

from __future__ import annotations

from monitor.errors import SourceError
from monitor.protocols import RebalanceListener
from monitor.sources.librdkafka.options import check, consumer_options
from monitor.sources.librdkafka.session import LibrdkafkaSession
from monitor.sources.supervisor import CLOSE_S, SupervisedSource

__all__ = ["LibrdkafkaSource"]


class LibrdkafkaSource(SupervisedSource):
    """`protocols.Source` on a librdkafka consumer."""

    def check(self) -> None:
        """Raise ConfigError with every problem that needs no broker to be seen. Reads files."""
        check(self._connection)

    async def _open(self, listener: RebalanceListener) -> LibrdkafkaSession:
        session = LibrdkafkaSession(
            consumer_options(self._connection, self._settings, self._clock),
            self._settings,
            listener,
            self._clock,
            bound=self._connection.kafka.request_timeout,
            count=self._count,
            bury=self._bury,
            presample=self._presample,
        )
        try:
            await session.connect()
        except SourceError as error:
            await session.close(CLOSE_S)
            raise SourceError(f"Kafka cannot be reached: {error}") from error
        except BaseException:
            await session.close(CLOSE_S)
            raise
        return session
