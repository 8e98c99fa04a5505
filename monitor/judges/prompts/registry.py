"""The rubrics by the name of their evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from monitor.judges.prompts.faithfulness import Faithfulness
from monitor.judges.prompts.harm import Harm
from monitor.judges.prompts.rubric import Rubric

RUBRICS: Mapping[str, Callable[[], Rubric]] = {"faithfulness": Faithfulness, "safety.harm": Harm}
