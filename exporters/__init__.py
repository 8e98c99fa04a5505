"""Where results leave ragmon: Prometheus, OTLP, Kafka topics, the sample set, the web endpoints."""
