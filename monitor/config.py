"""Loads the settings: a YAML file, then environment variables `RAGMON_<SECTION>__<OPTION>` over it.

Every problem is reported at once, each with its path and the way to fix it (`ConfigError`).
"""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, SettingsError

from monitor.criteria import Criterion
from monitor.errors import ConfigError
from monitor.judge_settings import JudgeSettings, LlmJudge
from monitor.mapping import MappingFile, TracerMapping
from monitor.prices import price_of
from monitor.section import Section
from monitor.setting_types import Secret
from monitor.settings import KafkaSecurity, Settings
from monitor.yaml_file import read_yaml, short, something_else

PREFIX = "RAGMON_"
_NESTING = "__"
_SECRETS = ("api_key", "password", "token", "pseudonym_key")
_BROKER = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})")
_LAST_PORT = 65535


class _Loaded(Settings, BaseSettings):
    """The settings with their sources; only `load` sees it."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter=_NESTING, frozen=True, extra="forbid", hide_input_in_errors=True
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Environment over file; no .env file, no secrets folder."""
        del settings_cls, dotenv_settings, file_secret_settings
        return env_settings, init_settings


def load(path: Path | None) -> Settings:
    """The settings from `path` (None: defaults) and the environment. Raises ConfigError with every problem."""
    content = read_yaml(path)
    if other := something_else(content, tuple(Settings.model_fields)):
        raise ConfigError([f"{path}: {other}"])
    # names with an underscore are arguments of the base class, one of which reads our command line
    own = {key: content.pop(key) for key in list(content) if key.startswith("_")}
    problems = _unknown_variables(os.environ) + [f"{path}: {key}: unknown key" for key in own]
    try:
        settings: Settings = _Loaded(**content)
    except ValidationError as error:
        problems += _described(error, path)
        raise ConfigError(problems) from None
    except SettingsError as error:
        problems += _not_json(os.environ) or [f"environment: {error}; write lists and objects as JSON"]
        raise ConfigError(problems) from None
    folder = path.parent if path else Path()
    mappings = list(settings.mappings)
    for file in settings.mapping_files:
        problems += _add_mappings(folder / file, mappings)
    judges = [_with_criteria(judge, folder, problems) for judge in settings.judges]
    settings = settings.model_copy(update={"mappings": tuple(mappings), "judges": tuple(judges)})
    files: dict[str, object] = {"calibration_files": tuple(folder / file for file in settings.calibration_files)}
    named = {name: getattr(settings, name) for name in ("promotions", "anchors")}
    files |= {name: folder / file for name, file in named.items() if file is not None}
    settings = settings.model_copy(update=files)
    problems += _contradictions(settings)
    if problems:
        raise ConfigError(problems)
    return settings


def _add_mappings(file: Path, mappings: list[TracerMapping]) -> list[str]:
    """Take in the mappings of a file; gives its problems."""
    try:
        mappings += MappingFile(**read_yaml(file)).mappings
    except ValidationError as error:
        return _described(error, file)
    except ConfigError as error:
        return list(error.problems)
    return []


def _with_criteria(judge: JudgeSettings, folder: Path, problems: list[str]) -> JudgeSettings:
    """The judge with the criteria of its files; adds their problems."""
    if not isinstance(judge, LlmJudge):
        return judge
    criteria = list(judge.criteria)
    for file in judge.criteria_files:
        try:
            criteria.append(Criterion(**read_yaml(folder / file)))
        except ValidationError as error:
            problems += _described(error, folder / file, Criterion)
        except ConfigError as error:
            problems += error.problems
    return judge.model_copy(update={"criteria": tuple(criteria)})


def with_brokers(settings: Settings, brokers: str) -> Settings:
    """The settings with other brokers, from an argument `host:port,host:port`. Raises ConfigError."""
    listed = tuple(broker.strip() for broker in brokers.split(","))
    problems = [f"--brokers: {broker!r} is no address; write host:port" for broker in listed if not _is_broker(broker)]
    if problems:
        raise ConfigError(problems)
    return settings.model_copy(update={"kafka": settings.kafka.model_copy(update={"brokers": listed})})


def load_secret(secret: Secret | None, where: str) -> str | None:
    """The value of a secret, None when none is configured. Raises ConfigError when it is missing or empty.

    `where` is its path in the configuration, for the message.
    """
    if secret is None:
        return None
    if secret.env is not None:
        value, origin = os.environ.get(secret.env, ""), f"environment variable {secret.env}"
    else:
        origin = f"file {secret.file}"
        try:
            value = Path(str(secret.file)).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError([f"{where}: {origin} cannot be read ({short(error)})"]) from None
    if not value.strip():
        raise ConfigError([f"{where}: {origin} is not set or empty; set it, or remove the option"])
    return value.strip()


