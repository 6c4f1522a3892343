"""The command ``check``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..index.shown import counted
from ..terminal.exit_codes import EXIT_NOT_FOUND
from ..terminal.opening import NoIndexError, catalog_given, index_given
from ..terminal.options import answer_options
from ..terminal.printing import json_text, say, say_note, show
from .rules.table import RULES, SEVERITIES, at_least, similar_rules

if TYPE_CHECKING:
    from ..questions.styled import Line
    from ..questions.view import View
    from .findings import CheckOutcome
    from .settings import Settings

_HERE = "."
_FORMATS = ("text", "json", "github", "sarif", "junit")


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--format", "shape", type=click.Choice(_FORMATS), help="Report in this format (default: text).")
@click.option(
    "--severity",
    type=click.Choice(SEVERITIES),
    default="warning",
    show_default=True,
    help="Report findings of at least this severity, and exit with 1 if there are any.",
)
@click.option(
    "--rule",
    "rules",
    multiple=True,
    type=click.Choice(list(RULES)),
    help="Check only this rule; may be repeated.",
)
@click.option(
    "--explain",
    "explained",
    metavar="RULE",
    help="Show what RULE finds and why, with examples; check nothing.",
)
@click.option(
    "--config", metavar="FILE", help="The settings (default: the nearest oblist.toml above the first PATH)."
)
@click.option("--baseline", metavar="FILE", help="Report only findings that are not in this baseline.")
@click.option("--write-baseline", metavar="FILE", help="Write all findings as a baseline, and report none.")
@click.option(
    "--overwrite", is_flag=True, help="With --write-baseline: replace FILE even if it is not a baseline."
)
@click.option(
    "--stdin-path", metavar="FILE", help="With PATH -: check standard input as the content of FILE."
)
@click.option(
    "--statistics", is_flag=True, help="Print the number of findings of each rule, and how much was checked."
)
@click.option("--all", "all_files", is_flag=True, help="Check all files, including those that nothing loads.")
@click.option("--fix", is_flag=True, help="Show corrections of names that are certainly misspelt, as a diff.")
@click.option(
    "--write",
    "write_fixes",
    is_flag=True,
    help="With --fix: write the corrections, either in all files or in none.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    metavar="N",
    help="The number of processes (default: one per processor).",
)
@answer_options
def check(
    paths: tuple[str, ...],
    shape: str | None,
    severity: str,
    rules: tuple[str, ...],
    explained: str | None,
    config: str | None,
    baseline: str | None,
    write_baseline: str | None,
    overwrite: bool,
    stdin_path: str | None,
    statistics: bool,
    all_files: bool,
    fix: bool,
    write_fixes: bool,
    jobs: int | None,
    path: str | None,
    as_json: bool,
) -> None:
    """Check Lisp sources, and the Lisp in Markdown, Org and docstrings, against an index, without a Lisp.

    PATH is a file or a folder (default: the current folder); - is standard input. In a folder, the documents
    (.md .org) are checked, and those sources (.lisp .lsp .cl .asd) that were loaded for the index. A
    comment `; oblist: ignore[rule]` silences a line. Exit code 1: there are findings that --write has
    not corrected.
    """
    if explained is not None:
        _explain(explained, paths, as_json=as_json)
        return
    from .elsewhere import with_elsewhere
    from .errors import CheckError
    from .report.lines import on_a_line
    from .settings import read_settings
    from .silence import read_baseline
    from .silence import write_baseline as write

    if as_json and shape not in (None, "json"):
        raise click.UsageError(f"Give --json or --format {shape}, not both.")
    if fix or write_fixes:
        _look_at_fixing(paths, shape, write_baseline, fix=fix)
    if stdin_path is not None and "-" not in paths:
        raise click.UsageError(
            f"--stdin-path {stdin_path} names what is read from standard input: also give - as the path."
        )
    paths = paths or (_HERE,)
    try:
        texts = _standard_input(stdin_path) if "-" in paths else {}
        paths = tuple(dict.fromkeys(next(iter(texts)) if one == "-" else one for one in paths))
        first = Path(paths[0])
        found = Path(config) if config else _nearest_settings(first)
        settings = _limited(read_settings(found), rules)
        known = read_baseline(Path(baseline)) if baseline else None
        outcome = _checked(
            index_given(path),
            list(paths),
            settings,
            jobs or os.cpu_count() or 1,
            all_files=all_files,
            texts=texts,
        )
        if write_baseline:
            count = write(Path(write_baseline), outcome.findings, settings, overwrite=overwrite)
            click.echo(f"oblist: {counted(count, 'finding')} written to {write_baseline}", err=True)
            return
        if known is not None:
            new = known.new(outcome.findings, settings)
            outcome.suppressed += len(outcome.findings) - len(new)
            outcome.findings = new
    except CheckError as error:
        raise click.UsageError(on_a_line(str(error))) from error
    if fix:
        from .fixing import fix_files

        outcome.findings = [one for one in outcome.findings if at_least(one.severity, severity)]
        fix_files(outcome, write=write_fixes, as_json=as_json or shape == "json")
        return
    outcome.findings = with_elsewhere(outcome.findings, catalog_given())
    _report(outcome, "json" if as_json else shape or "text", severity, statistics=statistics)


def _look_at_fixing(paths: tuple[str, ...], shape: str | None, baseline: str | None, *, fix: bool) -> None:
    if not fix:
        raise click.UsageError("--write goes with --fix.")
    if shape not in (None, "text", "json") or baseline or "-" in paths:
        raise click.UsageError(
            "--fix shows a diff or JSON: it cannot be combined with another --format, --write-baseline or -."
        )


def _explain(name: str, paths: tuple[str, ...], *, as_json: bool) -> None:
    """Print the page of a rule."""
    if paths:
        raise click.UsageError("Give --explain RULE or a PATH, not both.")
    rule = RULES.get(name)
    if rule is None:
        near = similar_rules(name)
        instead = f"did you mean {near[0]}?" if near else f"the rules are {', '.join(RULES)}."
        raise click.BadParameter(f"there is no rule {name}; {instead}", param_hint="--explain")
    if as_json:
        found = {"name": rule.name, "severity": rule.severity, "documentation": rule.documentation}
        say(json_text(found))
    else:
        title = f"# {rule.name}"
        page = rule.documentation.removeprefix(title).strip()
        show(lambda: f"{title} ({rule.severity})\n\n{page}")


def _nearest_settings(first: Path) -> Path | None:
    from .errors import CheckError
    from .settings import find_settings

    try:
        return find_settings(first if first.is_dir() else first.parent)
    except (OSError, ValueError) as error:
        raise CheckError(f"{first}: no such file or folder.") from error


def _limited(settings: Settings, rules: tuple[str, ...]) -> Settings:
    """The settings, with only the named rules switched on."""
    from dataclasses import replace

    return replace(settings, only=frozenset(rules)) if rules else settings


def _checked(
    index: str | None,
    paths: list[str],
    settings: Settings,
    jobs: int,
    *,
    all_files: bool,
    texts: dict[str, str],
) -> CheckOutcome:
    """The outcome of a check; a missing or broken index ends the command with code 3."""
    from oblist.indexer.format import index_to_read

    from ..api import open_index
    from ..errors import QueryError
    from ..index.incomplete import unjudged
    from .errors import CheckError
    from .run import Check

    try:
        with open_index(index) as opened, _progress() as progress:
            check = Check(index_to_read(index), settings, jobs, progress, all_files=all_files, texts=texts)
            outcome = check.run(paths)
            outcome.incomplete = unjudged(opened)
        return outcome
    except CheckError:
        raise
    except QueryError as error:
        raise NoIndexError(str(error)) from error


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    """Show the progress of the check, if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield lambda doing, done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task("Starting")

        def show(doing: str, done: int, total: int) -> None:
            bar.update(task, description=doing, completed=done, total=total)
            bar.refresh()

        yield show


