"""Which configured judge a command means, how much of it, and why none where there is none."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Collection, Mapping, Sequence
from typing import get_args

from monitor.building_judges import evaluations_of
from monitor.config.judges import Evaluation, JudgeSettings, LlmJudge
from monitor.config.settings import Settings
from monitor.errors import InputError
from monitor.judges.prompts.group import grouped
from monitor.judges.prompts.registry import evaluations_of as prompts_of

_Offers = Mapping[str, Sequence[str]]
"""What each configured judge gives, by its name."""


def choose(evaluation: str, name: str | None, settings: Settings) -> JudgeSettings:
    """The first configured judge that gives the evaluation: of that name, or one whose scores count.

    Says which one, where nobody did and others would give it as well. Raises InputError.
    """
    offers = {judge.name: evaluations_of(judge) for judge in settings.judges}
    if name is not None and name not in offers:
        raise InputError(f"--judge {name}: there is no such judge; configured are {', '.join(offers)}")
    for judge in settings.judges:
        if evaluation in offers[judge.name] and (judge.shadow_of is None if name is None else name == judge.name):
            others = [one for one, given in offers.items() if evaluation in given and one != judge.name]
            if name is None and others:
                sys.stderr.write(
                    f"ragmon: {evaluation} is judged by {judge.name}; --judge takes {' or '.join(others)} instead\n"
                )
            return judge
    if name is not None:
        raise InputError(f"--judge {name}: does not give {evaluation}; {_who(evaluation, offers, settings)}")
    if any(evaluation in given for given in offers.values()):
        shadows = "only judges that run beside another one give it; "
    else:
        shadows = ""
    raise InputError(f"--evaluation {evaluation}: {shadows}{_who(evaluation, offers, settings)}")


def asked_for(evaluations: Collection[str], judge: JudgeSettings) -> JudgeSettings:
    """The judge with the evaluations, and those that share a call with one: no other call is made, or paid.

    A command asks about every row, so there is no cascade. The fingerprints are the ones of the whole judge.
    """
    if not isinstance(judge, LlmJudge):
        return judge
    groups = grouped(prompts_of(judge), judge.calls)
    calls = [{one.evaluation for one in group.evaluations} for group in groups]
    asked = set().union(*(names for names in calls if not names.isdisjoint(evaluations)))
    own = tuple(name for name in judge.evaluations if name in asked)
    criteria = tuple(one for one in judge.criteria if one.evaluation in asked)
    return judge.model_copy(update={"evaluations": own, "criteria": criteria, "cascade": None})


def _who(evaluation: str, offers: _Offers, settings: Settings) -> str:
    """Which judges give an evaluation, or what it takes that one does."""
    giving = [name for name, given in offers.items() if evaluation in given]
    if giving:
        return f"{' or '.join(f'--judge {name}' for name in giving)} does"
    if evaluation in get_args(Evaluation):
        has_llm = any(isinstance(judge, LlmJudge) for judge in settings.judges)
        where = "one that is configured" if has_llm else "one in a configuration, and name the file with -c"
        return f"it takes a judge of `type: llm`; list it under `evaluations` of {where} (docs/judges.md)"
    known = sorted({given for evaluations in offers.values() for given in evaluations})
    near = difflib.get_close_matches(evaluation, [*known, *get_args(Evaluation)], n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    return f"no configured judge gives it; {hint}known are {', '.join(known)}"
