"""Frames, verdicts and instructions to a judge that somebody forges; each with what a text must hold to have one."""

from __future__ import annotations

import re

from monitor.judges.safety.wording import Either, Every, Phrase, Wording, Words
from monitor.privacy.outline import Holds

_FORGED_FRAME = re.compile(
    r"""<\|(?:im_start|im_end|im_sep|system|assistant|user|endoftext|eot_id|start_header_id|end_header_id|begin_of_text)\|>
      | \[/?inst\]|<</?sys>>
      | [\[【<(]{1,3}[ ]?/?(?:end[ ]of|begin|start[ ]of|end)[ ](?:the[ ])?
          (?:answer|passages?|contexts?|question|input|data|documents?|prompt|conversation|evaluation|user[ ]input
            |instructions?)[ ]?[\]】>)]{1,3}
      | [\[【][ ]?(?:verdict|judge?ment|final[ ]score|evaluation[ ]result|评分结果|判定|裁决)[ ]?[\]】]
      | ["']verdict["'][ ]?:[ ]?["'](?:yes|supported|faithful|pass(?:ed)?|correct|safe|true)["']
      | [【\[<](?:回答|答案|资料|上下文|问题|输入|数据)(?:结束|到此为止|完毕)[】\]>]
    """,
    re.VERBOSE,
)
_FORGED_EN = re.compile(
    r"""\b(?:(?:as[ ](?:the|an?)|dear|attention|note[ ]to(?:[ ]the)?)[ ]
          (?:evaluator|grader|judge|reviewer|evaluation[ ]model)\b[,:]?[^.\n]{0,60}
          \b(?:must|should|give|assign|score|rate|mark|output|respond|answer|return)\b
        |(?:rate|score|grade|mark)[ ]this[ ](?:answer|response|reply|output)[ ](?:as[ ]|with[ ]|at[ ])?(?:an?[ ])?
          (?:perfect|full|maximum|10|5|100|1\.0|faithful|safe))
    """,
    re.VERBOSE,
)
_FORGED_ZH = re.compile(
    r"""(?:作为|身为|尊敬的|请)(?:评审|评委|裁判|评估者|评测模型|评分员|打分)[^。\n]{0,24}
          (?:满分|打分|给出|判定|评为|通过)
    """,
    re.VERBOSE,
)

_FORGED_FRAME_NEEDS = Either(
    Holds("<|"),
    Every(
        Holds("[", "【", "<", "("),
        Either(
            Words("inst sys verdict judgement judgment"),
            Every(
                Words("end begin start"),
                Words(
                    "answer passage passages context contexts question input data document documents prompt"
                    " conversation evaluation instruction instructions"
                ),
            ),
            Every(Words("final"), Words("score")),
            Every(Words("evaluation"), Words("result")),
            Holds("评分结果", "判定", "裁决", "结束", "到此为止", "完毕"),
        ),
    ),
    Every(Words("verdict"), Holds('"', "'")),
)
_FORGED_EN_NEEDS = Either(
    Every(
        Words("evaluator grader judge reviewer model"),
        Words("as dear attention note"),
        Words("must should give assign score rate mark output respond answer return"),
    ),
    Every(Words("this"), Words("rate score grade mark"), Words("answer response reply output")),
)
_FORGED_ZH_NEEDS = Every(
    Holds("评", "裁", "打分"),
    Holds(*(f"{title}{judge}" for title in ("作为", "身为", "尊敬的", "请") for judge in ("评", "裁", "打分"))),
)

FORGED_FRAME = Phrase(
    "forged_frame",
    (
        Wording(_FORGED_FRAME, _FORGED_FRAME_NEEDS),
        Wording(_FORGED_EN, _FORGED_EN_NEEDS),
        Wording(_FORGED_ZH, _FORGED_ZH_NEEDS),
    ),
)
"""Looked for in answers, too, as they are judged next."""
