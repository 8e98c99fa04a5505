"""What the judge role does between source and topics; `monitor/pipeline.py` runs it.

In the order in which a request walks through: `intake` with `unread` and `watch`, `extraction`, `choosing`; `judging`
with `selection`, `verdicts`, `durable`. Beside it: `hearing` (feedback on earlier requests) and `anchors` (the anchor
set). They hand on `receipts` and `steps`; `telling` passes on what was written.
"""
