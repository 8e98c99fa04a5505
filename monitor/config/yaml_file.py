"""A YAML file of settings as a mapping; whatever is wrong with the file is one clear message."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from monitor.errors import ConfigError

_MOST_BYTES = 4 << 20
_OF_CALIBRATION = frozenset({"evaluation", "fingerprint", "threshold", "labels_by"})
"""Keys that only a calibration has together."""
_MOST_LEVELS = 32
"""Settings have less than ten; a thousand take seconds to read."""
_BRACKETS = re.compile(rf"(?:[\[{{]\s*){{{_MOST_LEVELS}}}")
"""Told without a parse, which looks at each of them again for the next."""
_BASE_60 = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-9]+)+(?:\.[0-9_]*)?")
_BASE_8 = re.compile(r"[-+]?0[0-9_]+")
_NEAR = 0.7
_FEW = 3
"""Unknown keys from which a file is another one, not one with misspelt keys."""


class _WrongContentError(yaml.MarkedYAMLError):
    """Good YAML that says nothing usable: a key that stands twice, a date that is none."""


class _Loader(yaml.SafeLoader):
    """Refuses a key that stands twice, as the first one would be lost without a word; names the line of a bad value.

    Refused, too, are numbers that are hardly meant as YAML reads them (`1:30` as 90, `010` as 8), and deep nesting.
    """

    _levels = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self._levels += 1
        if self._levels > _MOST_LEVELS:
            raise RecursionError
        node = super().compose_node(parent, index)
        self._levels -= 1
        return node

    def construct_scalar(self, node: yaml.ScalarNode | yaml.MappingNode) -> Any:  # noqa: ANN401 - as in PyYAML
        if node.tag in _NUMBERS and (_BASE_60.fullmatch(node.value) or _BASE_8.fullmatch(node.value)):
            base = 60 if ":" in node.value else 8
            problem = f"`{node.value[:40]}` is a number to the base of {base} in YAML; write it plainly, or in quotes"
            raise _WrongContentError(problem=problem, problem_mark=node.start_mark)
        return super().construct_scalar(node)

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 - as in PyYAML
        try:
            return super().construct_object(node, deep)
        except (ValueError, OverflowError):  # such as 2020-13-45, or thousands of digits
            kind = node.tag.rpartition(":")[2]
            problem = f"looks like a value of type {kind}, but is none; correct it, or put it in quotes"
            raise _WrongContentError(problem=problem, problem_mark=node.start_mark) from None

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002 - as in PyYAML
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    problem = f"the key `{key.value}` stands twice; join the two"
                    raise _WrongContentError(problem=problem, problem_mark=key.start_mark)
                seen.add(key.value)
        return super().construct_mapping(node, deep)


_NUMBERS = frozenset({"tag:yaml.org,2002:int", "tag:yaml.org,2002:float"})


def read_yaml(path: Path | None) -> dict[str, Any]:
    """The content of a file; nothing without a path. Raises ConfigError, also for a file that holds no mapping."""
    content = None if path is None else _parsed(path)
    if content is None:
        return {}
    if isinstance(content, list) and content and all(isinstance(one, dict) and "type" in one for one in content):
        raise ConfigError([f"{path}: is a list of judges; write it under `judges:`, which is one of the sections"])
    if not isinstance(content, dict) or not all(isinstance(key, str) for key in content):
        raise ConfigError([f"{path}: must be a mapping of sections, such as `kafka:`"])
    return content


def _parsed(path: Path) -> object:
    """The content of a file, None of an empty one. Raises ConfigError with the line."""
    try:
        content: object = _loaded(_text_of(path))
    except OSError as error:
        raise ConfigError([f"{path}: cannot be read ({short(error)})"]) from None
    except UnicodeDecodeError:
        raise ConfigError([f"{path}: is not UTF-8 text"]) from None
    except _WrongContentError as error:
        raise ConfigError([f"{path}:{_line(error)}: {error.problem}"]) from None
    except yaml.YAMLError as error:
        problem = getattr(error, "problem", None) or error
        raise ConfigError([f"{path}:{_line(error)} is not YAML: {problem}"]) from None
    except RecursionError:
        raise ConfigError([f"{path}: is nested too deep; sections and lists need a few levels only"]) from None
    return content


def _loaded(text: str) -> object:
    if _BRACKETS.search(text):
        raise RecursionError
    content: object = yaml.load(text, _Loader)  # noqa: S506 - a SafeLoader
    return content


def something_else(content: Mapping[str, object], sections: Sequence[str]) -> str:
    """What is said of a mapping that holds other things than these sections; empty when some are there or are meant."""
    if "type" in content and "judges" not in content:
        return "is a single judge; write it as `judges: [{type: ...}]`, which is one of the sections"
    if not content or not content.keys().isdisjoint(sections):
        return ""
    if content.keys() >= _OF_CALIBRATION:
        return "is a calibration file, and no configuration of ragmon; a configuration names it in `calibration_files`"
    meant = sum(bool(difflib.get_close_matches(key, sections, n=1, cutoff=_NEAR)) for key in content)
    if len(content) < _FEW or 2 * meant >= len(content):
        return ""  # misspelt: each key is told with the nearest one
    return f"is no configuration of ragmon; none of its {len(content)} keys is a section, such as `kafka:`"


def _text_of(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ConfigError([f"{path}: has more than {_MOST_BYTES >> 20} MB; is it a configuration file?"])
    return data.decode()


def _line(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    return f" line {mark.line + 1}" if mark else ""


def short(error: Exception) -> str:
    """The system's own words for an error, or its class."""
    return getattr(error, "strerror", None) or type(error).__name__
