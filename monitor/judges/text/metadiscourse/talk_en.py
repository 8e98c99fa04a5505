"""Talk in English: acts of speech, what may follow them, and the words of conversation."""

from __future__ import annotations

import re

from monitor.judges.text.metadiscourse import offers_en
from monitor.judges.text.tokens import tokenize
from monitor.judges.text.words import is_function_word, stem_of

_EVIDENCE = r"(?:passages?|sources?|contexts?|excerpts?|documents?|documentation|texts?|results|materials?|information)"
_SPEAKER_GOES_ON = (
    r"(?: (?:am|was|have|haven't|will|can(?:not|'t)?|could(?:n't)?|do|don't|did|didn't|would|may|might|must|be|been|to"
    r"|not|also|just|only|carefully|now|really|currently|quickly|first|then|able|unable|afraid|trying|going"
    r"|here|entirely"
    r"|fully|completely|totally|quite|yet|so|100%))*"
    r" (?:sure|certain|aware|confident|wrong|mistaken|know|find|found|look|looked|search|searched|check|checked|review"
    r"|reviewed|read|see|understand|explain|describe|summari[sz]ed?|outlined?|list|listed|break|walk|help|assist|answer"
    r"|answered|respond|give|provided?|share|tell|say|show|note|mention|wish|locate|determine|clarify|elaborate"
    r"|recommend|suggest|have (?:no|any|enough|sufficient|all)|compiled?|gathered|collected|extracted|retrieved"
    r"|gone through|based|used|refer|guess|mean|an ai|an assistant"
    r"|your assistant|a language model)\b"
)
_FRAME = (
    r"(?:(?:and|but|so|also|then|now|again|well|okay|ok|please|just|finally|lastly|first|first of all|secondly"
    r"|otherwise|sure|sure thing|certainly|absolutely|definitely|understood|gladly|great|perfect|alright|all right"
    r"|got it|of course|no (?:problem|worries)|yes|however|therefore|additionally|furthermore|moreover|unfortunately"
    r"|overall|hopefully|perhaps|maybe|possibly|probably|i think|i believe|in a nutshell|(?:with )?that said"
    r"|(?:that|this) being said|having said that|with (?:that|this) in mind|simply put|long story short|anytime|cheers"
    r"|(?:good)?bye(?: for now)?|see you(?: soon)?|welcome back|important|disclaimer|reminder|remember|tips?|note|hint"
    r"|(?:one|just a) (?:moment|second)|if (?:not|so)"
    r"|in (?:summary|short|conclusion|brief|sum|total|general|addition|particular|essence|other words|closing|detail)"
    r"|in fact|to (?:summari[sz]e|conclude|sum up|clarify|recap|put it (?:simply|briefly)|be (?:clear|precise|honest))"
    r"|summari[sz]ing|note that|keep in mind(?: that)?|be aware(?: that)?|remember that"
    r"|(?:what an? )?(?:good|great|excellent|nice|interesting) (?:question|point)"
    r"|(?:it's|it is) (?:important|worth) (?:to note|noting|to mention|mentioning)(?: that)?)(?: |$))*"
)
"""What may stand alone or before an act."""
_ACTS = {
    "alone": r"$|at all$|ask(?: away)?$|see(?: and| or)*$",
    "address": r"(?:hi|hello|hey|dear|greetings|welcome)(?: (?:there|again|everyone|all))?\b",
    "thanks": r"(?:thanks|thank you|many thanks|welcome to|(?:we|i) (?:really )?appreciate|(?:(?:my|our) )?apologies"
    r"|(?:i|we) apologi[sz]e|(?:(?:i'm|i am|we're|we are) )?(?:so |very )?sorry)\b",
    "wish": r"(?:(?:i|we) )?(?:hope|wish) you\b|enjoy your\b|wishing you\b|good luck\b"
    r"|have an? (?:very )?(?:nice|great|good|wonderful|lovely|pleasant|safe|fantastic|amazing)\b",
    "offer": r"(?:let|ask|allow) (?:me|us)\b|let's\b|feel free\b|(?:do not|don't) hesitate\b|(?:happy|glad) (?:to|i)\b"
    r"|(?:if|whenever|when|should) you(?:'d| would)? (?:ever |still )?(?:have|need|want|like|require|wish)\b"
    r"|if (?:this|that|any|anything|something|there is|there's|there are|you (?:run into|encounter|are|feel))\b"
    r"|(?:i|we)(?:'d| would) love\b"
    r"|(?:i|we)(?:'m| am|'re| are|'d be| would be|'ll be| will be) (?:always |very |more than )?(?:happy|glad|here)\b"
    r"|(?:(?:i|we) )?look(?:ing)? forward\b",
    "here": r"click here\b|scroll down\b"
    r"|here(?:'s| is| are| you| we)\b|(?:below|above)(?: is| are| you)\b|(?:the )?following (?:is|are)\b"
    r"|this is an? (?:short |brief |quick )?(?:summary|overview|explanation|outline|list|breakdown)\b",
    "scheme": r"(?:the|these) (?:\w+ ){1,6}?(?:is|are) (?:as follows|(?:listed|shown|summari[sz]ed|described) below)$",
    "regarding": r"(?:regarding|concerning|with regard to|as (?:for|to))\b|to answer\b",
    "self": r"(?:this|that|these|those|all) (?:is|are) (?:what|how|based|taken|only|just|an?|the|my)\b"
    r"|(?:that's|that is|this is) (?:it|all|everything)(?: (?:i|we|for|you|the|there)\b|$)"
    r"|(?:it|that|this)(?: really| all)? (?:depends|varies)\b|(?:it|this|that) is (?:not |un)(?:\w+ly )?clear$"
    r"|(?:this|it) (?:is not|isn't|does not constitute) (?:medical|legal|financial|professional|investment) advice\b",
    "plain": rf"i(?:'m|'ve|'ll|'d)?{_SPEAKER_GOES_ON}|as (?:an? )?(?:ai|language model|assistant)\b"
    r"|we(?:'ve|'ll| have| will| can)? (?:also )?(?:hope|found|find|understand|explain|look|looked|see|go|summari[sz]e"
    r"|summari[sz]ed|discuss|outlined?|walk|break|help|checked|reviewed)\b"
    r"|(?:good|happy) (?:morning|afternoon|evening|day)\b|you(?:'re| are) (?:very |most )?welcome\b|my pleasure\b"
    r"|take care\b|(?:best|kind|warm) (?:regards|wishes)\b|sincerely\b|(?:i )?(?:hope|trust) (?:this|that|it|these)\b"
    r"|(?:this|that|it) (?:helps|clarifies|clears|explains|covers|answers|concludes|should (?:help|answer"
    r"|clarify|cover))\b|(?:that's|that is|this is) an? (?:very |really )?"
    r"(?:good|great|interesting|excellent)\b|(?:this|the|my|these|that) (?:above |following |short |brief )*"
    r"(?:answers?|responses?|reply|summary|overview|explanation|list|breakdown|points?|details|steps?|suggestions?|instructions?)\b"
    r"|(?:this|all(?: this| the)?|the (?:above|following|provided|given)|these) (?:pieces of )?information\b"
    r"|the information (?:above|below|provided|in|from|comes|is (?:based|taken|from|in|not in|above|below))\b"
    r"|the following\b|(?:(?:it's|it is) )?(?:hard|difficult) to say\b|who knows\b|the sources (?:are|used)\b"
    r"|(?:all )?(?:the|these|your|my) (?:(?:provided|given|retrieved|above|following|available|search) )*"
    r"(?:passages?|sources?|contexts?|excerpts?|results|documents?) (?:(?:you|i) \w+|provided|given|above|below)\b"
    r"|(?:the|these) (?:provided|given|retrieved|above|following) (?:passages?|sources?|context|documents?|texts?)\b"
    rf"|(?:(?:see|refer to|cf)|you (?:can|may|will|could) (?:also )?(?:find|read|see|refer to|check))"
    rf" (?=(?:\w+ ){{0,6}}(?:{_EVIDENCE}|above|below|references?|list)\b)"
    r"|(?:based on|according to|from|given|using|looking at|(?:after )?(?:looking through|reading|reviewing|checking))"
    rf" (?=(?:[\w']+ ){{0,7}}(?:{_EVIDENCE}|question|what (?:you|i)|you (?:provided|gave|shared)|my \w+|this"
    rf"|that|above)\b)"
    r"|for (?:your|further|more|additional|clarity|completeness|reference|details|the record)\b|some context\b"
    r"|as (?:always|you|requested|mentioned|stated|noted|described|shown|explained|asked|said|i|we|far as)\b",
}
_ACT = re.compile(_FRAME + "(?:" + "|".join(f"(?P<{kind}>{acts})" for kind, acts in _ACTS.items()) + ")")
_FIRST = frozenset(
    """and but so also then now again well okay ok please just finally lastly otherwise hi hello hey dear greetings
    welcome thanks thank many we we're we've we'll we'd i i'm i've i'll i'd my our sorry very hope wish wishing enjoy
    have good let let's ask allow feel do don't happy glad if whenever when should looking look here here's below above
    these those the following regarding concerning with as to great excellent interesting nice sure certainly
    absolutely definitely understood gladly perfect alright all got of no yes you you're take best kind warm sincerely
    hopefully that's that this what your it it's having hard difficult perhaps maybe possibly probably who see refer cf
    in overall summarizing summarising first secondly additionally furthermore moreover however therefore unfortunately
    based according from given using after reading reviewing checking for note keep be important disclaimer reminder
    remember tip tips hint click scroll simply long anytime cheers goodbye bye apologies some one once tell send share
    paste post describe say drop unless depending stay get safe done fingers congratulations congrats all able always
    voila voilà bon problem more you've fun""".split()  # noqa: SIM905 - a word list reads as text
)
"""First words of talk: few claims begin with one, and to see that costs least."""
_TALK = frozenset(
    map(
        stem_of,
        """answer response respond reply question query request information info detail point step tip thing item list
        summary summarize summarise overview explanation explain breakdown break walk context passage document article
        documentation source text excerpt material result search reference citation section paragraph topic subject
        matter concern problem issue inquiry enquiry help helpful useful assist assistance clarification clarify
        interest patience time understand understanding day inconvenience confusion confusing frustration frustrating
        sense idea situation circumstance case factor conversation chat message feedback guidance advice knowledge
        content data ask describe outline show tell say said state mention note provide give given gave share find found
        look check read review see saw assistant ai language model elaborate go know knew like want try hope wish
        appreciate apologize apologise think believe mean please thank thanks welcome refer base contain cover address
        discuss make made get take taken took use write wrote compile gather collect extract retrieve generate present
        follow start begin add correct confirm depend vary relevant related main key important short brief quick
        detailed general simple simply solely clear clearly unclear further additional much many several lot little bit
        else anything something everything nothing next first second last following requested specific entire entirely
        sure certain completely fully fairly totally happy glad sorry afraid free able unable good great nice wonderful
        best better well complete exhaustive always anytime currently unfortunately together directly carefully exactly
        accordingly according regarding concerning about yet however therefore let come hesitate reach moment hello mind
        way would could might yes ok today worry pleasure kind kindly forward hear talk far concise accurate accurately
        correctly recap conclusion used uses enough recommend suggest attempt guide guideline brief
        suggestion instruction cover""".split(),  # noqa: SIM905 - a word list reads as text
    )
)
"""Stems of the words of conversation, beside those that carry grammar."""
_OFFERED = frozenset(map(stem_of, ("contact", "support", "team", "customer", "service", "staff", "need", "work")))
"""Also words of conversation in an offer: "Feel free to contact our support team"."""
_CONTRACTION = re.compile(r"'(?:s|d|ll|re|ve|m)$")
_COUNTED = re.compile(
    r"\b(?:[0-9]{1,2}|two|three|four|five|six|seven|eight|nine|ten) "
    r"(?=(?:\w+ ){0,2}(?:points?|steps?|things|tips|ways|reasons|examples|items|options|facts|details|questions"
    r"|passages|documents|sources|excerpts|texts)\b)"
    r"|\b(?:(?:in|within|of|using|with|under) )?"
    r"(?:(?:about|around|approximately|less than|fewer than|at most|up to|no more than|exactly) )?"
    r"[0-9]{1,4}[ -](?:words?|sentences?|characters?)(?: or (?:less|fewer))?\b"
)
"""The number of the answer's own points, and how long it was to be."""
_NO_NUMBER = re.compile(
    r"^once (?=you|i\b)|\b(?:which|any|this|that|each|the|another|no) ones?\b|\bone(?= (?:of|or|step at)\b)"
    r"|(?<=\bcompare) (?:the|these|those) two\b|\btwo(?= side by side)|\b(?:the )?(?:first|next) (?=steps?\b)"
)
"""What counts nothing, though it looks like a number."""
_NAMED_ONLY = r"(?: (?!free\b|full\b|paid\b|no\b|is\b|are\b|until\b|from\b|within\b)[a-z'-]+){1,4}"
_MANNERS = re.compile(
    r"(?:(?:and|so|well|again|once again|(?:please )?(?:note|keep in mind) that) )?"
    r"(?:get well(?: very)? soon|stay (?:safe|healthy|well|warm|strong"
    r"|curious|tuned)(?: (?:out there|and healthy))?"
    r"|safe (?:travels?|journey|trip|flight|drive|driving|flying|cycling|riding)|(?:bon|have a good) (?:voyage"
    r"|appetit|trip)"
    rf"|(?:you're|you are|you should (?:now )?be) (?:all set|good to go|ready to go|all done)|(?:all )?done|all set"
    rf"|that's (?:it|all)|(?:keep your )?fingers crossed(?: for you)?|congrat(?:ulation)?s(?: (?:on|to) (?:your"
    rf"|the){_NAMED_ONLY}| to you)?"
    rf"|(?:(?:i )?wish(?:ing)? you(?: and your \w+)? )?(?:all the (?:very )?best|the (?:very )?best of luck"
    rf"|(?:best of|good) luck)(?: (?:with|for|on|in|at){_NAMED_ONLY})?"
    r"|happy (?!hour)(?:[a-z]{2,12}ing|travels|holidays|birthday|easter|christmas|new year|trails)"
    rf"|(?:i )?(?:really )?hope (?:you(?:'re| are)? (?:feel(?:ing)?|get|recover)(?: much)? (?:better|well|soon"
    rf"|again)(?: soon)?"
    rf"|(?:your|the|everything|it|all)(?:{_NAMED_ONLY})? (?:goes|go|works?|turns?|feels?"
    rf"|gets?) (?:very )?(?:well|smoothly|out|out well|better)(?: soon)?"
    rf"|this (?:gives you|makes (?:it|this|things|everything|the \w+)|helps you|clears){_NAMED_ONLY}(?: \w+){{0,2}})"
    r"|enjoy (?:the|every|it|them)(?: (?!free\b|all\b|unlimited\b|and\b)[a-z-]+){0,2}|have fun|welcome aboard"
    r"|(?:(?:i'm|i am) )?(?:so |very |really )?sorry (?:that )?you(?:'re| are|'ve)?"
    rf" (?:having|had|going through|experiencing|dealing with|facing){_NAMED_ONLY}"
    r"|(?:and )?(?:you've got this|you're done|problem solved|voil[aà])"
    r"|(?:i|we)(?: can't| cannot| can not|'m not able to| am not able to) (?:give|provide"
    r"|offer) (?:you )?(?:with )?(?:any )?"
    r"(?:legal|medical|financial|tax|professional|investment|personal)(?: (?:or|and) \w+)? (?:advice"
    r"|diagnos[ei]s|opinions?)"
    r"|i(?:'m| am) (?:just |only )?an? (?:ai|language model|ai assistant|assistant)"
    r"|so please (?:double-check|verify|check) (?:any |the )?(?:important |key )?(?:details|information|facts)"
    r"|(?:it was )?(?:a pleasure|nice|great) (?:talking|chatting|helping)(?: (?:to|with) you)?)"
)
"""Wishes, and that something is done."""
_REFERENCE = re.compile(
    r"\b(source|passage|document|section|reference|result|excerpt|context|page)s? (?:no )?[0-9]{1,3}\b"
)
_PREDICATES = frozenset(
    """is are was were be been being has have had do does did can could will would shall should may might must cannot
    isn't aren't wasn't weren't can't won't don't doesn't who which that because since while although though unless
    until if not no never none only it's that's there they he she""".split()  # noqa: SIM905 - a word list reads as text
)
"""Words that a topic without a statement does not hold."""
_EMBEDDING = frozenset(("that", "where", "when", "why"))
"""Words after which something is taken for granted."""
_ABOUT = frozenset(("about", "regarding", "concerning"))
_TOPIC_AFTER: dict[str, frozenset[str]] = {
    "thanks": _ABOUT | {"on", "of", "with", "for", "to", "contacting", "choosing"},
    "offer": _ABOUT | {"on", "of", "with"},
    "here": _ABOUT | {"on", "of", "with", "for", "to", "is", "are", "here's"},
    "scheme": frozenset(("is", "are")),
    "regarding": _ABOUT | {"to", "for", "answer", "of"},
    "plain": _ABOUT,
}
"""By kind of act, behind which of its words a topic may stand."""
_LONGEST = 40
"""Words of a clause of talk."""
_LONGEST_TOPIC = 8
_LONGEST_WISH = 3
_LONGEST_NAME = 2
_NOT_WORDS = re.compile(r"[^\w'+%$€£¥-]+|_+|(?<!\w)['-]+|['-]+(?!\w)")


