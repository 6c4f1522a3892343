"""The command ``index``."""

from __future__ import annotations

import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import IO

import click
from click.core import ParameterSource

from oblist.lisp.images import Setup
from oblist.lisp.sbcl import find_sbcl

from ..build.index import NotLoaded, Summary, build_index, unchanged_index
from ..format import index_to_write
from ..image import ImagePlan
from ..inputs import Request, require_definitions, require_names
from ..layers.make import Progress
from ..refresh.present import failure_cause
from ..same_failures import names_of, same_failures
from .ending import EXIT_FAILED, failures, tidy_end
from .logs import excerpt, keep_log, log_note
from .options import (
    FOLDER,
    kept_options,
    load_timeout_option,
    overwrite_option,
    set_up_options,
    tests_option,
)
from .progress import progress_shown

_OF_LISP = frozenset(
    ("systems", "projects", "tests", "files", "init", "no_userinit", "sbcl", "load_timeout", "from_scratch")
)
"""The parameters about the Lisp to start."""


@click.command()
@click.argument("systems", nargs=-1, metavar="[SYSTEM]...")
@click.option(
    "--project",
    "projects",
    type=FOLDER,
    multiple=True,
    metavar="DIR",
    help="Load the systems that DIR's .asd files define, except test systems; may be repeated.",
)
@tests_option
@set_up_options
@click.option(
    "--records",
    type=click.File("rb"),
    metavar="FILE",
    help="Index the records that another Lisp has written to FILE (- for standard input): "
    "see docs/formats/records.md.",
)
@click.option(
    "--output",
    metavar="FILE",
    help="The index to write (default: $OBLIST_INDEX, else DIR/.oblist/oblist.db, else the one in your data "
    "folder).",
)
@overwrite_option
@load_timeout_option
@kept_options
@click.option("--force", is_flag=True, help="Build even if nothing has changed since the last build.")
@click.option(
    "--from-scratch",
    is_flag=True,
    help="Build without the cache: index SBCL itself again, and read system definitions again.",
)
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option("--progress-json", is_flag=True, hidden=True, help="Print each stage as a JSON line on stderr.")
def index(
    systems: tuple[str, ...],
    projects: tuple[Path, ...],
    tests: bool,
    files: tuple[Path, ...],
    init: Path | None,
    no_userinit: bool,
    sbcl: str | None,
    records: IO[bytes] | None,
    output: str | None,
    overwrite: bool,
    load_timeout: float,
    no_sources: bool,
    no_snapshot: bool,
    force: bool,
    from_scratch: bool,
    quiet: bool,
    as_json: bool,
    progress_json: bool,
) -> None:
    """Index a live SBCL into one SQLite file, with the given ASDF SYSTEMs loaded.

    Your init file is loaded first, as in your own REPL, then every --load FILE, the SYSTEMs, and the
    systems of --project. Without any of these, only SBCL itself is indexed, and no init file is loaded.
    Whatever does not load is recorded with its file and line, and the rest is indexed (exit code 1). If
    anything had to be compiled, everything is loaded again in a new image, because the compiler leaves
    traces. The old index is used until the new one is complete, and is kept if the build fails. If
    nothing has changed since the last build, nothing is done.

    With --records, no Lisp is started: FILE contains the records that a producer, such as the one in
    lisp/portable, has written from another Lisp. A file that breaks a rule for records is refused.
    """
    if records is not None:
        _refuse_what_is_loaded(click.get_current_context())
    wanted = bool(systems or projects or files)
    setup = Setup(projects, files, init, wanted and not no_userinit, load_timeout, tests)
    with failures():
        require_names(projects)
        require_definitions(projects)
    with failures(), tidy_end(), progress_shown(quiet, progress_json) as progress:
        target = index_to_write(output, setup.folder)
        if records is not None:
            summary: Summary | None = _index_records(records, target, progress, not no_sources, overwrite)
        else:
            plan = ImagePlan(find_sbcl(sbcl), systems, setup)
            request = Request(plan, _command_line(systems, setup), not no_sources, not no_snapshot)
            summary = None if force or from_scratch else unchanged_index(target, request)
        summary = summary or build_index(
            target,
            plan,
            command=request.command,
            progress=progress,
            warn=progress if progress_json else lambda text: _warn(text, quiet),
            store_sources=request.store_sources,
            snapshot=request.snapshot,
            overwrite=overwrite,
            from_scratch=from_scratch,
        )
    _print_summary(summary, quiet, as_json)
    if not (wanted or records) and any(Path().glob("*.asd")):
        _warn(
            "this index contains only SBCL; to add the systems of this folder, run: oblist index --project .",
            quiet,
        )
    groups = list(same_failures(summary.not_loaded, lambda one: failure_cause(one.problem)))
    for same in groups:
        _print_not_loaded(same)
    if printed := list(dict.fromkeys(same[0].printed for same in groups if same[0].printed)):
        click.echo(log_note(keep_log(printed)), err=True, nl=False)
    if summary.not_loaded:
        sys.exit(EXIT_FAILED)


