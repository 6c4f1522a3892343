"""The command ``export``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar
from unicodedata import category

import click

from oblist.indexer.extras import require

from ..errors import ExportError
from ..index.not_found import NotFound
from ..index.reading import Reading
from ..index.shown import counted
from ..terminal.exit_codes import EXIT_NOT_FOUND
from ..terminal.opening import opened
from ..terminal.options import answer_options
from ..terminal.printing import finish
from .answer import ExportAnswer
from .output import STANDARD_OUTPUT, Destination, shown_path
from .selection import Selection, selection
from .sources import SourceFile, source_files

_T = TypeVar("_T")
_NEED_TEXT = {"etags": "no tags", "scip": "no exact ranges"}
_Write = Callable[[Reading, Selection, Destination], ExportAnswer]


@click.group()
def export() -> None:
    """Export an index in a format that other tools read.

    By default, the indexed systems are exported, or everything if the index contains only SBCL.
    """


def _options(
    default: str, what: str = "The file to write; - for standard output."
) -> Callable[[Callable[..., _Write]], Callable[..., None]]:
    """A decorator that makes a command of a function that returns the writer of a format."""

    def decorated(make: Callable[..., _Write]) -> Callable[..., None]:
        @click.option(
            "-o",
            "--output",
            default=default,
            show_default=True,
            metavar="PATH",
            help=what,
        )
        @click.option(
            "--system", "systems", multiple=True, metavar="NAME", help="Export this system; may be repeated."
        )
        @click.option(
            "-p",
            "--package",
            "packages",
            multiple=True,
            metavar="NAME",
            help="Export this package; may be repeated.",
        )
        @click.option(
            "--overwrite",
            is_flag=True,
            help="Replace the file at PATH even if it is not an earlier export in this format.",
        )
        @click.option("--all", "everything", is_flag=True, help="Export everything in the index.")
        @answer_options
        @wraps(make)
        def command(
            output: str,
            systems: tuple[str, ...],
            packages: tuple[str, ...],
            overwrite: bool,
            everything: bool,
            path: str | None,
            as_json: bool,
            **options: Any,
        ) -> None:
            to_stdout = output in (str(STANDARD_OUTPUT), "/dev/stdout")
            if to_stdout and as_json:
                raise click.UsageError("--json describes the file that it writes: name one with --output.")
            path_to_write = STANDARD_OUTPUT if to_stdout else Path(output).absolute()
            write = make(**options)
            with opened(path) as index:
                destination = Destination(path_to_write, index.path, overwrite)
                chosen = selection(index, systems, packages, everything)
                try:
                    answer = chosen if isinstance(chosen, NotFound) else write(index, chosen, destination)
                except ExportError as error:
                    raise click.ClickException(str(error)) from error
            if to_stdout and isinstance(answer, ExportAnswer):
                click.echo(_said(answer), err=True)
            else:
                finish(answer, as_json, _said)
            if isinstance(answer, ExportAnswer):
                _end(answer)

        return command

    return decorated


def _end(answer: ExportAnswer) -> None:
    """Note what the export lacks on standard error; exit with 1 if that is everything."""
    if number := answer.without_text:
        files = counted(number, "file")
        why = "whose text is not in the index: to store it, run oblist index again, without --no-sources"
        click.echo(f"note: {_NEED_TEXT[answer.format]} for {files}, {why}", err=True)
    elif not answer.definitions:
        click.echo("note: nothing that was selected has a known location in a source file", err=True)
    if not answer.definitions:
        sys.exit(EXIT_NOT_FOUND)


def _answer(
    shape: str,
    destination: Destination,
    files: int,
    definitions: int,
    references: int | None = None,
    without_text: int = 0,
) -> ExportAnswer:
    return ExportAnswer(shape, str(destination.path), files, definitions, references, without_text)


def _said(answer: ExportAnswer | NotFound) -> str:
    assert isinstance(answer, ExportAnswer)
    path = "standard output" if answer.path == str(STANDARD_OUTPUT) else shown_path(answer.path, Path.cwd())
    if answer.format == "dash":
        entries = counted(answer.definitions, "entry", "entries")
        return f"wrote {path}: {entries} on {counted(answer.files, 'page')}"
    uses = f" and {counted(answer.references, 'use')}" if answer.references is not None else ""
    definitions = counted(answer.definitions, "definition")
    return f"wrote {path}: {definitions}{uses} in {counted(answer.files, 'file')}"


def _shown(things: Iterable[_T], what: str) -> Iterator[_T]:
    """Yield the same things, with a progress bar if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield from things
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(list(things), what, console=Console(stderr=True), transient=True)


def _files(index: Reading, chosen: Selection) -> Iterable[SourceFile]:
    return _shown(source_files(index, chosen), "Writing files")


@export.command("ctags")
@click.option("--references", is_flag=True, help="Also write the uses, as tags with the extra 'reference'.")
@_options("tags")
def export_ctags(references: bool) -> _Write:
    """Write a tags file for vim and other editors, in the format of Universal Ctags."""

    def write(index: Reading, chosen: Selection, destination: Destination) -> ExportAnswer:
        from .ctags import write_ctags

        return _answer(
            "ctags",
            destination,
            *write_ctags(index, _files(index, chosen), destination, references=references),
        )

    return write


@export.command("etags")
@_options("TAGS")
def export_etags() -> _Write:
    """Write a tags table for Emacs."""

    def write(index: Reading, chosen: Selection, destination: Destination) -> ExportAnswer:
        from .etags import write_etags

        written = write_etags(index, _files(index, chosen), destination)
        return _answer(
            "etags", destination, written.files, written.definitions, without_text=written.without_text
        )

    return write


@export.command("scip")
@click.option(
    "--project-root",
    metavar="DIR",
    help="Make paths relative to DIR, and leave out other files (default: the common folder of all files).",
)
@_options("index.scip")
def export_scip(project_root: str | None) -> _Write:
    """Write a SCIP index: definitions, uses, documentation and signatures.

    To install what it needs: pip install 'oblist[scip]'
    """
    require("a SCIP index", "scip", "google.protobuf")

    def write(index: Reading, chosen: Selection, destination: Destination) -> ExportAnswer:
        from .scip.documents import write_scip

        root = str(Path(project_root).expanduser().absolute()) if project_root else None
        return _answer("scip", destination, *write_scip(index, _files(index, chosen), destination, root))

    return write


def _title(_: click.Context, __: click.Parameter, text: str) -> str:
    """The title, if XML 1.0 (2.2) and UTF-8 can represent it. Raises BadParameter."""
    if any(category(char) in ("Cc", "Cs") or char in "\ufffe\uffff" for char in text):
        raise click.BadParameter(f"{text!a} has characters that are not allowed in the name of a docset.")
    return text


@export.command("dash")
@click.option(
    "--name",
    default="Lisp",
    show_default=True,
    metavar="TEXT",
    callback=_title,
    help="The name of the docset.",
)
@_options("lisp.docset", "The folder to write.")
def export_dash(name: str) -> _Write:
    """Write a docset for Dash and Zeal: the exported symbols of each package."""

    def write(index: Reading, chosen: Selection, destination: Destination) -> ExportAnswer:
        from .dash.docset import write_docset

        numbers = write_docset(index, chosen, destination, name, lambda all_: _shown(all_, "Writing pages"))
        return _answer("dash", destination, *numbers)

    return write