def _described(error: ValidationError, path: Path | None, root: type[BaseModel] = Settings) -> list[str]:
    items = error.errors(include_url=False)  # inputs may be secrets: they are compared with words, never told
    places = [tuple(item["loc"]) for item in items]
    # a list whose items are all wrong is told to be too short as well
    wrong_inside = {place[:length] for place in places for length in range(len(place))}
    return [
        _describe(item, place, path, root)
        for item, place in zip(items, places, strict=True)
        if not (item["type"] == "too_short" and place in wrong_inside)
        and not (item["type"] == "extra_forbidden" and _variables(place, len(place)))  # see `_unknown_variables`
    ]


def _describe(item: Mapping[str, Any], location: Sequence[str | int], path: Path | None, root: type[BaseModel]) -> str:
    name = _dotted(location)
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
        case "tuple_type" | "list_type":
            text = "needs a list, such as [a, b]; write one value as [value]"
        case "model_type" | "model_attributes_type" | "dict_type" if name.endswith(_SECRETS):
            text = "is never written here; name its place: {env: VARIABLE} or {file: PATH}"
        case "model_type" | "model_attributes_type" | "dict_type":
            text = "needs a mapping, such as {option: value}"
        case _:
            text = str(item["msg"]).removeprefix("Value error, ")
    return text


def _origin(location: Sequence[str | int], path: Path | None) -> str:
    """Where a wrong value came from: the variable that sets it, else the file."""
    for length in range(len(location), 0, -1):
        for name in _variables(location, length):
            return f"environment variable {name}: "
    return f"{path}: " if path else ""


def _variables(location: Sequence[str | int], length: int) -> list[str]:
    """The variables that are set for the first `length` parts of a location."""
    wanted = (PREFIX + _NESTING.join(map(str, location[:length]))).upper()
    return [name for name in os.environ if name.upper() == wanted]


def _dotted(location: Sequence[str | int]) -> str:
    text = ""
    for index, part in enumerate(location):
        if isinstance(part, int):
            text += f"[{part}]"
        elif not (index and isinstance(location[index - 1], int) and part in _KINDS):
            text += f".{part}" if text else part
    return text or "the file"


def _known_keys(model: type[BaseModel], location: Sequence[str | int]) -> list[str]:
    """The option names of the section at `location`."""
    for index, part in enumerate(location):
        if isinstance(part, int):
            continue
        tagged = [m for m in _sections_of(Settings.model_fields["judges"].annotation) if _tag(m) == part]
        if tagged and index and isinstance(location[index - 1], int):
            model = tagged[0]
        elif part in model.model_fields:
            model = next(iter(_sections_of(model.model_fields[part].annotation)), model)
    return sorted(model.model_fields)


def _sections_of(annotation: Any) -> list[type[Section]]:  # noqa: ANN401 - a type expression can be anything
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return [annotation]
    return [section for argument in get_args(annotation) for section in _sections_of(argument)]


def _tag(model: type[BaseModel]) -> object:
    field = model.model_fields.get("type")
    return field.default if field else None


_KINDS = [str(_tag(model)) for model in _sections_of(JudgeSettings)]


def _unknown_variables(environ: Mapping[str, str]) -> list[str]:
    known = {(PREFIX + name).upper() for name in _variable_names(Settings)}
    problems = []
    for name in sorted(environ):
        if not name.upper().startswith(PREFIX) or name.upper() in known or _NESTING not in name:
            continue
        near = difflib.get_close_matches(name.upper(), sorted(known), n=1, cutoff=0.6)
        problems.append(f"environment variable {name}: no such option" + (f"; did you mean {near[0]}?" if near else ""))
    return problems


def _not_json(environ: Mapping[str, str]) -> list[str]:
    """The variables of lists and objects whose value is not JSON."""
    known = {(PREFIX + name).upper() for name in _variable_names(Settings, only_json=True)}
    problems = []
    for name in sorted(environ):
        if name.upper() in known:
            try:
                json.loads(environ[name])
            except ValueError:
                problems.append(f'environment variable {name}: is not JSON; write a list as ["a", "b"]')
    return problems


def _variable_names(model: type[BaseModel], prefix: str = "", *, only_json: bool = False) -> list[str]:
    """Names without the prefix; `only_json`: of those options whose value is written as JSON."""
    names = []
    for name, field in model.model_fields.items():
        sections = _sections_of(field.annotation)
        if not only_json or sections or get_origin(field.annotation) in {tuple, dict}:
            names.append(prefix + name)
        if len(sections) == 1:
            names += _variable_names(sections[0], prefix + name + _NESTING, only_json=only_json)
    return names


