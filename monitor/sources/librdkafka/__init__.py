"""Records from Kafka topics by librdkafka: much less CPU for each record than aiokafka, at the price of a C library.

confluent-kafka (the extra `librdkafka`) is imported in this package, nowhere else. Its calls block, so each runs in one
of two threads (`worker.py`), with a client of its own: one reads and commits, the other asks questions.
"""
