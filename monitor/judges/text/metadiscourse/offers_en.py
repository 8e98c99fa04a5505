"""Offers in English: what an assistant could do next, what it would have to know for that, and in which case.

"If you tell me your tariff, I can work out the costs." A clause is told by its grammar: the assistant speaks of work on
texts that it itself could do, or asks to be told something; nothing in it may state, name, count or value anything.
What a company would do ("We can refund it") is a claim.
"""

from __future__ import annotations

import re

from monitor.judges.text.words import is_like_a_name

_WORK = (
    r"(?:re-?)?(?:explain|draft|writ(?=e|ing)|phras|word(?=s?\b)|translat|summari[sz]|calculat|comput|estimat"
    r"|compar|outlin|sketch|list(?=s?\b|ing)"
    r"|describ|clarif|elaborat|expand|tailor|adapt|format|simplif|shorten|illustrat|demonstrat|troubleshoot"
    r"|brainstorm"
    r"|customi[sz]|personali[sz]|proofread|edit(?=s?\b|ing)|polish|refin|structur|organi[sz]|interpret"
    r"|analy[sz]|review|assess|verif"
    r"|convert|condens|visuali[sz]|diagnos|help|assist|guid|support|answer|show|walk|dig|dive|zoom|drill|narrow"
    r"|identif"
    r"|pinpoint|check|double-check|look|go|work|figur|find|break|lay|map|talk|step|run|plan|design|build|put"
    r"|turn|point"
    r"|tell|adjust|updat|fill|discuss|address|advise?|be more|do|try|take|come up)(?:e|y|ing|ying)?\b"
)
"""What an assistant does with texts, in its base form or with `-ing`."""
_ANY_OBJECT = re.compile(rf"(?:(?:then|also|even|quickly|gladly|happily|certainly) )*{_WORK}")
_WITH_A_PARTICLE = re.compile(
    r"(?:tell(?:ing)? (?:you )?(?:more |exactly |right away )*(?:about|which|what|whether|how|where|when|who)\b"
    r"|tell(?:ing)? you$|show(?:ing)? (?:you )?(?:exactly )?(?:how|what|which|where)\b"
    r"|walk(?:ing)? (?:you )?through"
    r"|go(?:ing)? (?:\w+ )?(?:into|through|deeper|further)\b"
    r"|go(?:ing)? over (?:this|that|it|these|them|each|any|the (?:steps?|details?|options?"
    r"|points?|process|exceptions?|requirements?|form))\b|dig(?:ging)?\b"
    r"|div(?:e|ing)\b"
    r"|work(?:ing)? (?:\w+ ){0,3}?(?:out|through|with)\b|figur(?:e|ing) (?:\w+ ){0,2}?out\b|find(?:ing)? out\b"
    r"|look(?:ing)? (?:\w+ )?(?:into|at|up|over|for|more|closer)\b|break(?:ing)? (?:\w+ ){1,6}?down\b"
    r"|break(?:ing)? down\b"
    r"|(?:lay|map)(?:ing)? (?:\w+ ){0,3}?out\b|talk(?:ing)? (?:you )?through|step(?:ping)? through"
    r"|run(?:ning)? (?:through|the (?:numbers|calculation))"
    r"|put(?:ting)? (?:\w+ ){1,4}?(?:into|in|together)\b|put(?:ting)? together\b|turn(?:ing)? (?:\w+ ){1,4}?into\b"
    r"|point(?:ing)? you (?:to|in)\b|narrow(?:ing)? (?:\w+ ){0,2}?down\b|plan(?:ning)? (?:your|a|the)\b"
    r"|check(?:ing)? (?:whether|if|which|what|how|when|where|for|this|that|it|(?:the|any) (?:exact|specific"
    r"|details|conditions|rules|terms|options|requirements|other))\b|check(?:ing)?$"
    r"|fill(?:ing)? (?:it |this )?(?:in|out)\b|do(?:ing)? (?:(?:the|some|your) (?:math|maths|calculations?"
    r"|comparison|same|sums?|research)|that|this|it|so)\b"
    r"|try(?:ing)? (?:something|another|other)\b|take it from there\b|try(?:ing)? to (?:help|find|narrow"
    r"|explain|answer|work)\b|take(?:ing)? (?:a|another) (?:\w+ )?look\b|be more\b"
    r"|com(?:e|ing) up with\b|verif(?:y|ying) (?:whether|which|what)\b|zoom(?:ing)? in\b"
    r"|(?:updat|adjust|convert|review|design|edit|answer|address|assess|adapt|structur|organi[sz]|polish|refin"
    r"|discuss|show|check)(?:e|ing)? (?:this|that|it|these|those|them|any|further|more|other|(?:your"
    r"|the) (?:\w+ )?(?:draft|text|cv|code|letter"
    r"|wording|essay|resume|answer|settings|setup|situation|plan|numbers|figures|calculation|steps?|questions?"
    r"|units?|list))\b)"
)
"""Of those that do many things: what makes them work on a text."""
_NEED_MORE = re.compile(
    r"(?:tell|show|walk|go|dig|div|work|figur|find|look|break|lay|map|talk|step|run|put|turn|point|narrow|plan|check"
    r"|fill|build|do|try|tak|be|com|verif|zoom|updat|adjust|convert|review|design|edit|answer|address|assess"
    r"|advis|adapt"
    r"|structur|organi[sz]|polish|refin|support|discuss)(?:e|y|ing|ying|ging|ping|ning|ting)?\b"
)
_GIVES = (
    r"(?:giv(?:e|ing)|provid(?:e|ing)|offer(?:ing)?|shar(?:e|ing)|send(?:ing)?|mak(?:e|ing)|creat(?:e|ing)"
    r"|prepar(?:e|ing)|generat(?:e|ing)|build(?:ing)?|produc(?:e|ing)|find(?:ing)?|add(?:ing)?|suggest(?:ing)?"
    r"|recommend(?:ing)?|put(?:ting)? together|list(?:ing)?|show(?:ing)?|includ(?:e|ing)|do(?:ing)?|com(?:e"
    r"|ing) up with"
    r"|(?:plan|design|edit|review)(?:ning|ing)?|(?:updat|adjust|convert|adapt|refin|structur|organi[sz])(?:e|ing))\b"
)
"""What gives anything: an offer where it gives a text."""
_TEXT = (
    r"(?:examples?|samples?|templates?|drafts?|summar(?:y|ies)|recap|tables?|(?<!price )lists?|checklists?"
    r"|timelines?|overviews?|outlines?"
    r"|guides?|instructions|(?:the |exact |specific |detailed |next |more )steps?|explanations?|breakdowns?"
    r"|calculations?"
    r"|estimates?|comparisons?|scripts?|snippets?|code|diagrams?|flowcharts?|charts?|answers?|(?:more "
    r"|\w+ )?advice|guidance"
    r"|(?:more|further|additional|other|extra|practical|some|few|detailed) (?:\w+ )?(?:details?|information"
    r"|tips?|options?|alternatives?|ideas?|context"
    r"|suggestions?|recommendations?|pointers|resources|background|examples?)"
    r"|details|(?:the |this )?same (?:information|thing|content)|(?:few|other|some|more) ways to (?:phrase|word"
    r"|say|put|approach)|illustrations?|walk-?throughs?|walkthroughs?|itinerar(?:y|ies)|translations?|versions?"
    r"|wording|letters?"
    r"|e-?mails?|messages?|formulas?|pros and cons|cheat ?sheets?|reminders?|recommendations?|suggestions?"
    r"|(?:weekly|daily|monthly|study|training|packing|meal|action|travel|learning|workout|sample|rough|day-by-day"
    r"|step-by-step|personal|personali[sz]ed|simple|revision|cleaning|maintenance) (?:plans?|schedules?|lists?))\b"
)
"""A text that an assistant can write."""
_TO_A_TEXT = r"(?:(?!(?:for|of|on|about|to|with|in|at|from|which|who|if|where|covering|showing)\b)\S+ ){0,7}?"
_GIVES_A_TEXT = re.compile(rf"(?:also )?{_GIVES} (?:you )?(?:with )?{_TO_A_TEXT}{_TEXT}")
_ONE_TEXT = re.compile(rf"{_TO_A_TEXT}{_TEXT}")
_WELCOME = (
    "(?:gladly|happily|certainly|definitely|of course|also|then|always|still|even|easily|try to|absolutely|just"
    "|probably|perhaps|maybe)"
)
_CAN = (
    rf"(?:(?:i|we)(?:(?: {_WELCOME})* (?:can|could|will|would)|'ll|'d)(?: {_WELCOME})*"
    r"(?: be (?:(?:more than|very|always|only too) )?(?:happy|glad|able|pleased|delighted|available) to"
    r"| (?:love|be here) to)?"
    r"|(?:(?:i|we)(?:'m| am|'re| are) )?(?:(?:always|more than|only too|very|also) )*(?:happy|glad|here) to"
    r"|(?:i|we)(?:'m| am|'re| are) (?:able|available|pleased|ready) to)"
    rf"(?: {_WELCOME})*"
)
_HELPS = r"(?:(?:(?:help|assist)(?: you)?|support you)(?: (?:to|in|with|by))? )?"
_OFFER = re.compile(rf"{_CAN} (?P<done>{_HELPS})(?=\S)")
_PROMISE = re.compile(
    r"(?:i|we)(?:'ll|'d| will| would) (?!.{0,30}?(?:\b(?:happy|glad|gladly|love|pleased|delighted|help|like|you)\b))"
)
"""What the speaker does in some case only, if it is an offer."""
_TOGETHER = re.compile(
    r"\btogether\b(?! with)|\b(?:go|walk|work|run|step|talk) through\b|\bgo over\b|\btake it from there\b"
    r"|\btry something else\b|\btroubleshoot\b"
)
"""What we do who are no company."""
_ME = "(?:me|with me|to me|here|in the chat)"
_ASK = re.compile(
    r"(?:(?:please|just|simply|then|so|or|and|you can|always|also|kindly) )*"
    r"(?:(?:let me know|tell me)(?=$| (?:about|which|what|whether|how|where|who|if|when|an?|your|the|some|any"
    r"|more|of|too"
    r"|here|below|exactly|anytime|first|so|please|right away|in the chat|in the comments)\b)|say so"
    r"|say the word|just ask(?=$)|ask (?:me|away)\b|drop me a (?:line|message)|message me|ping me"
    rf"|(?:feel free|(?:do not|don't) hesitate|you are welcome|you're welcome) to (?:(?:always|also) )?"
    rf"(?:ask(?! for (?!more|further|help|an example|clarification|details))|let me know|tell me|message me"
    rf"|(?:reach out|come back|get back to me|follow up|get in touch|contact me)"
    rf"(?=$| (?:with|if|when|whenever|once|any ?time|again|here|about|to me|should|and i|for (?:more|further|help))\b)"
    rf"|(?:share|send|paste|post|upload|provide|describe|give)(?= (?:me\b|any|more|some|additional|further"
    rf"|(?:\S+ ){{1,8}}{_ME}\b)|$)"
    rf"|(?:paste|describe)(?= (?:your|the|it)\b))"
    rf"|(?:share|send|paste|post|upload|show|describe|attach)(?=(?: \S+){{0,8}} {_ME}\b)"
    rf"|give me (?=(?:a (?:bit|few|little)|your|more|some|the)\b))(?=$| |\b)(?: {_ME}\b)?"
)
_GIVEN = re.compile(
    r"(?:(?:please|just|simply|kindly|you can|feel free to) )*"
    r"(?:share|send|paste|post|upload|provide|give|show|describe|specify|mention)"
    r" (?:me |us )?(?:your|the|a|an|any|more|some|additional|further|which|what|it|them)\b"
)
"""What is to be told, where an offer stands beside it."""
_MORE = re.compile(
    r"(?:(?<=more)|(?<=further)|(?<=additional))(?: \w+)? (?:details?|information|info|context|background"
    r"|specifics)\b"
)
_ASKED_OF_ME = re.compile(r"(?:let me know|tell me) (?:your|the|an?(?! (?:bit|little|few|lot)\b)|any)\b")
_CASE = re.compile(
    r"(?:if|once|whenever|when|as soon as|in case|should|unless|depending on)"
    r" (?=(?:you|your|you'd|you're|you've|this|that|it|it's|the|any|anything|something|there|there's|these|those"
    r"|one|none|helpful|useful|needed|necessary|desired|wanted|of interest|relevant|so|not|neither|i)\b)"
)
"""A case."""
_PURPOSE = re.compile(
    r"(?:to (?:help|assist)(?: you)? (?:further|better|more)|to be (?:more|as) (?:specific|precise|accurate|helpful)"
    r"|(?:to (?:give|provide|offer)(?: you)?(?: with)?|for)(?: an?)?(?: (?:even|much|more|further|better))*"
    r" (?:exact|precise|accurate|specific|tailored|detailed|personali[sz]ed|better)(?: and \w+)?"
    r" (?:answers?|advice|recommendations?|guidance|help|instructions|steps|estimates?|explanation|suggestions?))\b"
)
"""What an offer is for."""
_NEEDS = re.compile(
    r"(?:i|i'd|i would|i'll|i will)(?: only| just)? need (?:to know|to see|to have|more|some|a (?:bit|few|little))\b"
)
_TOGETHER_WITH = re.compile(
    r" (?:and|so that|so|and then|then) (?=(?:i|we)(?:'ll|'d| can| could| will| would)\b)"
    r"| (?:and|or) (?=(?:let me know|tell me|share|send me|paste)\b)"
    r"| (?=(?:if|once|whenever|when|in case|as soon as) (?:you|your|you'd|you're|you've|this|that|it|it's|the|any"
    r"|anything|something|there|helpful|useful|needed|necessary|desired|wanted|relevant)\b)"
)
"""Where parts of an offer meet without a comma."""
_VALUES = re.compile(
    r"\b(?:(?<!feel )free|waived?|gratis|unlimited|guaranteed?|lifetime|permanent|entitled|owed|due|legally"
    r"|automatically"
    r"|refundable|mandatory|compulsory|never|nothing|none(?! of)|nobody|because|since|although|though|whereas|while"
    r"|despite|whose|why|thanks to|due to|until|costless|at once|every|all day|discount(?:ed)?|bonus"
    r"|double|half"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow|tonight|midnight|noon|yesterday)\b"
    r"|\bfull (?!list|text|version|calculation|example|answer|details|table|overview|breakdown|explanation|article)"
    r"|\bas (?:it|they|you|the|this|we|he|she|there|your)\b|\bas (?=\w+ (?:is|are|was|has)\b)"
    r"|\b(?:confirm|assure|promise|guarantee|announce|inform|certify|note|state|add|see|remember|remind)(?:ed"
    r"|ing)? that\b"
)
"""What says how something is, in which case no clause is an offer."""
_DENIES = re.compile(r"\b(?:no|not|only|without|cannot|\w+n't)\b")
_RATES = re.compile(r"\b(?:included|excluded|covered|allowed|permitted|forbidden|banned|prohibited|eligible|exempt)\b")
_VERBS = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|did|can|could|may|might|must|will|would|should|shall|it's|that's"
    r"|there's|ends|expires|renews|applies|covers|includes|excludes|requires|allows|lasts|begins|contains"
    r"|provides|gets"
    r"|gives|pays|makes|comes|goes|becomes|receives|loses|keeps|helps|saves|doubles|ended|expired|died|closed"
    r"|opened)\b"
)
_ADDRESSED = re.compile(
    r"\b(?:you|i)(?:'re|'ve|'d|'ll| are| have| do| did| would| will| can| could| might| may) (?!not\b)"
    r"(?=(?:in|on|using|looking|trying|having|planning|working|dealing|after|interested|unsure|in mind|like"
    r"|prefer|want|need"
    r"|had|got|tried|read|found|described|mentioned|listed|shared|at hand|available|know|see|share|tell|give"
    r"|send|do|help|print|copy|follow|paste"
    r"|to hand|now|currently|still|already|questions?)\b)"
    r"|\b(?:you're|you are|you have|you've|you do|you did|you would|i have|i've)(?=$| (?:and|or|so)\b)"
    r"|\bto (?:be|have|do)\b"
    r"|\b(?:help you|let you|have you|how you) (?:do|can|could|would|should|might)\b"
)
"""Verbs that say of those who speak with each other what an offer needs."""
_ASKING = frozenset(
    """know me you tell see check out explain exactly sure unsure about on understand describe share clarify say mention
    show determine into through decide or and at find wonder identify remember give specify with of
    calculate estimate assess verify""".split()  # noqa: SIM905 - a word list reads as text
)
_QUESTIONS = re.compile(r"\b(?P<word>which|what|what's|whether|how|where|when|who|if|that)\b")
_HOW = re.compile(
    r"how (?:to|much|many|long|far|often|it|this|that|these|those|they|you|i|each|things|best)\b"
    r"|how (?:\w+ ){1,5}?(?:works?|compares?|differs?|looks?|(?:is|are) (?:calculated|computed|determined"
    r"|measured|done|set"
    r"|structured|used|worked out))\b"
)
_THAT = re.compile(
    r"that(?='s\b|$| (?:further|more|into|in|for|to|step|section|part|too|if|with|up|out|again|briefly|better"
    r"|information|text"
    r"|works?|helps?|would|topic|point|question|case|situation|sounds|on|as a|and|or|first|instead|covers|might"
    r"|is|isn't"
    r"|doesn't|didn't|fits?|suits?|best|matches|solves|fixes|answers|resolves|clears|useful|helpful|interesting)\b)"
)
_NAMED = frozenset(
    """pdf pdfs excel word csv json markdown python javascript java sql html bash faq faqs ai ok german english french
    spanish italian chinese japanese korean portuguese dutch polish russian turkish arabic hindi mandarin yaml
    powerpoint google-sheets latex""".split()  # noqa: SIM905 - a word list reads as text
)
"""Names of languages and formats, in which any text can be written."""
_LEADS = re.compile(
    r"\A(?:(?:and|or|so|then|but|also|even|otherwise|alternatively|finally|lastly|of course|sure|well) )+"
)
_FIRST = frozenset(
    """and or so then but also even otherwise alternatively finally lastly of sure well i i'm i'd i'll i've we we're
    we'd we'll if once whenever when as in should unless depending to for please just simply let tell say ask drop
    message ping feel do don't you you're share send paste post upload show describe attach give provide specify mention
    happy glad more always very only here kindly""".split()  # noqa: SIM905 - a word list reads as text
)
"""With what an offer begins."""
_SECOND = {"as": "soon", "in": "case", "of": "course"}
_LONGEST = 32
"""Words of a clause."""


