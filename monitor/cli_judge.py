"""The commands below `ragmon judge`: judge rows, and judge judges."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from monitor.cli_options import ConfigOption, ConfiguredCommand, settings_of
from monitor.errors import InputError


class _RowsByDefault(TyperGroup):
    """`ragmon judge ...` without one of its commands judges rows."""

    default = "rows"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - a context of typer's own copy of click
        """Put the default in front, unless a command or help is asked for."""
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        """Show the options of the default as well."""
        super().format_options(ctx, formatter)
        records = [found for param in self.commands[self.default].params if (found := param.get_help_record(ctx))]
        with formatter.section(f"Without a command, as of {self.default}"):
            formatter.write_dl(records)


judge = typer.Typer(
    cls=_RowsByDefault,
    help="Judge rows, and judge judges.\n\n`ragmon judge --evaluation faithfulness FILE` judges the rows of a file.",
)


@judge.command(_RowsByDefault.default, cls=ConfiguredCommand)
def judge_rows(
    evaluation: Annotated[str, typer.Option(help="Such as faithfulness or safety.pii.")],
    file: Annotated[
        str, typer.Argument(help="JSON lines {id, question, contexts, answer}; - is standard input.")
    ] = "-",
    config: ConfigOption = None,
    judge_name: Annotated[str | None, typer.Option("--judge", help="Name of the judge, if several can do it.")] = None,
) -> None:
    """Judge rows of JSON lines.

    Rows {id, question, contexts, answer} in; verdicts {id, evaluation, outcome, reason, score, label, explanation,
    evidence, judge, coverage, flags, cause, cause_evidence, language} out, one for each row, in the same order, all
    with the same keys. A row without an id is called by its case_id or trace_id; without any of them its id is null.
    The exit code is 1 when a row could not be read or the judge failed on every one, 2 when no row could be read or all
    lack a key that the evaluation needs.
    """
    from monitor.offline import judge as command

    raise typer.Exit(command.main(file, evaluation, judge_name, settings_of(config), sys.stdout))


@judge.command("compare", cls=ConfiguredCommand)
def judge_compare(
    candidate: Annotated[str, typer.Argument(help="Name of the judge that is to be compared.")],
    rows: Annotated[
        str | None,
        typer.Argument(help="JSON lines {id, question, contexts, answer} that both judge; - is standard input."),
    ] = None,
    verdicts: Annotated[
        str | None,
        typer.Option(help="Instead: verdicts in production, a file that `ragmon record` made of the verdict topic."),
    ] = None,
    beside: Annotated[str | None, typer.Option(help="The other judge, where `shadow_of` does not name it.")] = None,
    config: ConfigOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Comparison file to write; mode 0600.", readable=False)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if there is one.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what the file holds instead of tables.")] = False,
) -> None:
    """Compare a candidate with the judge that it runs beside.

    On the same rows, or on what both judged in production: paired difference with its interval, agreement, cost and
    latency of each. See docs/changing-judges.md.
    """
    from monitor.offline import compare as command

    if (rows is None) == (verdicts is None):
        taken = f"; {candidate} was taken for the name of the candidate, which comes first"
        raise InputError(f"ROWS, --verdicts: give one of them{taken if Path(candidate).is_file() else ''}")
    wanted = command.Wanted(candidate, beside, rows, verdicts)
    raise typer.Exit(command.main(wanted, out, settings_of(config), sys.stdout, force=force, as_json=as_json))


@judge.command("promote", cls=ConfiguredCommand)
def judge_promote(
    candidate: Annotated[str, typer.Argument(help="Name of the judge that is to take the other one's place.")],
    config: Annotated[
        Path, typer.Option("--config", "-c", help="YAML file with both judges; it is not rewritten.", readable=False)
    ],
    comparison: Annotated[
        Path | None, typer.Option("--comparison", help="What `ragmon judge compare --out` wrote.", readable=False)
    ] = None,
    beside: Annotated[str | None, typer.Option(help="The other judge, where `shadow_of` does not name it.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Promote in spite of what speaks against it; that is recorded.")
    ] = False,
) -> None:
    """Let a candidate take the place of the judge that it runs beside.

    Refuses (exit 2) without a comparison of both as they are configured now, on 100 requests or more under each
    evaluation. Adds a line to the promotions file and prints the YAML to change.
    """
    from monitor.offline import promote as command

    wanted = command.Wanted(candidate, beside, comparison, config)
    raise typer.Exit(command.main(wanted, settings_of(config), sys.stdout, force=force))


@judge.command("audit", cls=ConfiguredCommand)
def judge_audit(
    rows: Annotated[
        str,
        typer.Argument(
            help="JSON lines {id, question, contexts, answer}, with labels or without; - is standard input."
        ),
    ],
    evaluation: Annotated[str, typer.Option(help="Such as faithfulness.")] = "faithfulness",
    judge_name: Annotated[str | None, typer.Option("--judge", help="Name of the judge, if several can do it.")] = None,
    limit: Annotated[
        int, typer.Option(min=1, help="The first rows at most; each costs up to 8 calls and the repeats.")
    ] = 200,
    repeats: Annotated[int, typer.Option(min=1, max=20, help="How often each row is judged again as it is.")] = 2,
    config: ConfigOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
) -> None:
    """Say what moves a judge beside quality.

    Correlation of score and length at the same quality; mean change, with its interval, when passages change places,
    when an answer is padded, polite, a list, in bold or reworded, and when nothing changes at all.
    """
    from monitor.offline import audit as command

    wanted = command.Wanted(rows, evaluation, judge_name, limit, repeats)
    raise typer.Exit(command.main(wanted, settings_of(config), sys.stdout, as_json=as_json))
