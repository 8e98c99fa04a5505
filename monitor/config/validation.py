"""What is wrong with a configuration, in words: each problem with its place, its path and the way to mend it."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ValidationError

from monitor.config.judges import JudgeSettings
from monitor.config.section import Section
from monitor.config.settings import Settings
from monitor.config.values import duration_text, parse_duration

PREFIX = "RAGMON_"
"""Of every variable that is an option."""
NESTING = "__"
"""Stands between the names of sections and options in a variable."""
_CRITERIA = "criteria."
_OPTION = re.compile(r"(?:(?P<judge>judge [a-z0-9_.-]+)|(?P<section>\w+)(?:\.\w+|\[\d+\])*): ")
_SECRETS = ("api_key", "password", "token", "pseudonym_key")


def described(error: ValidationError, path: Path | None, root: type[BaseModel] = Settings) -> list[str]:
    """What is wrong, one line each: the file or the variable, the path of the option, and the way to mend it.

    `root` is the section that the file holds. Values are never told, as they may be secrets.
    """
    items = error.errors(include_url=False)
    places = [tuple(item["loc"]) for item in items]
    # a list whose items are all wrong is told to be too short as well
    wrong_inside = {place[:length] for place in places for length in range(len(place))}
    return [
        _describe(item, place, path, root)
        for item, place in zip(items, places, strict=True)
        if not (item["type"] == "too_short" and place in wrong_inside)
        and not (item["type"] == "extra_forbidden" and _variables(place, len(place)))  # see `unknown_variables`
    ]


def _describe(item: Mapping[str, Any], location: Sequence[str | int], path: Path | None, root: type[BaseModel]) -> str:
    name = dotted(location)
    where = _origin(location, path)
    return f"{where}{name}: {_wrong(item, location, name, root)}"


def _wrong(item: Mapping[str, Any], location: Sequence[str | int], name: str, root: type[BaseModel]) -> str:
    """What is wrong, and how to mend it."""
    match item["type"]:
        case "extra_forbidden":
            known = _known_keys(root, location[:-1])
            near = difflib.get_close_matches(str(location[-1]), known, n=1, cutoff=0.5)
            hint = f"did you mean `{near[0]}`?" if near else f"known here: {', '.join(known)}"
            text = f"unknown key; {hint}"
        case "missing":
            text = "is required"
        case "union_tag_not_found" | "union_tag_invalid":
            given = str(item.get("ctx", {}).get("tag", ""))
            near = difflib.get_close_matches(given, _KINDS, n=1, cutoff=0.5)
            text = f"needs `type: {'`, `'.join(_KINDS[:-1])}` or `{_KINDS[-1]}`"
            text += f", not {given[:40]!r}" if given else ""
            text += f"; did you mean `{near[0]}`?" if near else ""
        case "literal_error":
            known = re.findall(r"'([^']*)'", str(item["ctx"]["expected"]))
            near = difflib.get_close_matches(str(item["input"]), known, n=1, cutoff=0.5)
            text = str(item["msg"]) + (f"; did you mean `{near[0]}`?" if near else "")
            if str(item["input"]).startswith(_CRITERIA):
                text = "is a criterion of your own, which `criteria` or `criteria_files` switch on; leave it out"
        case "path_type":
            text = "needs the path of a file, such as rows.jsonl"
        case "tuple_type" | "list_type":
            text = "needs a list, such as [a, b]; write one value as [value]"
        case "model_type" | "model_attributes_type" | "dict_type" if name.endswith(_SECRETS):
            text = "is never written here; name its place: {env: VARIABLE} or {file: PATH}"
        case "model_type" | "model_attributes_type" | "dict_type":
            text = "needs a mapping, such as {option: value}"
        case _:
            text = _about_time(item, location, root) or str(item["msg"]).removeprefix("Value error, ")
    return text


_BOUNDS = {
    "greater_than_equal": "needs at least",
    "greater_than": "needs more than",
    "less_than_equal": "needs at most",
    "less_than": "needs less than",
}


def _about_time(item: Mapping[str, Any], location: Sequence[str | int], root: type[BaseModel]) -> str:
    """What is wrong with a duration, with the bound as durations are written; empty where nothing is known of that."""
    kind = item["type"]
    if kind not in {*_BOUNDS, "finite_number"} or not _is_duration(root, location):
        return ""
    if kind not in _BOUNDS:
        return "is not a duration; write seconds, or a number with ms, s, m, h or d, such as 5m"
    (bound,) = item["ctx"].values()
    return f"{_BOUNDS[kind]} {duration_text(float(bound))}"


def _origin(location: Sequence[str | int], path: Path | None) -> str:
    """Where a wrong value came from: the variable that sets it, else the file."""
    for length in range(len(location), 0, -1):
        for name in _variables(location, length):
            return f"environment variable {name}: "
    return f"{path}: " if path else ""


def _variables(location: Sequence[str | int], length: int) -> list[str]:
    """The variables that are set for the first `length` parts of a location."""
    wanted = (PREFIX + NESTING.join(map(str, location[:length]))).upper()
    return [name for name in os.environ if name.upper() == wanted]


def in_file(problem: str, path: Path | None) -> str:
    """A problem that begins with the path of an option, or with a judge, with the file in front.

    As it is where there is no file, where it begins with the file, and for an option of a section that a variable sets.
    """
    found = _OPTION.match(problem)
    if path is None or found is None or problem.startswith(f"{path}:"):
        return problem
    section = "judges" if found["judge"] else found["section"]
    variable = f"{PREFIX}{section}".upper()
    is_set = any(name.upper() == variable or name.upper().startswith(variable + NESTING) for name in os.environ)
    return problem if is_set or section not in Settings.model_fields else f"{path}: {problem}"


def dotted(location: Sequence[str | int]) -> str:
    """The path of an option as people write it; of a judge without its kind."""
    text = ""
    for index, part in enumerate(location):
        if isinstance(part, int):
            text += f"[{part}]"
        elif not (index and isinstance(location[index - 1], int) and part in _KINDS):
            text += f".{part}" if text else part
    return text or "the file"


def _is_duration(root: type[BaseModel], location: Sequence[str | int]) -> bool:
    """Whether the option at `location`, or each value of its list, is a time."""
    name = next(part for part in reversed(location) if isinstance(part, str))
    field = _section_at(root, location).model_fields.get(name)
    return field is not None and _holds_seconds((field.annotation, *field.metadata))


def _holds_seconds(parts: Iterable[object]) -> bool:
    """Whether one of the parts of a type is that of durations."""
    return any(
        (isinstance(part, BeforeValidator) and part.func is parse_duration)
        or _holds_seconds((*get_args(part), *getattr(part, "__metadata__", ())))
        for part in parts
    )


def _known_keys(model: type[BaseModel], location: Sequence[str | int]) -> list[str]:
    """The option names of the section at `location`."""
    return sorted(_section_at(model, location).model_fields)


def _section_at(model: type[BaseModel], location: Sequence[str | int]) -> type[BaseModel]:
    """The section that the option at `location` is of."""
    for index, part in enumerate(location):
        if isinstance(part, int):
            continue
        tagged = [m for m in _sections_of(Settings.model_fields["judges"].annotation) if _tag(m) == part]
        if tagged and index and isinstance(location[index - 1], int):
            model = tagged[0]
        elif part in model.model_fields:
            model = next(iter(_sections_of(model.model_fields[part].annotation)), model)
    return model


def _sections_of(annotation: Any) -> list[type[Section]]:  # noqa: ANN401 - a type expression can be anything
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return [annotation]
    return [section for argument in get_args(annotation) for section in _sections_of(argument)]


def _tag(model: type[BaseModel]) -> object:
    field = model.model_fields.get("type")
    return field.default if field else None


_KINDS = [str(_tag(model)) for model in _sections_of(JudgeSettings)]


def unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """The variables with our prefix and a section that are no option, one line each."""
    known = {(PREFIX + name).upper() for name in _variable_names(Settings)}
    problems = []
    for name in sorted(environ):
        if not name.upper().startswith(PREFIX) or name.upper() in known or NESTING not in name:
            continue
        near = difflib.get_close_matches(name.upper(), sorted(known), n=1, cutoff=0.6)
        problems.append(f"environment variable {name}: no such option" + (f"; did you mean {near[0]}?" if near else ""))
    return problems


def not_json(environ: Mapping[str, str]) -> list[str]:
    """The variables of lists and objects whose value is not JSON, one line each."""
    wrong = [name for name, error in _unread(environ) if not isinstance(error, _TwiceError)]
    return [f'environment variable {name}: is not JSON; write a list as ["a", "b"]' for name in wrong]


def keys_twice(environ: Mapping[str, str]) -> list[str]:
    """The variables of lists and objects that hold a key twice, one line each: one of its values would be lost."""
    return [
        f"environment variable {name}: the key `{error}` stands twice; join the two"
        for name, error in _unread(environ)
        if isinstance(error, _TwiceError)
    ]


def _unread(environ: Mapping[str, str]) -> Iterator[tuple[str, Exception]]:
    """The variables of lists and objects that cannot be read, and why."""
    known = {(PREFIX + name).upper() for name in _variable_names(Settings, only_json=True)}
    for name in sorted(environ):
        if name.upper() in known:
            try:
                json.loads(environ[name], object_pairs_hook=_once)
            except (ValueError, RecursionError) as error:
                yield name, error


class _TwiceError(ValueError):
    """A key that stands twice in an object."""


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise _TwiceError(Counter(name for name, _ in pairs).most_common(1)[0][0][:40])
    return made


def _variable_names(model: type[BaseModel], prefix: str = "", *, only_json: bool = False) -> list[str]:
    """Names without the prefix; `only_json`: of those options whose value is written as JSON."""
    names = []
    for name, field in model.model_fields.items():
        sections = _sections_of(field.annotation)
        if not only_json or sections or get_origin(field.annotation) in {tuple, dict}:
            names.append(prefix + name)
        if len(sections) == 1:
            names += _variable_names(sections[0], prefix + name + NESTING, only_json=only_json)
    return names
