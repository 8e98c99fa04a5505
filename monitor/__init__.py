"""ragmon: a production monitor for RAG services whose numbers can be believed.

Read `monitor/pipeline.py` first, then `monitor/records.py`.
"""

__version__ = "0.1.0"