def _refuse_what_is_loaded(context: click.Context) -> None:
    """Refuse what is about the Lisp to start: with --records, none is."""
    for parameter in context.command.params:
        name = parameter.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name in _OF_LISP:
            shown = parameter.opts[0] if isinstance(parameter, click.Option) else "SYSTEM"
            raise click.UsageError(f"{shown} cannot be combined with --records, which starts no Lisp.")


def _index_records(
    records: IO[bytes], target: Path, progress: Progress, store_sources: bool, overwrite: bool
) -> Summary:
    # A build of SBCL does without all this.
    from ..build.from_records import index_from_records

    name = "standard input" if records.name in ("<stdin>", 0) else str(records.name)
    return index_from_records(
        target,
        records,
        name,
        command=shlex.join(["oblist", "index", "--records", str(Path(records.name).absolute())])
        if name != "standard input"
        else "oblist index --records -",
        progress=progress,
        store_sources=store_sources,
        overwrite=overwrite,
    )


def _warn(text: str, quiet: bool) -> None:
    if not quiet:
        click.echo(f"oblist: {text}", err=True)


def _print_not_loaded(same: list[NotLoaded]) -> None:
    """Report on stderr what did not load for one reason and where, after what loading it printed last."""
    problem, printed = same[0].problem, same[0].printed
    if lines := "\n".join(excerpt(printed, problem.message)):
        click.echo(f"The last output while loading {problem.subject} was:\n{lines}\n", err=True)
    place = ""
    if problem.path:
        place = f" ({problem.path}, line {problem.line})" if problem.line else f" ({problem.path})"
    click.echo(
        f"oblist: {names_of(problem.part, [one.problem.subject for one in same])} did not load: "
        f"{problem.condition}: {' '.join(problem.message.split())}{place}",
        err=True,
    )


def _print_summary(summary: Summary, quiet: bool, as_json: bool) -> None:
    if as_json:
        import orjson

        click.echo(orjson.dumps({**asdict(summary), "path": str(summary.path)}, option=orjson.OPT_INDENT_2))
    elif summary.unchanged and not quiet:
        click.echo(f"{summary.path} is up to date: none of its inputs has changed (--force rebuilds it)")
    elif not quiet:
        click.echo(
            f"{summary.path}: {summary.symbols:,} symbols, {summary.definitions:,} definitions, "
            f"{summary.references:,} references, "
            f"{summary.problems:,} problem{'' if summary.problems == 1 else 's'} "
            f"in {summary.seconds:.1f} s, {summary.size / 1e6:.1f} MB; {_snapshot_words(summary)}"
        )


def _snapshot_words(summary: Summary) -> str:
    if summary.snapshot_size is None:
        return f"no snapshot for values: {summary.no_snapshot}"
    return f"snapshot for values: {summary.snapshot_size / 1e6:.1f} MB"


def _command_line(systems: tuple[str, ...], setup: Setup) -> str:
    """The command as recorded: the arguments that decide what is in the image."""
    words = ["oblist", "index", *systems]
    for project in setup.projects:
        words += ["--project", str(project)]
    if setup.tests and setup.projects:
        words.append("--tests")
    for file in setup.files:
        words += ["--load", str(file)]
    if setup.init:
        words += ["--init", str(setup.init)]
    return shlex.join(words)
