from __future__ import annotations

from monitor.privacy.patterns import Span
from monitor.privacy.placeholders import Placeholders


def test_the_same_value_gets_the_same_placeholder_and_another_the_next_number() -> None:
    names = Placeholders([])
    first = names.replace("x y", [Span("email", 0, 1, "a"), Span("email", 2, 3, "b")])
    second = names.replace("y", [Span("email", 0, 1, "b")])
    assert (first, second) == ("<EMAIL_1> <EMAIL_2>", "<EMAIL_2>")


def test_kinds_are_numbered_apart() -> None:
    names = Placeholders([])
    assert names.replace("xy", [Span("secret.aws", 0, 1, "a"), Span("ip", 1, 2, "a")]) == "<SECRET_AWS_1><IP_1>"


def test_a_placeholder_that_stands_in_the_text_already_is_not_given_to_another_value() -> None:
    names = Placeholders(["see <EMAIL_3>"])
    assert names.replace("x", [Span("email", 0, 1, "a")]) == "<EMAIL_4>"