def _standard_input(path: str | None) -> dict[str, str]:
    """The content of standard input, by the path of the file that it stands for. Raises CheckError."""
    from oblist.indexer.source_text import MOST_BYTES, decoded

    from .errors import CheckError

    content = sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise CheckError(f"Standard input is larger than {MOST_BYTES // 1024 // 1024} MB.")
    return {path or "standard-input.lisp": decoded(content).removeprefix("\ufeff")}


def _report(outcome: CheckOutcome, shape: str, severity: str, *, statistics: bool) -> None:
    """Print the findings that are severe enough, and exit."""
    from .report.formats import report
    from .report.lines import on_a_line

    if outcome.incomplete:
        say_note(on_a_line(outcome.incomplete))
    outcome.findings = [one for one in outcome.findings if at_least(one.severity, severity)]
    for path, why in sorted(outcome.unreadable.items()):
        click.echo(f"oblist: {on_a_line(path)} was not checked: {on_a_line(why)}", err=True)
    if not outcome.files and not outcome.unreadable:
        click.echo(
            "oblist: nothing to check: there are neither sources (.lisp ...) nor documents (.md .org)",
            err=True,
        )
    text = report(outcome, shape, statistics=statistics)
    if shape == "text":
        show(lambda: text, lambda view: _people(outcome, view, statistics=statistics))
    elif text:
        click.echo(text)
    if outcome.findings or outcome.unreadable:
        sys.exit(EXIT_NOT_FOUND)


def _people(outcome: CheckOutcome, view: View, *, statistics: bool) -> list[Line]:
    from .report.people import people_report

    return [*people_report(outcome, view, statistics=statistics)]
