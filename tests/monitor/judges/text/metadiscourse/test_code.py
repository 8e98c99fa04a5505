"""Lines of code claim nothing where they hold only what a language has or the answer defines; all else is judged."""

import pytest

from monitor.judges.text.claims import claims_of

SCAFFOLDING = [
    *("import hmac", "import hashlib, json", "import datetime as dt", "from datetime import timedelta, timezone"),
    *("from typing import (Any, Literal)", "#include <stdio.h>", "import java.util.List;", "using System.Text;"),
    *("const crypto = require('crypto');", "import { readFile } from 'node:fs';", "import * as path from 'path'"),
    *("def verify(body: bytes, header: str) -> bool:", "async def main():", "function checkSignature(body, header) {"),
    *("const verify = async (body) => {", 'if __name__ == "__main__":', "else:", "} else {", "try {"),
]
STATEMENTS = [
    *("from acme import Client", "import acme", "import duties", "const sdk = require('acme-sdk');", "retry = 5"),
    *('SECRET = "key"', 'client.post("/v2/orders")', "def verify(limit=5):", "def refunds_are_free_for_members():"),
    *("def wait(seconds: 30):", "else: retry(5)", "import hmac  # refunds take 90 days", "#include <acme.h>"),
    *("set_timeout(90)", "from datetime import timedelta; retry = 5", "try again: members pay nothing"),
]


def _claimed(answer: str) -> list[str]:
    return [claim.sentence.text for claim in claims_of(answer)]


@pytest.mark.parametrize("line", SCAFFOLDING)
@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_what_every_program_has_is_no_claim_in_a_block_of_code(line: str, fence: str) -> None:
    assert _claimed(f"It is red.\n{fence}python\n{line}\n    {line}\n{fence}\nIt is big.") == [
        "It is red.",
        "It is big.",
    ]


@pytest.mark.parametrize("line", STATEMENTS)
def test_literals_addresses_and_other_names_are_judged(line: str) -> None:
    assert len(_claimed(f"```python\n{line}\n```")) == 1


@pytest.mark.parametrize("line", ["import hmac", "def verify(body):", "import time"])
def test_outside_of_a_block_it_is_a_statement(line: str) -> None:
    assert _claimed(line) == [line]
    assert _claimed(f"```\nIt is red.\n```\n{line}\n```\nIt is big.\n```") == ["It is red.", line, "It is big."]


def test_a_statement_in_a_block_of_code_is_judged() -> None:
    assert _claimed("```\nRefunds take 90 days.\nMembers pay nothing.\n") == [
        "Refunds take 90 days.",
        "Members pay nothing.",
    ]