def kind_of(words: list[str], *, offered: bool) -> str:
    """`offer`, `condition` of what counts beside one only, `promise` of what counts beside a condition, or nothing.

    `words` have their capitals; `offered`: an offer stands before them, which they may go on.
    """
    if not words or len(words) > _LONGEST or not (offered or _begins(words)):
        return ""
    plain = " ".join(words).lower()
    if _VALUES.search(plain):
        return ""
    kinds = [_kind_of_part(part) for part in _TOGETHER_WITH.split(_LEADS.sub("", plain, count=1))]
    if all(kinds):
        kind = "offer" if "offer" in kinds or len(set(kinds)) > 1 else kinds[0]
    else:
        kind = "offer" if offered and _goes_on(plain) else ""
    return "" if kind and _names_something(words) else kind


def _begins(words: list[str]) -> bool:
    first = words[0].lower()
    return first in _FIRST and (first not in _SECOND or _SECOND[first] in map(str.lower, words[1:2]))


def _kind_of_part(part: str) -> str:
    case, offer = _CASE.match(part), _OFFER.match(part)
    if case is not None:
        return "condition" if _states_nothing(part[case.end() :], in_a_case=True) else ""
    if offer is not None and not _NEEDS.match(part):
        return _kind_of_work(part, offer)
    return _kind_of_asking(part) if _states_nothing(part) else ""


