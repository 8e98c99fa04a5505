"""The conventions in use, in order: the first that knows a span gives its role, the first that has a value gives it.

To add one: write its file with a class that fits `Convention`, and name it here.
"""

from __future__ import annotations

from monitor.traces.conventions.generic import Generic
from monitor.traces.conventions.openinference import OpenInference
from monitor.traces.conventions.otel_genai import OtelGenAi
from monitor.traces.reading import Content, Convention, Facts, Role, first_of
from monitor.wire import Span

CONVENTIONS: tuple[Convention, ...] = (OpenInference(), OtelGenAi(), Generic())


def read_role(span: Span) -> tuple[Role, str]:
    """The role of a span and the name of the convention that gave it; `other` and an empty name when none did."""
    for convention in CONVENTIONS:
        role = convention.role(span)
        if role is not None:
            return role, convention.name
    return Role.OTHER, ""


def read_content(span: Span, role: Role) -> Content:
    """The texts of a span, from all conventions that it follows."""
    return first_of(Content(), (convention.content(span, role) for convention in CONVENTIONS))


def read_facts(span: Span) -> Facts:
    """The plain facts of a span, from all conventions that it follows."""
    return first_of(Facts(), (convention.facts(span) for convention in CONVENTIONS))
