"""The settings of the judges, one class for each type; `Settings.judges` lists those that judge."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, JsonValue, field_validator

from monitor.config.criteria import Criteria, CriteriaFiles
from monitor.config.prices import MOST, Price
from monitor.config.section import Section
from monitor.config.values import OneIn, Seconds, Secret, Share

Evaluation = Literal[
    "faithfulness",
    "answer_relevance",
    "context_relevance",
    "completeness",
    "correctness",
    "context_recall",
    "safety.harm",
]
"""The evaluations that ragmon has a prompt for."""


JudgeName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,31}$", description="Value of the `judge` label.")]
ShadowOf = Annotated[
    str | None,
    Field(
        description="Name of another judge: this one runs beside it on the same requests, is compared with it, and "
        "counts in no quality number; see changing-judges.md."
    ),
]


class EmbeddedJudge(Section):
    """Faithfulness on the CPU: no key, no network, no download. Not calibrated against people."""

    type: Literal["embedded"] = "embedded"
    name: JudgeName = "embedded"
    shadow_of: ShadowOf = None
    embeddings: bool = Field(
        default=False,
        description="English sentences are judged by sentence vectors too, at a fraction of the speed and as a series "
        "of its own. Needs the extra `embeddings`.",
    )


class ScannerJudge(Section):
    """Deterministic safety scanners: leaks of personal data and secrets, injection, refusal."""

    type: Literal["scanner"] = "scanner"
    name: JudgeName = "scanner"
    shadow_of: ShadowOf = None


class ReferenceJudge(Section):
    """Evaluations against a golden file: questions that come again, and what is right for them."""

    type: Literal["reference"] = "reference"
    name: JudgeName = "reference"
    shadow_of: ShadowOf = None
    golden: Path | None = Field(
        None, description="Golden file, `.csv` or JSON lines; without one only rows of `ragmon judge` have references."
    )
    evaluations: tuple[
        Literal["correctness", "context_recall", "hit_at_k", "mrr", "exact_match", "f1", "rouge_l", "bleu"], ...
    ] = Field(
        ("correctness", "context_recall", "hit_at_k", "mrr"),
        min_length=1,
        description="What it judges. Each is one verdict of each sampled request, most of them `no_reference`.",
    )
    similarity: float = Field(
        0.9,
        gt=0.5,
        le=1,
        description="How much of a golden question's wording a live one shares at least, small words and slips aside; "
        "only words that add nothing (`current`) may be more.",
    )
    k: int = Field(5, ge=1, le=1000, description="Passages in which `hit_at_k` looks for a relevant one.")


class Cascade(Section):
    """The judge is asked more about the requests of which a local judge, asked before, is in doubt."""

    after: str = Field("embedded", description="Name of the local judge, which gives an evaluation that both have.")
    uncertain: OneIn = Field(
        1, ge=1, description="Share of the sampled requests in doubt that it judges; `rate` is that of all others."
    )
    band: tuple[Share, Share] = Field(
        (0.2, 0.6), description="Scores of `after` that are in doubt, lowest and highest. A missing verdict is, too."
    )

    @field_validator("band")
    @classmethod
    def _in_order(cls, band: tuple[float, float]) -> tuple[float, float]:
        if band[0] > band[1]:
            msg = "write the lowest score first, such as [0.2, 0.6]"
            raise ValueError(msg)
        return band


class LlmJudge(Section):
    """A model behind an endpoint that speaks chat completions, as most servers do, or Anthropic's messages."""

    type: Literal["llm"] = "llm"
    name: JudgeName = "llm"
    shadow_of: ShadowOf = None
    evaluations: tuple[Evaluation, ...] = Field(
        ("faithfulness",), description="What it judges, each once; `[]` where it has criteria of yours only."
    )
    criteria: Criteria = Field((), description="Criteria of your own, judged beside the evaluations.")
    criteria_files: CriteriaFiles = Field(
        (), description="YAML files with more criteria; a relative path starts at the configuration file."
    )
    rubric: Literal["strict", "graded"] = Field(
        "strict", description="Faithfulness: a claim counts 1 or 0, or with `graded` also 1/2 when only a detail lacks."
    )
    relevance: Literal["direct", "hypothetical"] = Field(
        "direct", description="Answer relevance: asked directly, or by the questions that the answer would answer."
    )
    golden: Path | None = Field(
        None,
        description="Golden file with the references of `correctness`, `context_recall` and criteria that need one.",
    )
    calls: Literal["together", "apart"] = Field(
        "together", description="One call for all the evaluations of a request, or one for each."
    )
    probabilities: bool = Field(
        default=True, description="Score criteria by the probabilities of the numbers where the server gives them."
    )
    base_url: str = Field(description="Address up to and without `/chat/completions` or `/v1/messages`.")
    server: Literal[
        "auto",
        "compatible",
        "openai",
        "azure",
        "anthropic",
        "mistral",
        "deepseek",
        "dashscope",
        "openrouter",
        "vllm",
        "tgi",
    ] = Field("auto", description="Kind of the server; `auto` knows it by the host, else it is `compatible`.")
    model: str = Field(min_length=1, description="Model name, as precise a snapshot as the server knows.")
    api_key: Secret | None = Field(None, description="Key, sent in the header that the kind of server wants.")
    headers: dict[str, str] = Field({}, description="More request headers, such as an API version.")
    rate: OneIn = Field(1, ge=1, description="Share of the sampled requests that it judges, by the same random number.")
    cascade: Cascade | None = Field(
        None, description="Ask it more about requests that a local judge is in doubt about; see judges.md."
    )
    temperature: float = Field(0.0, ge=0, le=2, description="Sampling temperature.")
    seed: int | None = Field(7, description="Seed sent to the server; null sends none.")
    max_output_tokens: int = Field(1500, ge=64, description="Limit of the reply, for each evaluation of the call.")
    max_input_chars: int = Field(
        48_000, ge=1000, description="Characters of one call; passages that do not fit are shown in several windows."
    )
    context_tokens: int | None = Field(
        None, ge=1024, description="Tokens that the model takes in one call, reply included; none: not looked at."
    )
    window_overlap: int = Field(
        500, ge=0, le=10_000, description="Characters that two windows of one passage have in common."
    )
    max_windows: int = Field(4, ge=1, le=100, description="Windows, so calls, at most; more are `too_long`.")
    structured: Literal["auto", "json_schema", "json_object", "tool", "prompt"] = Field(
        "auto",
        description="How JSON is asked for; `auto` begins with a schema and goes down the list as the server refuses.",
    )
    reasoning: Literal["default", "none", "low", "medium", "high"] | Annotated[int, Field(ge=1024, le=1_000_000)] = (
        Field("default", description="How much the model reasons, or how many tokens at most, where it can be told.")
    )
    extra_body: dict[str, JsonValue] = Field(
        {}, description="More fields of the request body, such as `top_p`; part of the judge's identity."
    )
    self_judging: Literal["refuse", "mark", "allow"] = Field(
        "mark",
        description="Answers of a model of the judge's own family: `mark` flags the judgements `self_judged`, `refuse` "
        "skips them, and does not start where `service_models` has such a model.",
    )
    connect_timeout: Seconds = Field(5.0, gt=0, description="Time to connect.")
    read_timeout: Seconds = Field(30.0, gt=0, description="Time between two pieces of the reply.")
    total_timeout: Seconds = Field(
        45.0, gt=0, description="Time for one call in all; `judging.deadline` ends it all the same."
    )
    max_reply_bytes: int = Field(1 << 20, ge=1024, description="Larger replies are refused.")
    retries: int = Field(2, ge=0, le=10, description="Retries of one call at most.")
    retry_budget: float = Field(0.1, ge=0, le=1, description="Extra calls at most, as a share of the calls.")
    max_concurrency: int = Field(8, ge=1, le=1000, description="Upper limit of parallel calls; the actual one adapts.")
    max_retry_after: Seconds = Field(60.0, description="Longest Retry-After that is obeyed.")
    prices: dict[str, Price] = Field(
        {}, description="What models cost, by their names; `name*` is for all that begin so. See judge-budget.md."
    )
    input_price: float | None = Field(
        None, ge=0, le=MOST, allow_inf_nan=False, description="Price of a million input tokens of `model`."
    )
    output_price: float | None = Field(
        None, ge=0, le=MOST, allow_inf_nan=False, description="Price of a million output tokens of `model`."
    )
    cost_per_hour: float | None = Field(
        None, gt=0, allow_inf_nan=False, description="Money an hour at most; its rate falls before that is reached."
    )
    cost_per_day: float | None = Field(
        None, gt=0, allow_inf_nan=False, description="Money in 24 hours at most; its rate falls before that is reached."
    )
    requests_per_minute: float | None = Field(
        None, ge=1, allow_inf_nan=False, description="Calls a minute at most, retries included."
    )
    tokens_per_minute: float | None = Field(
        None, ge=1000, allow_inf_nan=False, description="Tokens a minute at most, input and output."
    )
    reuse: int = Field(
        1000, ge=0, le=1_000_000, description="Requests whose judgement is given again for the same content; 0: none."
    )
    reuse_for: Seconds = Field(3600.0, description="How long a judgement is given again.")
    allow_private: bool = Field(
        default=False, description="Allow an endpoint in a private or loopback network (link-local never)."
    )
    ca_file: Path | None = Field(
        None, description="PEM file of the authority that signed the endpoint's certificate; default: public ones."
    )

    @property
    def judged(self) -> tuple[str, ...]:
        """The names of all that it judges: the evaluations, then the criteria."""
        return self.evaluations + tuple(criterion.evaluation for criterion in self.criteria)

    @property
    def is_settled(self) -> bool:
        """Whether it is asked for its one most likely verdict, so that the same content gets the same one."""
        return self.extra_body.get("temperature", self.temperature) == 0

    @property
    def is_limited(self) -> bool:
        """Whether calls, tokens or money are limited."""
        return self.counts_money or self.requests_per_minute is not None or self.tokens_per_minute is not None

    @property
    def counts_money(self) -> bool:
        """Whether what it costs is limited."""
        return self.cost_per_hour is not None or self.cost_per_day is not None

    @property
    def price_table(self) -> dict[str, Price]:
        """All that is known of prices; those of `model` itself count before an entry of its name."""
        if self.input_price is None and self.output_price is None:
            return self.prices
        own = Price(input=self.input_price or 0.0, output=self.output_price or 0.0)
        return self.prices | {self.model: own}


JudgeSettings = Annotated[EmbeddedJudge | ScannerJudge | ReferenceJudge | LlmJudge, Field(discriminator="type")]
