"""The one way to reach Kafka: connection options, careful reading, bounded closing. Shared by source and exporters.

aiokafka is imported here, in `monitor/sources/kafka*.py`, in `exporters/kafka*.py` and in the demo, nowhere else.
"""