def _contradictions(settings: Settings) -> list[str]:
    """What single fields cannot see."""
    problems = _broker_problems(settings.kafka.brokers) + _security_problems(settings.kafka.security)
    if settings.source.pattern is not None:
        try:
            re.compile(settings.source.pattern)
        except re.error as error:
            problems.append(f"source.pattern: is not a regular expression: {error}")
    elif not settings.source.topics:
        problems.append("source.topics: name at least one topic, or give source.pattern")
    for section in ("judges", "mappings"):
        names = [one.name for one in getattr(settings, section)]
        twice = sorted({name for name in names if names.count(name) > 1})
        problems += [f"{section}: the name {name!r} is used twice" for name in twice]
    problems += _judge_problems(settings.judges)
    if settings.anchors is not None and settings.anchors_every * 2 > max(settings.board.windows):
        problems.append(
            "anchors_every: must be at most half of the longest of board.windows, as far as the verdict topic is read "
            "back at a start"
        )
    written = {settings.topics.verdicts, settings.topics.cases, settings.topics.dead_letters}
    if len(written) < len(("verdicts", "cases", "dead_letters")):
        problems.append("topics: verdicts, cases and dead_letters must be three different topics")
    if settings.source.pattern is None and written & set(settings.source.topics):
        problems.append("source.topics: ragmon would read what it writes; see topics")
    return problems


def _judge_problems(judges: Sequence[JudgeSettings]) -> list[str]:
    problems = _shadow_problems(judges)
    for index, judge in enumerate(judges):
        if not isinstance(judge, LlmJudge):
            continue
        where = f"judges[{index}]"
        twice = sorted({name for name in judge.judged if judge.judged.count(name) > 1})
        problems += [f"{where}: {name!r} is judged twice; give each evaluation and criterion once" for name in twice]
        if not judge.judged and not judge.criteria_files:
            problems.append(f"{where}.evaluations: name at least one, or give criteria")
        problems += _price_problems(judge, where)
    return problems


def _shadow_problems(judges: Sequence[JudgeSettings]) -> list[str]:
    """A shadow runs beside a judge whose scores count."""
    counting = [judge.name for judge in judges if judge.shadow_of is None]
    known = ", ".join(counting) or "none"
    return [
        f"judges[{index}].shadow_of: {judge.shadow_of!r} is no judge whose scores count; known are {known}"
        for index, judge in enumerate(judges)
        if judge.shadow_of is not None and judge.shadow_of not in counting
    ]


def _price_problems(judge: LlmJudge, where: str) -> list[str]:
    """A limit of money needs to know what is spent."""
    caps = [name for name in ("cost_per_hour", "cost_per_day") if getattr(judge, name) is not None]
    if not caps:
        return []
    if (judge.input_price is None) != (judge.output_price is None):
        return [f"{where}.{caps[0]}: needs both input_price and output_price, not one of them"]
    if price_of(judge.price_table, judge.model):
        return []
    entry = f"{{{judge.model}: {{input: ..., output: ...}}}}"
    return [
        f"{where}.{caps[0]}: nothing prices model {judge.model!r}; give `prices: {entry}`, 0 where it costs nothing"
    ]


def _broker_problems(brokers: Sequence[str]) -> list[str]:
    return [
        f"kafka.brokers[{index}]: {broker!r} is no address; write host:port, such as localhost:9092"
        for index, broker in enumerate(brokers)
        if not _is_broker(broker)
    ]


def _is_broker(text: str) -> bool:
    match = _BROKER.fullmatch(text)
    return match is not None and 0 < int(match[1]) <= _LAST_PORT


def _security_problems(security: KafkaSecurity) -> list[str]:
    where, problems = "kafka.security", []
    if security.protocol.startswith("sasl"):
        if security.mechanism == "oauthbearer" and security.token is None:
            problems.append(f"{where}.token: is required for oauthbearer")
        if security.mechanism in {"plain", "scram-sha-256", "scram-sha-512"}:
            problems += [
                f"{where}.{name}: is required for {security.mechanism}"
                for name in ("username", "password")
                if getattr(security, name) is None
            ]
    if (security.cert_file is None) != (security.key_file is None):
        problems.append(f"{where}: give both cert_file and key_file, or neither")
    for name in ("ca_file", "cert_file", "key_file"):
        file: Path | None = getattr(security, name)
        if file is not None and not file.is_file():
            problems.append(f"{where}.{name}: {file} is not a file")
    return problems


def check_secrets(settings: Settings) -> list[str]:
    """Problems of every secret that the settings name: a missing key is told at start, not at the first request."""
    secrets = {
        "kafka.security.password": settings.kafka.security.password,
        "kafka.security.token": settings.kafka.security.token,
        "privacy.pseudonym_key": settings.privacy.pseudonym_key,
    }
    for index, judge in enumerate(settings.judges):
        if isinstance(judge, LlmJudge):
            secrets[f"judges[{index}].api_key"] = judge.api_key
    problems: list[str] = []
    for where, secret in secrets.items():
        try:
            load_secret(secret, where)
        except ConfigError as error:
            problems += error.problems
    return problems