def kind_of(clause: str, *, offered: bool) -> tuple[str, str] | None:
    """The kind and the topic of a clause of talk; None when it may claim something.

    A `condition` is talk where an offer stands behind it or before it, and a claim otherwise.
    """
    as_written = _NOT_WORDS.sub(" ", clause.replace("’", "'")).split()
    words = [word.lower() for word in as_written]
    if len(words) == 2 and _REFERENCE.fullmatch(" ".join(words)):  # noqa: PLR2004 - "Passage 1:"
        return "plain", ""
    begins = bool(words) and words[0] in _FIRST and len(words) <= _LONGEST
    found = _act_of(clause, words) if begins else None
    if found is None and offered and all(_is_talk(word, offered=True) for word in words):
        return "offer", ""
    if (found and found != ("plain", "")) or not (begins or offered):
        return found
    kind = offers_en.kind_of(as_written, offered=offered)
    if not kind or tokenize(_NO_NUMBER.sub("", " ".join(words))).numbers:
        return found
    return (kind, "") if kind == "offer" or not found else found


def _act_of(clause: str, words: list[str]) -> tuple[str, str] | None:
    """The kind and the topic of an act of speech that goes on in words of conversation."""
    uncounted = " ".join(_COUNTED.sub("", " ".join(words)).split())
    plain = _REFERENCE.sub(r"\1", uncounted)
    act = _ACT.match(plain)
    if act is not None:
        rest = plain[act.end() :].split()
        found = _gone_on(act.lastgroup or "", act[0].split(), rest, clause, uncounted)
        if found is not None:
            return found
    return ("plain", "") if _MANNERS.fullmatch(plain) and not tokenize(uncounted).numbers else None


