"""Loads the settings: a YAML file, then environment variables `RAGMON_<SECTION>__<OPTION>` over it.

Every problem is reported at once, each with its path and the way to fix it (`ConfigError`).
"""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_settings import BaseSettings, EnvSettingsSource, SettingsConfigDict, SettingsError

from monitor.config.contradictions import contradictions, is_broker
from monitor.config.criteria import Criterion
from monitor.config.judges import JudgeSettings, LlmJudge
from monitor.config.mapping import MappingFile, TracerMapping
from monitor.config.salvage import salvage
from monitor.config.settings import Settings
from monitor.config.validation import NESTING, PREFIX, described, keys_twice, not_json, unknown_variables
from monitor.config.values import Secret
from monitor.config.yaml_file import read_yaml, short, something_else
from monitor.errors import ConfigError


class _Variables(Settings, BaseSettings):
    """What the library asks for the names of variables; it is never made."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter=NESTING, frozen=True, extra="forbid", hide_input_in_errors=True
    )


def load(path: Path | None) -> Settings:
    """The settings from `path` (None: defaults) and the environment. Raises ConfigError with every problem."""
    content = read_yaml(path)
    if other := something_else(content, tuple(Settings.model_fields)):
        raise ConfigError([f"{path}: {other}"])
    problems = unknown_variables(os.environ)
    problems += keys_twice(os.environ)
    wrong: Sequence[str] = ()
    try:
        content = _over(content, EnvSettingsSource(_Variables)())
    except SettingsError as error:
        problems += not_json(os.environ) or [f"environment: {error}; write lists and objects as JSON"]
        wrong = tuple(Settings.model_fields)  # what the variables would say is not known
    try:
        settings = Settings.model_validate(content)
    except ValidationError as error:
        problems += described(error, path)
        salvaged = salvage(content, error)
        if salvaged is None:
            raise ConfigError(problems) from None
        settings, wrong = salvaged.settings, (*wrong, *salvaged.wrong)
    settings = _with_files(_beside(settings, path.parent) if path else settings, problems)
    problems += contradictions(settings, wrong)
    if problems:
        raise ConfigError(problems)
    return settings


def _over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Two nested mappings as one; where both have something `above` counts."""
    both = {**below, **above}
    for key in below.keys() & above.keys():
        if isinstance(below[key], dict) and isinstance(above[key], dict):
            both[key] = _over(below[key], above[key])
    return both


def _beside(value: Any, folder: Path) -> Any:  # noqa: ANN401 - a setting of any type
    """A setting with every path in it taken from `folder`, where the file of the configuration is."""
    if isinstance(value, Path):
        return folder / value
    if isinstance(value, tuple):
        inside = tuple(_beside(inner, folder) for inner in value)
        return inside if any(map(operator.is_not, inside, value)) else value
    if isinstance(value, BaseModel):  # what nobody set must not look set afterwards
        changed = {name: found for name, inner in value if (found := _beside(inner, folder)) is not inner}
        return value.model_copy(update=changed) if changed else value
    return value


def _with_files(settings: Settings, problems: list[str]) -> Settings:
    """The settings with what the mapping and criteria files hold that they name; adds the files' problems."""
    mappings = list(settings.mappings)
    for file in settings.mapping_files:
        problems += _add_mappings(file, mappings)
    judges = tuple(_with_criteria(judge, index, problems) for index, judge in enumerate(settings.judges))
    return settings.model_copy(update={"mappings": tuple(mappings), "judges": judges})


def _add_mappings(file: Path, mappings: list[TracerMapping]) -> list[str]:
    """Take in the mappings of a file; gives its problems."""
    try:
        mappings += MappingFile(**read_yaml(file)).mappings
    except ValidationError as error:
        return described(error, file)
    except ConfigError as error:
        return [f"mapping_files: {problem}" for problem in error.problems]
    return []


def _with_criteria(judge: JudgeSettings, index: int, problems: list[str]) -> JudgeSettings:
    """The judge with the criteria of its files; adds their problems."""
    if not isinstance(judge, LlmJudge):
        return judge
    criteria = list(judge.criteria)
    for file in judge.criteria_files:
        try:
            criteria.append(Criterion(**read_yaml(file)))
        except ValidationError as error:
            problems += described(error, file, Criterion)
        except ConfigError as error:
            problems += [f"judges[{index}].criteria_files: {problem}" for problem in error.problems]
    return judge.model_copy(update={"criteria": tuple(criteria)})


def with_brokers(settings: Settings, brokers: str) -> Settings:
    """The settings with other brokers, from an argument `host:port,host:port`. Raises ConfigError."""
    listed = tuple(broker.strip() for broker in brokers.split(","))
    problems = [f"--brokers: {broker!r} is no address; write host:port" for broker in listed if not is_broker(broker)]
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
