"""The metrics of quality: what the board makes of the verdicts."""

from __future__ import annotations

from exporters.metric import Kind, Metric, counter, estimate, gauge

JUDGED = ("evaluation", "judge", "fingerprint", "calibrated", "dimension", "value")
"""Labels of a quality number: what was judged, by whom, in which slice (`all`, `all` is everything)."""
WINDOWED = (*JUDGED, "window")

SCORE = Metric(
    "ragmon.score",
    Kind.HISTOGRAM,
    "{score}",
    JUDGED,
    "Scores, 0 to 1, higher is better; each counts as many requests as it stands for (its weight). Bounds lie at the "
    "atoms of judge scores and just below them: the share below 0.5 is the 0.499 bucket over the count.",
    "board",
    "Which share of requests was bad, over any time and any number of replicas?",
    "The service; read the worst cases first.",
)
VERDICTS = counter(
    "verdicts",
    "{verdict}",
    (*JUDGED, "outcome", "reason"),
    "board",
    "Verdicts by outcome.",
    "Do judges give verdicts, and if not, why?",
    "judges.*.total_timeout, judges.*.max_concurrency, judging.when_full",
)
VERDICT_WEIGHT = counter(
    "verdict.weight",
    "{request}",
    (*JUDGED, "outcome", "reason"),
    "board",
    "Requests that the verdicts stand for, by outcome.",
    "Which share of traffic has no verdict?",
    "as ragmon_verdicts_total",
)
LOW_SCORES = counter(
    "low_scores",
    "{request}",
    (*JUDGED, "cause"),
    "board",
    "Requests that low scores stand for (below 0.5, or a bad label), by cause: `retrieval`, `ranking`, `generation`, "
    "`coverage`, `unanswerable`, `unknown`.",
    "What do bad answers come from?",
    "see causes.md",
)
MEAN = estimate(
    "score.mean",
    "{score}",
    WINDOWED,
    "Weighted mean score of the window.",
    "Is quality falling, beyond chance?",
    "The service; sampling.base for a narrower interval.",
)
ES10 = estimate(
    "score.es10",
    "{score}",
    WINDOWED,
    "Mean score of the worst 10 % of requests in the window.",
    "How bad are the bad answers?",
    "The service; sampling.base for a narrower interval.",
)
QUANTILE = estimate(
    "score.quantile",
    "{score}",
    (*WINDOWED, "q"),
    "Quantile of the scores of the window: a score that a judge really gave, never interpolated.",
    "Which score do the worst requests get? Descriptive: it jumps between a judge's steps, so do not alert on it.",
    "sampling.base: p01 needs 300 cases, p05 60, p10 30.",
)
BELOW_HALF = estimate(
    "score.below_half",
    "1",
    WINDOWED,
    "Share of requests in the window with a score below 0.5.",
    "How many users get a bad answer?",
    "The service; sampling.base for a narrower interval.",
)
BELOW_HALF_CORRECTED = estimate(
    "score.below_half.corrected",
    "1",
    WINDOWED,
    "Share of requests in the window that are bad by the labels of the calibration: the share below 0.5, corrected for "
    "how often the judge is wrong (Rogan and Gladen). For calibrated judges with 100 labels or more.",
    "How many users get what people call a bad answer?",
    "The service; more labels (ragmon calibrate) and sampling.base for a narrower interval.",
)
BOUND_LOWER = gauge(
    "score.bound.lower",
    "{score}",
    WINDOWED,
    "board",
    "The mean if every missing verdict were 0, widened by the sampling error.",
    "How low could the mean be, given the verdicts that are missing?",
    "The judge: its timeouts, limits and budget.",
)
BOUND_UPPER = gauge(
    "score.bound.upper",
    "{score}",
    WINDOWED,
    "board",
    "The mean if every missing verdict were 1, widened by the sampling error.",
    "How high could the mean be, given the verdicts that are missing?",
    "The judge: its timeouts, limits and budget.",
)
MISSING = gauge(
    "verdict.missing",
    "1",
    WINDOWED,
    "board",
    "Weight of missing verdicts (judge errors, skipped) over that of missing and scored; coverage is 1 minus this.",
    "Can the mean be trusted? Above 5 % the missing verdicts matter more than chance.",
    "judges.*.total_timeout, judges.*.max_output_tokens, sampling.budget_per_minute",
)
WINDOW_VERDICTS = gauge(
    "window.verdicts",
    "{verdict}",
    WINDOWED,
    "board",
    "Scored verdicts in the window.",
    "Is enough judged?",
    "sampling.base",
)
WINDOW_EQUAL = gauge(
    "window.equal_weight_verdicts",
    "{verdict}",
    WINDOWED,
    "board",
    "How many verdicts of equal weight tell as much as those of the window (Kish's effective sample size). At most "
    "ragmon_window_verdicts, and far fewer where some stand for many requests and others for one.",
    "Why is a number absent? Below its floor in these it is not shown: 30, p05 60, p01 300.",
    "sampling.base; the rates of the triggers, nearer to it",
)
WINDOW_EFFECTIVE = gauge(
    "window.effective_verdicts",
    "{verdict}",
    WINDOWED,
    "board",
    "Effective sample size of the weighted mean: the coin flips that tell as much. More than the verdicts where scores "
    "vary less than flips.",
    "How much does the weighting cost?",
    "sampling.base against the trigger rates; sampling.base_share",
)
WINDOW_REQUESTS = gauge(
    "window.requests",
    "{request}",
    WINDOWED,
    "board",
    "Requests that the scored verdicts of the window stand for.",
    "How much traffic is behind the number?",
    "none",
)
LAST_SCORED = gauge(
    "last_scored.timestamp",
    "s",
    ("evaluation", "judge", "calibrated"),
    "board",
    "Unix time of the newest scored request (its end); the start of the process while there is none.",
    "Does the judge still judge?",
    "The judge's endpoint and key; the consumer lag.",
)
CAUGHT_UP = gauge(
    "board.caught_up",
    "",
    (),
    "board",
    "1 when the history of the verdict topic has been read; window numbers are absent before. Absent without the board "
    "role.",
    "Why are there no numbers after a start?",
    "board.windows, retention of topics.verdicts",
)
DUPLICATES = counter(
    "board.duplicates",
    "{verdict}",
    (),
    "board",
    "Verdicts left out because their id had been counted.",
    "How much is redelivered?",
    "source.commit_every",
)
LATE = counter(
    "board.late",
    "{verdict}",
    (),
    "board",
    "Verdicts left out because their event time lay beyond the longest window or too far ahead.",
    "Are clocks wrong, or is judging too far behind?",
    "board.lateness, clocks of the service's hosts",
)
REFUSED = counter(
    "board.refused",
    "{verdict}",
    (),
    "board",
    "Verdicts left out because they make no sense (a score out of range, a broken name), or of one judge too many.",
    "Does something else write to the verdict topic?",
    "topics.verdicts: who may write to it",
)
FEEDBACK = counter(
    "feedback",
    "{feedback}",
    ("sentiment", "human"),
    "board",
    "Feedback that came, each once: `negative`, `positive`, or `unrated` when it cannot be told; a person's or not.",
    "Does feedback arrive, and is it understood?",
    "see feedback.md",
)
FEEDBACK_JOINED = counter(
    "feedback.joined",
    "{feedback}",
    ("dimension", "value", "sentiment", "human"),
    "board",
    "Feedback on judged requests, in their slices; counted when both the feedback and the verdict are there.",
    "What do people say of the answers that were judged?",
    "sampling.base, sampling.content_share: which share of requests is judged, and of carriers is read.",
)
FEEDBACK_WEIGHT = counter(
    "feedback.weight",
    "{feedback}",
    ("dimension", "value", "sentiment", "human"),
    "board",
    "All feedback that the joined one stands for, by the weights of the requests and of the traces that carried it.",
    "Which share of all feedback is negative, whatever the triggers sampled?",
    "as ragmon_feedback_joined_total",
)
FEEDBACK_LEFT_OUT = counter(
    "feedback.left_out",
    "{feedback}",
    ("reason",),
    "board",
    "Feedback not counted: `duplicate` (told before), `refused` (makes no sense), `too_many` (no room for its id); or "
    "counted, but no longer waited for: `forgotten` (too much came after it while it had no verdict).",
    "Is somebody flooding the feedback?",
    "The service that sends it; topics.verdicts: who may write to it.",
)
_COMPARED = ("evaluation", "judge", "fingerprint")
CALIBRATED = gauge(
    "judge.calibrated",
    "",
    (*_COMPARED, "reason"),
    "calibration",
    "1 when the judge was compared with 50 labels of people or more and Spearman's correlation was 0.7 or more, else 0 "
    "with the reason: `no_labels`, `other_fingerprint` (the file is about another model, prompt or version), "
    "`labels_of_a_judge`, `few_labels`, `no_correlation` (all labels or scores are the same), `low_correlation`.",
    "Do the scores mean what people mean?",
    "ragmon calibrate, calibration_files; see calibration.md",
)
LABELS = gauge(
    "judge.labels",
    "{label}",
    _COMPARED,
    "calibration",
    "Labelled answers that the judge was compared with.",
    "How much is behind the calibration?",
    "ragmon calibrate",
)
SENSITIVITY = estimate(
    "judge.sensitivity",
    "1",
    (*_COMPARED, "rule"),
    "Share of the answers labelled bad that the judge flags, by rule: `below_half`, the score is below 0.5, as in "
    "ragmon_score_below_half_ratio; `threshold`, what decides is below the threshold of the calibration (the label of "
    "the embedded judge), of answers held out.",
    "Which share of the bad answers does the judge find?",
    "ragmon calibrate; another judge",
    "calibration",
)
SPECIFICITY = estimate(
    "judge.specificity",
    "1",
    (*_COMPARED, "rule"),
    "Share of the answers labelled good that the judge does not flag, by rule as in ragmon_judge_sensitivity_ratio.",
    "How often is the alarm false?",
    "ragmon calibrate; another judge",
    "calibration",
)
