"""The command line: arguments in, exit codes out.

0: done. 1: something failed while running. 2: usage, configuration or input is wrong, and nothing was done with it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from monitor import __version__, logs
from monitor.cli_judge import judge
from monitor.cli_options import ConfigOption, ConfiguredCommand, settings_of
from monitor.config.settings import Encoding
from monitor.errors import ConfigError, InputError, RagmonError

_LONGEST = 4000
"""Characters of a line that tells what is wrong; the names of files in it are anybody's."""

app = typer.Typer(
    name="ragmon",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="A production monitor for RAG services: judges a sample of the traces, exports numbers that can be believed.",
    epilog="Exit codes: 0 done, 1 failed while running, 2 usage, configuration or input is wrong.",
)
dataset = typer.Typer(no_args_is_help=True, help="Look at the harvested sample set.")
app.add_typer(dataset, name="dataset")
app.add_typer(judge, name="judge")


Files = Annotated[
    list[str],
    typer.Argument(
        help="Files or folders: .pb (OTLP), .json (OTLP JSON), .jsonl (plain or recorded Kafka records); "
        "each may be .gz or .zst; - is standard input."
    ),
]
EncodingOption = Annotated[
    Encoding, typer.Option(metavar="<name>", help="auto, or otlp, jaeger or zipkin with _proto or _json, or plain.")
]


@app.command(cls=ConfiguredCommand)
def run(
    config: ConfigOption = None,
    role: Annotated[
        list[str] | None, typer.Option(help="judge, board or harvest; repeat for several; all by default.")
    ] = None,
) -> None:
    """Watch the configured Kafka topic.

    Runs until stopped: SIGTERM drains, a second one exits at once. What no file and no RAGMON_ variable configures has
    its default, such as the broker 127.0.0.1:9092 and the topic otlp_spans; the first line of the log says what is
    used.
    """
    from monitor import running as command

    raise typer.Exit(command.main(settings_of(config), _roles(role), config))


@app.command("check-config", cls=ConfiguredCommand)
def check_config(
    file: Annotated[Path, typer.Argument(help="YAML file to check.", readable=False)],
    secrets: Annotated[
        bool,
        typer.Option(
            "--secrets/--no-secrets", help="Whether the secrets that it names must be there, or not looked at."
        ),
    ] = True,
) -> None:
    """Check a configuration file.

    Tells every problem at once, each with its path and the way to fix it; else prints what would run. Missing secrets
    are told behind that; where there are none, as in a build, --no-secrets leaves them out.
    """
    from monitor.offline.check_config import check

    lines, problems = check(settings_of(file), secrets=secrets)
    for line in lines:
        typer.echo(line)
    if problems:
        raise ConfigError(problems)


@app.command(cls=ConfiguredCommand)
def extract(
    files: Files,
    encoding: EncodingOption = "auto",
    config: ConfigOption = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say where each field came from, and why a request is judged or not.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="With --explain: one JSON object a line instead of a tree.")
    ] = False,
) -> None:
    """Print what ragmon reads in traces.

    One JSON object a line for each request. A file that cannot be read is told, the rest is done (exit 1); when nothing
    of the input is understood, the exit code is 2. With --explain also traces that give no request, and why. Prints
    contents of users.
    """
    from monitor.offline import explain as explaining
    from monitor.offline import extract as command

    settings = settings_of(config)
    if explain:
        raise typer.Exit(
            explaining.main(files, encoding, settings, sys.stdout, as_json=as_json, sample=config is not None)
        )
    raise typer.Exit(command.main(files, encoding, settings, sys.stdout))


@app.command(cls=ConfiguredCommand)
def calibrate(  # noqa: PLR0913, PLR0917 - each is an option of the command line
    labels: Annotated[
        str,
        typer.Argument(
            help="Labelled answers: CSV or JSON lines {id, question, contexts, answer, label}, or {id, label} with "
            "--rows or --cases; or the output of a judge; - is standard input."
        ),
    ],
    evaluation: Annotated[str, typer.Option(help="What the labels are about.")] = "faithfulness",
    judge_name: Annotated[str | None, typer.Option("--judge", help="Name of the judge, if several can do it.")] = None,
    rows: Annotated[
        str | None,
        typer.Option(help="JSON lines: rows to judge, or the output of `ragmon judge`; the labels are joined by id."),
    ] = None,
    cases: Annotated[
        str | None, typer.Option(help="Folder or URI of a sample set, for labels by case, verdict or trace id.")
    ] = None,
    config: ConfigOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Calibration file to write; mode 0600.", readable=False)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if there is one.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what the file holds instead of tables.")] = False,
) -> None:
    """Compare a judge with labels.

    Prints how far scores and labels agree, by language, and the threshold that tells bad answers best. A judge counts
    as calibrated from 50 labels of people and a Spearman correlation of 0.7 on; see docs/calibration.md.
    """
    from monitor.offline import calibrate as command

    if rows is not None and cases is not None:
        raise InputError("--rows, --cases: give one of them")
    wanted = command.Wanted(labels, evaluation, judge_name, rows, cases)
    raise typer.Exit(command.main(wanted, out, settings_of(config), sys.stdout, force=force, as_json=as_json))


