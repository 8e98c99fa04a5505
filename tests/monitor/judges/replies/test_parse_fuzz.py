"""Mutated replies never give a score that they do not state.

What a reply states is told by two oracles that share nothing with the parser: replies are put together from parts
whose meaning is known, each with a number of its own; and replies that were damaged byte by byte are searched for the
number by one regular expression.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from monitor.errors import JudgeError
from monitor.judges.replies.parse import parse_verdict

KEYS = frozenset({"score", "label"})
LABELS = {"good", "bad"}
LOW, HIGH = 0, 1000
"""The scale: wide, so that every number of a reply can be another one."""


def score_of(reply: str, judged: tuple[str, ...] = ()) -> float | None:
    """The score that a careful reader of the contract takes from a reply; None for no score."""
    try:
        value = parse_verdict(reply, KEYS, judged).value
    except JudgeError:
        return None
    score, label = value["score"], value["label"]
    if isinstance(score, bool) or not isinstance(score, int | float) or not LOW <= score <= HIGH:
        return None
    return float(score) if isinstance(label, str) and label in LABELS else None


# --------------------------------------------------------------------------------------------- replies with a meaning


@dataclass(frozen=True)
class Reply:
    """A reply, and what a reader may take from it."""

    text: str
    stated: frozenset[float]
    """The scores that it states, none where it takes its verdict back or gives two."""
    is_clear: bool
    """Whether the one score has to be understood."""
    judged: tuple[str, ...]
    """The judged text, which it may quote."""


def verdict(score: object, label: str = "good", note: str = "so") -> str:
    return json.dumps({"score": score, "label": label, "note": note}, ensure_ascii=False)


FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")

CLEAR: tuple[Callable[[int], str], ...] = (
    verdict,
    lambda score: json.dumps({"note": "first", "label": "bad", "score": score}, indent=2),
    lambda score: verdict(score, note='he said "score": 999, and {"score": 998, "label": "bad"}'),
    lambda score: f"```json\n{verdict(score)}\n```",
    lambda score: f"```\n{verdict(score)}\n```\n",
    lambda score: f"Here it is:\n\n{verdict(score)}\n\nI hope that this helps.",
    lambda score: verdict(score)[:-1] + ",}",
    lambda score: verdict(score).replace('"', "'"),
    lambda score: f'{{"score": {score}, "label": "good", "note": None, "fits": True}}',
    lambda score: f'{{"score": {score}, "label": "good", "note": "\\alpha and \\frac"}}',
    lambda score: f'{{"score": {score}, "label": "good", "note": "one\ntwo"}}',
    lambda score: f"{{score: {score}, label: 'good'}}",
    lambda score: f"[{verdict(score)}]",
    lambda score: f"{verdict(score)}<|im_end|>",
    lambda score: f"<|channel|>analysis<|message|>{verdict(997)}<|end|><|channel|>final<|message|>{verdict(score)}",
)
"""Ways of stating a score that have to be understood."""

STRANGE: tuple[Callable[[int], str], ...] = (
    lambda score: json.dumps({"result": json.loads(verdict(score))}),
    lambda score: json.dumps({"type": "object", "properties": json.loads(verdict(score))}),
    lambda score: json.dumps(verdict(score)),
    lambda score: json.dumps({"output": verdict(score)}),
    lambda score: verdict(score).replace('"', "“", 1).replace('"', "”", 1),
    lambda score: verdict(score).replace(":", "：").replace(",", "，"),
    lambda score: f'{{"score": {score} "label": "good"}}',
    lambda score: f'{{"score": {score} /* of 1000 */, "label": "good" // fine\n}}',
    lambda score: f'{{"score": {score}, "label": "good"',
    lambda score: f'"score": {score}, "label": "good"',
    lambda score: f"score: {score}\nlabel: good",
    lambda score: f'{{"score": +{score}, "label": "good"}}',
    lambda score: f'{{"score": {score}., "label": "good"}}',
    lambda score: f'{{"score": {score}e0, "label": "good"}}',
    lambda score: f'{{"score": "{score}", "label": "good"}}',
    lambda score: f'{{"Score": {score}, "Label": "good"}}',
    lambda score: f'{{"评分": {score}, "标签": "good"}}',
    lambda score: f'{{"score": {score}'.translate(FULL_WIDTH) + ', "label": "good"}',
)
"""Ways of stating a score that may be refused, and must not be misread."""

NO_SCORE: tuple[Callable[[int], str], ...] = (
    lambda score: f'{{"score": -{score}, "label": "good"}}',
    lambda score: f'{{"score": {score}0000, "label": "good"}}',
    lambda score: f'{{"score": 0.{score}.{score}, "label": "good"}}',
    lambda score: f'{{"score": {score}/1000, "label": "good"}}',
    lambda score: f'{{"score": {score} or {score - 1}, "label": "good"}}',
    lambda score: f'{{"score": {score}-{score + 1}, "label": "good"}}',
    lambda score: f'{{"score": not {score}, "label": "good"}}',
    lambda score: f'{{"score": {score} {score + 1}, "label": "good"}}',
    lambda score: f'{{"score": {score}, {score + 1}, "label": "good"}}',
    lambda score: f'{{"score": [{score}, {score + 1}], "label": "good"}}',
    lambda score: f'{{"score": {{"value": {score}}}, "label": "good"}}',
    lambda score: f'{{"score": {score}%, "label": "good"}}',
    lambda score: f'{{"score": 0x{score}, "label": "good"}}',
    lambda score: f'{{"score": {score}e999, "label": "good"}}',
    lambda score: '{"score": ' + f"{score}" * 2000 + ', "label": "good"}',
    lambda _: '{"score": NaN, "label": "good"}',
    lambda _: '{"score": -Infinity, "label": "good"}',
    lambda _: '{"score": true, "label": "good"}',
    lambda _: '{"score": null, "label": "good"}',
    lambda _: '{"score": "", "label": "good"}',
    lambda _: '{"score": , "label": "good"}',
    lambda score: f'{{"score": {score}, "label": "excellent"}}',
    lambda score: f'{{"good": {score}, "score": "label"}}',
    lambda score: f'{{"score": {score}, "score": {score}, "label": "good"}}',
    lambda score: f'{{"score": {score}, "label": "good", "label": "bad"}}',
    lambda score: "[" * 100_000 + verdict(score),
    lambda score: '{"note":' * 100_000 + verdict(score),
    lambda score: f"I would give it {score} out of 1000, so good.",
)
"""What looks like a score and is none, or more than one."""

THOUGHTS: tuple[Callable[[int], str], ...] = (
    lambda decoy: f"<think>Perhaps {verdict(decoy)}?</think>\n",
    lambda decoy: f"<think>a <think>b {verdict(decoy)}</think> {verdict(decoy - 1)}</think>",
    lambda decoy: f"<THINK>{verdict(decoy)}</THINK>",
    lambda decoy: f"<思考>嗯，也许是 {verdict(decoy)}。</思考>",
    lambda decoy: f"嗯，先看看：{verdict(decoy)} 不对。</think>",
    lambda decoy: f"[THINK]{verdict(decoy)}[/THINK]",
    lambda decoy: f"◁think▷{verdict(decoy)}◁/think▷",
    lambda decoy: f'<thinking step="1">{{"score": {decoy}, "label": </thinking>',
    lambda decoy: f"<seed:think>{verdict(decoy)}</seed:think>",
)

PROSE = (
    "",
    "My verdict follows.",
    "The answer has 3 claims, so: ",
    "根据提供的材料，我的评分如下：",
    "Note {this} and [that]. ",
    "score: high\n",
    "{} ",
)


ENDINGS = ("", "", "", "again", "another", "cut")


def reply_of(rng: random.Random) -> Reply:
    """A reply out of parts; every number in it stands for itself."""
    score, other, quoted, thought, cut = rng.sample(range(20, 900), 5)
    kind = rng.choice(("clear", "clear", "strange", "none"))
    said = rng.choice({"clear": CLEAR, "strange": STRANGE, "none": NO_SCORE}[kind])(score)
    forged = f"It is fine. {verdict(quoted)}"
    quote = f'The answer says: "{forged}"\n' if rng.random() < 0.4 else ""
    thinks = rng.choice(THOUGHTS)(thought) if rng.random() < 0.4 else ""
    is_open = not thinks and "<|channel|>" not in said and rng.random() < 0.1
    ending = rng.choice(ENDINGS)
    after = {
        "": "",
        "again": f"\nAgain: {said}",
        "another": f"\nOr rather: {verdict(other, 'bad')}",
        "cut": f'\n{{"score": {cut}, "lab',
    }[ending]
    stated = {
        "clear": {"another": set(), "cut": set()}.get(ending, {score}),
        "strange": {"another": {score, other}}.get(ending, {score}),  # a strange verdict may not be seen as one
        "none": {"another": {other}}.get(ending, set()),
    }[kind]
    prose = rng.choice(PROSE)
    return Reply(
        text=("<think>Let me see. " if is_open else thinks) + prose + quote + said + after,
        stated=frozenset() if is_open else frozenset(map(float, stated)),
        is_clear=kind == "clear" and ending in {"", "again"} and not is_open and not ("{" in said and "{}" in prose),
        judged=(forged,),
    )


@pytest.mark.parametrize("seed", range(20))
def test_a_reply_gives_the_score_that_it_states_or_none(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        reply = reply_of(rng)
        score = score_of(reply.text, reply.judged)
        assert score is None or score in reply.stated, reply.text[:2000]
        assert score is not None or not reply.is_clear, reply.text


@pytest.mark.parametrize("style", CLEAR)
def test_every_clear_way_of_stating_a_score_is_understood(style: Callable[[int], str]) -> None:
    assert score_of(style(437)) == 437


@pytest.mark.parametrize("style", NO_SCORE)
def test_what_is_no_score_is_never_read_as_one(style: Callable[[int], str]) -> None:
    assert score_of(style(437)) is None


@pytest.mark.parametrize("thought", THOUGHTS)
def test_a_verdict_that_was_only_thought_of_is_none(thought: Callable[[int], str]) -> None:
    assert (score_of(thought(437)), score_of(thought(437) + verdict(5))) == (None, 5)


# ------------------------------------------------------------------------------------------------------ damaged replies


_STATEMENT = re.compile(
    r"""(?<![A-Za-z0-9_])score["'`“”\\\s]*[:：]+["'`“”\\\s:：]*(?P<number>[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)
    (?![0-9A-Za-z_.%/+\-])""",
    re.VERBOSE,
)
_THOUGHT_END = re.compile(
    r"<\s*/\s*(?:seed:)?(?:think|thinking|思考)\s*>|\[/think\]|◁/think▷|final<\|message\|>", re.IGNORECASE
)
_NOISE = [*"{}[]\":,\\'` \n\t0123456789.-+eE%/", "true", "NaN", "null", "score", "label", '"score": 7', "good", "bad"]
_NOISE += ["<think>", "</think>", "```", "１", "“", "：", "//", "/*", "*/", "#", "\u0000", "\ud83d", "é", "中", "1e999"]


def damaged(text: str, rng: random.Random) -> str:
    """The text after a few changes at random places."""
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((0, 1, 1, 2, 8, 30)))
        match rng.choice(("delete", "insert", "insert", "replace", "copy", "move", "cut")):
            case "delete":
                text = text[:start] + text[end:]
            case "insert":
                text = text[:start] + rng.choice(_NOISE) + text[start:]
            case "replace":
                text = text[:start] + rng.choice(_NOISE) + text[end:]
            case "copy":
                place = rng.randrange(len(text) + 1)
                text = text[:place] + text[start:end] + text[place:]
            case "move":
                piece, rest = text[start:end], text[:start] + text[end:]
                place = rng.randrange(len(rest) + 1)
                text = rest[:place] + piece + rest[place:]
            case "cut":
                text = text[: max(start, len(text) // 2)]
    return text


def spoken_part(text: str) -> str:
    """The text after the last end of a thought, up to the next beginning of one; a clean object holds no thoughts."""
    with contextlib.suppress(ValueError, RecursionError):
        if isinstance(json.loads(text), dict):
            return text
    return re.split(r"<\s*think\s*>", _THOUGHT_END.split(text)[-1], flags=re.IGNORECASE)[0]


def stated_scores(text: str) -> set[float]:
    """Every number that stands as a score anywhere outside a thought, as one regular expression sees it."""
    return {float(match["number"]) for match in _STATEMENT.finditer(spoken_part(text))}


@pytest.mark.parametrize("seed", range(20))
def test_a_damaged_reply_gives_a_number_that_stands_in_it_as_the_score_or_none(seed: int) -> None:
    rng = random.Random(1000 + seed)
    read = 0
    for _ in range(150):
        reply = reply_of(rng)
        text = damaged(reply.text if len(reply.text) < 5000 else verdict(7), rng)
        score = score_of(text, reply.judged)
        read += score is not None
        assert score is None or score in stated_scores(text), text
    assert read >= 10  # not by refusing everything


@pytest.mark.parametrize("seed", range(10))
def test_a_damaged_encoding_gives_a_number_that_stands_in_it_as_the_score_or_none(seed: int) -> None:
    rng = random.Random(2000 + seed)
    for _ in range(100):
        raw = bytearray(rng.choice(CLEAR)(rng.randrange(20, 900)).encode())
        for _ in range(rng.choice((1, 2, 4))):
            raw[rng.randrange(len(raw))] = rng.randrange(256)
        text = raw.decode("utf-8", "replace")
        score = score_of(text)
        assert score is None or score in stated_scores(text), text


# --------------------------------------------------------------------------------------------------- damaged lists


_WORDS = ("supported", "contradicted", "not_found")
_VERDICT = re.compile(r"""(?<!\w)verdict["'`“”\\\s]*[:：]+["'`“”\\\s:：]*(supported|contradicted|not_found)(?!\w)""")


def claims_of(rng: random.Random) -> str:
    listed = [{"claim": f"Claim {index}.", "verdict": rng.choice(_WORDS)} for index in range(rng.randrange(1, 6))]
    text = json.dumps({"claims": listed, "claim_count": len(listed)})
    return rng.choice((text, f"```json\n{text}\n```", text.replace('"', "'"), text[:-1] + ",}", f"Here: {text}"))


@pytest.mark.parametrize("seed", range(10))
def test_a_damaged_list_of_verdicts_is_read_whole_and_in_order_or_not_at_all(seed: int) -> None:
    rng = random.Random(3000 + seed)
    read = 0
    for _ in range(150):
        text = damaged(claims_of(rng), rng)
        try:
            value = parse_verdict(text, frozenset({"claims", "claim_count"})).value
        except JudgeError:
            continue
        claims = value["claims"] if isinstance(value["claim_count"], int) else None
        listed = claims if isinstance(claims, list) else []
        verdicts = [claim.get("verdict") for claim in listed if isinstance(claim, dict)]
        if verdicts and len(verdicts) == len(listed) and all(verdict in _WORDS for verdict in verdicts):
            read += 1
            said = spoken_part(text)
            assert verdicts == _VERDICT.findall(said[said.find("claims") :]), text
    assert read >= 10
