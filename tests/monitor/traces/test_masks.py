from __future__ import annotations

import pytest

from monitor.traces.masks import is_masked
from monitor.wire import AttributeValue


@pytest.mark.parametrize(
    "value",
    [
        "[REDACTED]",
        "REDACTED",
        "__redacted__",
        " <masked> ",
        "***",
        '"[REDACTED]"',
        "<fully masked due to failed mask function>",
        '{"args": ["[REDACTED]"], "kwargs": {}}',
        '{"input": "__REDACTED__"}',
        '{"output": "[masked]"}',
        '[{"id": "d-1", "text": "[REDACTED]"}]',
        '{"documents": [{"page_content": "[REDACTED]"}, {"page_content": "***"}]}',
        "[Scrubbed due to 'password']",
        "[redacted by openai guardrails]",
        "[CONTENT REDACTED]",
    ],
)
def test_a_mark_in_place_of_a_content_hides(value: AttributeValue) -> None:
    assert is_masked(value)


@pytest.mark.parametrize(
    "value",
    [
        "Call me at [REDACTED], please.",
        "Why is it redacted?",
        "[Which pages of the report are redacted?]",
        "[What was redacted?]",
        "[See the redacted version]",
        "Masked",
        "redacted",
        '{"documents": [{"page_content": "Open."}, {"page_content": "***"}]}',
        '{"question": "Who?", "email": "[REDACTED]"}',
        "Who may ride?",
        "**bold**",
        "",
        None,
        3,
        ["[REDACTED]"],
    ],
)
def test_a_mark_beside_or_inside_other_text_does_not(value: AttributeValue) -> None:
    assert not is_masked(value)