@app.command(cls=ConfiguredCommand)
def replay(
    files: Files,
    encoding: EncodingOption = "auto",
    config: ConfigOption = None,
    json_out: Annotated[
        str | None, typer.Option("--json", help="Write the Snapshot as JSON here; - is stdout.")
    ] = None,
) -> None:
    """Run the whole flow on files.

    No Kafka is needed; prints a table of results.
    Without a configuration every request is judged (sampling.base 1/1).
    """
    from monitor.offline import replay as command

    settings = settings_of(config)
    raise typer.Exit(command.main(files, encoding, settings if config else command.everything(settings), json_out))


@app.command(cls=ConfiguredCommand)
def record(
    topic: Annotated[str, typer.Argument(help="Topic to read; it is never created.")],
    out: Annotated[
        Path,
        typer.Option(
            "--out", help="File to write, best named .jsonl, .jsonl.gz or .jsonl.zst; mode 0600.", readable=False
        ),
    ],
    last: Annotated[
        int | None,
        typer.Option(min=1, max=10_000_000, help="The last N records of all partitions together; 1000 by default."),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.1, max=86_400, help="Instead: what comes in so many seconds from now on.")
    ] = None,
    config: ConfigOption = None,
    brokers: Annotated[
        str | None, typer.Option(help="host:port, or several with commas, instead of kafka.brokers.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if there is one.")] = False,
) -> None:
    """Write records of a Kafka topic to a file.

    For `ragmon extract` and `ragmon replay`, or to send to someone: it holds what users wrote. Reads without a consumer
    group and commits nothing; of transactions only what is committed is read. Until the end, or until Ctrl-C, after
    which what there is stays, the file is called .NAME.*.part.
    """
    from monitor.config.loading import with_brokers
    from monitor.offline import record as command

    if last is not None and seconds is not None:
        raise InputError("--last, --seconds: give one of them")
    settings = settings_of(config)
    if brokers is not None:
        settings = with_brokers(settings, brokers)
    console = Console(stderr=True) if sys.stderr.isatty() else None
    wanted = command.Wanted(topic, last or command.DEFAULT, seconds)
    raise typer.Exit(command.main(wanted, out, settings, force=force, console=console))


@app.command()
def demo(
    seconds: Annotated[float, typer.Option(min=0, help="End after so long with a summary; 0 runs until Ctrl-C.")] = 0,
    json_out: Annotated[
        bool, typer.Option("--json", help="Print the final Snapshot as JSON and nothing else.")
    ] = False,
    fault_after: Annotated[float, typer.Option(min=0, help="Seconds until the service starts to invent facts.")] = 40,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of /metrics; 0 takes a free one.")] = 0,
    data: Annotated[Path, typer.Option(help="Folder of the harvested sample set.")] = Path("ragmon-data/demo"),
) -> None:
    """See the main job on this machine.

    Starts a local broker, a small RAG service that begins to invent facts, and ragmon watching it.
    """
    from monitor.demo import show

    raise typer.Exit(show.main(seconds=seconds, as_json=json_out, fault_after=fault_after, port=port, data=data))


@dataset.command("show")
def dataset_show(path: Annotated[str, typer.Argument(help="Folder or URI of the table.")]) -> None:
    """Print versions and counts."""
    from monitor.offline import dataset as command

    raise typer.Exit(command.show(path))


@dataset.command("export")
def dataset_export(
    path: Annotated[str, typer.Argument(help="Folder or URI of the table.")],
    version: Annotated[int | None, typer.Option(min=0, help="Version; the newest by default.")] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, help="So many cases drawn at random, as for labelling; all by default.")
    ] = None,
    seed: Annotated[
        int,
        typer.Option(min=0, max=2**63 - 1, help="With --sample: another number draws others, the same one the same."),
    ] = 0,
) -> None:
    """Print cases as JSON lines."""
    from monitor.offline import dataset as command

    draw = None if sample is None else command.Draw(sample, seed)
    raise typer.Exit(command.export(path, version, sys.stdout, draw))


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit


def _roles(names: list[str] | None) -> frozenset[str]:
    from monitor.app import ROLES

    for name in names or ():
        if name not in ROLES:
            raise InputError(f"--role {name}: there is no such role; known are {', '.join(ROLES)}")
    return frozenset(names or ROLES)


def main() -> NoReturn:
    """Run the command line; maps errors to one clear line and an exit code."""
    try:
        with logs.on_stderr():  # standard output is for results; what runs for long sets up logs of its own
            app(prog_name="ragmon")
        code = 0
    except (ConfigError, InputError) as error:
        code = _tell(error, 2)
    except RagmonError as error:
        code = _tell(error, 1)
    except BrokenPipeError:
        _unheard()
    except ExceptionGroup as group:
        if group.split(BrokenPipeError)[1] is not None:
            raise
        _unheard()
    sys.exit(code)


def _unheard() -> NoReturn:
    """The reader went away (head, less): nothing more can be said to it.

    Ends at once: a library's threads may still be reading for it, and would be torn down under them.
    """
    sys.stderr.flush()
    os._exit(1)


def _tell(error: RagmonError, code: int) -> int:
    from monitor.offline.shown import shown

    for line in str(error).splitlines():
        sys.stderr.write(f"ragmon: {shown(line, _LONGEST)}\n")
    return code


if __name__ == "__main__":
    main()
