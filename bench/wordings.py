"""Whether the embedded judge minds how an answer is written: marks, lead-ins, labels and lists around a true sentence.

    python bench/wordings.py --data FOLDER [--sentences 40]     # holds ground-dev.jsonl.gz

Sentences of the passages of ground-dev that are judged supported as they stand are put into each of some hundred
English and Chinese ways to write an answer. Prints each way with the mean score and the share that is flagged, worst
first, and the means over all ways. None of them says anything else, so no sentence should be flagged.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence

import numpy as np
from ground import Row, arguments, read_rows

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.sentences import split_sentences

SEED = 3
SUPPORTED = 0.85
"""Score of a sentence as it stands."""
CONTEXT = 5
"""Sentences of a passage."""
LEAST_SENTENCES = 8
MOST_SENTENCES = 40
"""Of a document that passages are made of."""
SHORTEST = {"en": 40, "zh": 14}
LONGEST = {"en": 260, "zh": 150}

# {s} is the sentence, {t} the same without its stop, {l} the same with a small first letter
CONNECTIVES = (
    "Furthermore;Additionally;Moreover;In addition;Notably;Specifically;Apparently;Overall;However;Therefore;Thus;Hence"
    ";Consequently;As a result;In summary;In short;In conclusion;Finally;Also;Similarly;Likewise;Meanwhile;Nevertheless"
    ";Nonetheless;Conversely;In contrast;On the other hand;For example;For instance;In particular;Importantly"
    ";Interestingly;Unfortunately;Generally;In general;In fact;Indeed;In other words;That said;Then;Next;First;Firstly"
    ";Second;Lastly;To summarize;Put simply;Ultimately;Essentially;Still;Instead;Of course;Clearly;As noted above"
    ";As mentioned earlier;As such;To begin with;More specifically;Most importantly;In this context;At the same time"
)
SAID_BY = (
    "It appears that;It seems that;The passages state that;The article notes that;The document says that"
    ";The text mentions that;The context indicates that;The source reports that;Note that;It is worth noting that"
    ";It is important to note that;Please note that;It should be noted that;As mentioned in the document,"
    ";According to passage 3,;According to the article,;According to the provided context,;According to the author,"
    ";According to [1],;Per the documentation,;As per the document,;Based on passage 2,;From the context,"
    ";The passage also states that;The provided information suggests that;In the passage, it is stated that"
    ";Passage 1 states that;Source 2 says that;The first passage says that;Document [3] notes that;This means that"
    ";I can confirm that;Yes,;Yes -;Answer:;Short answer:;**Answer:**;Summary:;Key point:;Finding 1:;Point 2:"
    ";Reason:;Fact:;Details:;Result:;Overview:;Explanation:;Response:;Final answer:;Conclusion:;Example:"
    ";Passage 2:;Source 1 -;Passage 2 confirms this:;As the article explains,;It is stated in the passage that;Claim:"
    ";Both passages agree that;One of the passages says that;The key takeaway is that;The answer is that"
    ";It can be seen that;There is evidence that;As per [1],;From passage 2:;Looking at the passages,"
    ";To answer your question:;Main point:"
)
AROUND = (
    "**{s}**|*{s}*|> {s}|“{s}”|- {s}|* {s}|• {s}|1. {s}|2) {s}|a) {s}|(ii) {s}|- [x] {s}|Step 1: {s}|**Step 1:** {s}"
    "|### Details\n{s}|**Details**\n{s}|{t} [1].|{s}[1][2]|{t} [1, 2].|{t} (Source 1).|{t} (passage 2).|{t} (see [1])."
    "|{t} [Source: doc1.pdf].|{t} (Document 3, page 4).|{t} [Doc 1, p. 3].|{t}【1】.|{t} [^1].|{t} [doc_3]"
    ".|{t} [ref 1].|{t} (Ref. 2).|{t} <1>.|{t} (1).|{t} [1-3].|{t} [context 2].|{t} [chunk 4].|{t} (from Passage 2)."
    "|{t} (as stated in passage 2).|{t}, as stated in passage 2.|{t}, according to the passage."
    "|{t}, as mentioned in the article.|[1] {s}|Yes. {s}|{s} This information is provided in passage 2."
    "|{t} (1, 2).|{t} (p. 12).|{t} [p. 4].|{t} [S1].|{t} [Passage 1: Introduction].|{t} — Source 1.|{t} (per Source 2)."
    "|{t} ([link](https://example.com/a)).|{s} [Read more](https://example.com/x)|{s}\n\nReferences:\n[1] Passage 1"
    "|Key points include:\n- {s}|- **Also**: Furthermore, {l}|- **Note**: According to the article, {l}"
)
SAID_BY_ZH = (
    "此外，;另外，;因此，;然而，;同时，;总之，;综上所述，;具体来说，;具体而言，;总体来看，;值得注意的是，;需要说明的是，;首先，;其次，;最后，"
    ";第一，;第二，;其中，;例如，;也就是说，;事实上，;可以看出，;由此可见，;一方面，;与此同时，;除此之外，;相比之下，;特别是，;其实，"
    ";更重要的是，;简单地说，;总结来说，;根据资料，;根据资料2，;根据资料[2]，;根据文档，;根据文章，;据报道，;据文档介绍，;据资料显示，"
    ";据悉，;据称，;资料显示，;资料2显示，;资料1和资料2均显示，;文中提到，;文章指出，;该文指出，;文档中提到，;报道称，;文章称，"
    ";从资料来看，;由资料可知，;有资料表明，;如上所述，;根据第1段，;根据段落3，;如资料1所述，;正如文中所述，;答：;答案：;答案是：;总结："
    ";结论：;说明：;注意：;是的，;1. ;1、;1）;（1）;（一）;一、;① ;- ;• ;**要点**：;背景：;要点1：;关键点：;第一点："
    ";步骤1：;原文：;文章提到：;资料1指出：;来源1：;[1];【1】;- **背景**：根据资料2，"
)
AROUND_ZH = (
    "**{s}**|“{s}”|{s}[1]|{t}[1]。|{t}（资料1）。|{t}【1】。|{t}（来源：资料1）。|{t}（见资料1）。|{t}（文档1，第3页）。|{t}[资料1]。"
    "|{t}（1）。|{t}（1、2）。|{t}（参见第2段）。|{t}[来源1]。|{t}（片段3）。|{t}（段落3）。|{t}（参考文献[1]）。|{t}（资料1、资料2）。"
    "|{t}（摘自资料1）。|{t}——资料1。|## 背景\n{s}|**背景**\n{s}|{s}\n\n以上就是相关内容。|{s}\n\n参考资料：[1]、[2]"
    "|{s}以上内容来自资料1。"
)


def ways(language: str) -> list[str]:
    """Templates of one language."""
    if language == "zh":
        return ["{s}", *(f"{before}{{s}}" for before in SAID_BY_ZH.split(";")), *AROUND_ZH.split("|")]
    return [
        "{s}",
        *(f"{word}, {{l}}" for word in CONNECTIVES.split(";")),
        *(f"{before} {{l}}" for before in SAID_BY.split(";")),
        *AROUND.split("|"),
    ]


def supported(rows: Sequence[Row], language: str, number: int) -> Iterator[tuple[str, list[str]]]:
    """Sentences with their passages that are judged supported as they stand, `number` of them."""
    documents = [one for one in (_sentences(row, language) for row in rows) if len(one) >= LEAST_SENTENCES]
    rng = random.Random(SEED)
    while number:
        document = rng.choice(documents)[:MOST_SENTENCES]
        sentence = rng.choice(document)
        contexts = ["\n".join(document[start : start + CONTEXT]) for start in range(0, len(document), CONTEXT)]
        if (assess(sentence, contexts).score or 0.0) > SUPPORTED:
            number -= 1
            yield sentence, contexts


def _sentences(row: Row, language: str) -> list[str]:
    if row.language != language:
        return []
    found = (piece.text for context in row.contexts for piece in split_sentences(context))
    stop = "." if language == "en" else "。"
    return [one for one in found if SHORTEST[language] <= len(one) <= LONGEST[language] and one.endswith(stop)]


def main() -> int:
    """Print each way to write, and the means."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=40, help="sentences of each language")
    given = arguments(parser)
    rows = read_rows(given.data, "ground-dev")
    for language in ("en", "zh"):
        chosen = list(supported(rows, language, given.sentences))
        lines = []
        for way in ways(language):
            texts = [way.format(s=one, t=one[:-1], l=one[0].lower() + one[1:]) for one, _ in chosen]
            found = [assess(text, contexts) for text, (_, contexts) in zip(texts, chosen, strict=True)]
            score = float(np.mean([one.score or 0.0 for one in found]))
            lines.append((score, float(np.mean([one.label == "unfaithful" for one in found])), way))
        for score, flagged, way in sorted(lines):
            print(f"{language} {score:.3f} flagged {flagged:5.1%}  {way!r}")
        score, flagged = np.mean([line[:2] for line in lines], axis=0)
        print(f"{language} {len(lines)} ways: mean score {score:.3f}, flagged {flagged:.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