def _gone_on(kind: str, said: list[str], rest: list[str], clause: str, uncounted: str) -> tuple[str, str] | None:
    """Talk if what follows an act is conversation, or names a topic and states nothing of it.

    `uncounted` is the clause without the numbers of the answer itself.
    """
    first = next((i for i, word in enumerate(rest) if not _is_talk(word, offered=kind == "offer")), len(rest))
    before, topic = rest[:first], rest[first:] if kind != "scheme" else said[1:2]
    if not topic:
        return kind, ""
    if len(topic) > _LONGEST_TOPIC or tokenize(uncounted).numbers or not _PREDICATES.isdisjoint(topic):
        return None
    if kind == "wish":
        named = len(topic) <= _LONGEST_WISH
    elif kind == "address":
        named = len(rest) <= _LONGEST_NAME and clause.rsplit(maxsplit=1)[-1][0].isupper()
    else:
        behind = _TOPIC_AFTER.get(kind, frozenset())
        named = _EMBEDDING.isdisjoint(before) and not behind.isdisjoint([*said, *before])
    return (kind, topic[0]) if named else None


def _is_talk(word: str, *, offered: bool) -> bool:
    if is_function_word(word):
        return True
    stem = stem_of(_CONTRACTION.sub("", word))
    return stem in _TALK or is_function_word(stem) or (offered and stem in _OFFERED)
