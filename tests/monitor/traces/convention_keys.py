"""The attribute keys that the conventions name, out of their rules and the constants of their modules."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from typing import Any

from monitor.traces import conventions, semconv
from monitor.traces.conventions.registry import CONVENTIONS
from monitor.traces.reading import Convention, Role, Rule

_KEY = re.compile(r"_?[a-z]+[a-z_]*(?:[.:]\w+)+|[a-z]+_[a-z_]+")


def rules_of(convention: Convention) -> Iterator[Rule[Any]]:
    """All of its rules, whatever the role."""
    for entries in (*(convention.texts.get(role, ()) for role in Role), convention.facts):
        for entry in entries:
            yield from entry.rules


def strange_keys(convention: Convention) -> tuple[str, ...]:
    """The keys that its rules need and that its heads do not give away: others may write them, too.

    Without the ends of keys (`*.question`), which are those of tracers that nobody knows.
    """
    needed = {key for rule in rules_of(convention) for key in rule.keys if not key.startswith("*.")}
    return tuple(sorted(key for key in needed if key.partition(".")[0] not in convention.heads))


def named_keys() -> tuple[str, ...]:
    """Every key of a rule, and every text constant of the modules that looks like one."""
    modules = [
        importlib.import_module(f"{conventions.__name__}.{one.name}")
        for one in pkgutil.iter_modules(conventions.__path__)
    ]
    constants = (
        value for module in (*modules, semconv) for name, value in vars(module).items() if name.lstrip("_").isupper()
    )
    needed = (key for convention in CONVENTIONS for rule in rules_of(convention) for key in rule.keys)
    return tuple(sorted({text for text in _texts(constants) if _KEY.fullmatch(text)} | {*needed}))


def _texts(constants: Iterable[object]) -> Iterator[str]:
    for constant in constants:
        match constant:
            case str():
                yield constant
            case tuple() | frozenset() | list():
                yield from (one for one in constant if isinstance(one, str))
            case dict():
                yield from (one for one in constant if isinstance(one, str))
            case _:
                pass