def _kind_of_work(part: str, offer: re.Match[str]) -> str:
    """What it is that the speaker says it could do."""
    done = part[offer.end() :]
    if (part.startswith("we") and not _TOGETHER.search(part)) or not _states_nothing(done):
        return ""
    if not offer["done"] and not _is_work(done):
        return ""
    return "promise" if _PROMISE.match(part) else "offer"


def _kind_of_asking(part: str) -> str:
    """What it is to be told something."""
    if _PURPOSE.fullmatch(part) or _NEEDS.match(part):
        return "offer"
    if _ASK.match(part):
        return "condition" if _ASKED_OF_ME.search(part) else "offer"
    given = _GIVEN.match(part)
    if given is None:
        return ""
    return "offer" if _MORE.match(part, given.end()) else "condition"


def _is_work(done: str) -> bool:
    """Whether it begins with work on a text, or gives one."""
    if _GIVES_A_TEXT.match(done) or _WITH_A_PARTICLE.match(done):
        return True
    return _ANY_OBJECT.match(done) is not None and _NEED_MORE.match(done) is None


def _goes_on(plain: str) -> bool:
    """Whether a clause goes on with what an offer before it lists: more work, or one more text."""
    rest = _LEADS.sub("", plain, count=1)
    if not _states_nothing(rest):
        return False
    if rest != plain and _ANY_OBJECT.match(rest) and not _NEED_MORE.match(rest):
        return True
    return _ONE_TEXT.match(rest) is not None


def _states_nothing(text: str, *, in_a_case: bool = False) -> bool:
    """Whether words of an offer hold no statement; what they ask may have a verb, and in a case so may any."""
    asked = len(text)
    for question in _QUESTIONS.finditer(text):
        before = text[: question.start()].rpartition(" ")[0].rpartition(" ")[2]
        if question["word"] == "that":
            if not _THAT.match(text, question.start()):
                return False
            continue
        if before and before not in _ASKING:
            return False
        if question["word"] == "how" and not _HOW.match(text, question.start()):
            return False
        asked = min(asked, question.start())
    if _DENIES.search(text) and not in_a_case:
        return False
    told = "" if in_a_case else _ADDRESSED.sub(" ", text[:asked])
    return not (_VERBS.search(told) or _RATES.search(told))


def _names_something(words: list[str]) -> bool:
    if all(map(str.isupper, filter(str.isalpha, words))):
        return False
    return any(is_like_a_name(word) and word.lower() not in _NAMED for word in words[1:] if "-" not in word)
