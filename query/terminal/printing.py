"""Printing answers, as text or JSON, and ending with the right exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from ..index.finding.guessed import guess_note
from ..index.not_found import NotFound, not_found_text
from ..index.shown import for_terminal
from ..index.standpoint.seen_from import seen_lines
from .exit_codes import EXIT_NOT_FOUND, EXIT_USAGE

_Answer = TypeVar("_Answer")
CATALOG = "oblist catalog"
"""Where the context of a command keeps the catalog that --catalog names."""


def on_terminal() -> bool:
    """Whether a person is reading the answer: standard output is open, and is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def say(text: str) -> None:
    """Print text; on a terminal, with its control characters escaped."""
    click.echo(for_terminal(text) if on_terminal() else text)


def json_text(answer: object, *, indent: bool = True) -> str:
    """An answer, or a list of answers, as JSON."""
    import orjson

    try:
        return orjson.dumps(answer, option=orjson.OPT_INDENT_2 if indent else None).decode()
    except TypeError:  # a lone surrogate, from an argument that is not UTF-8
        import json
        from dataclasses import asdict

        return json.dumps(answer, indent=2 if indent else None, default=asdict)


def told_elsewhere(answer: _Answer, asked: str) -> _Answer | NotFound:
    """The answer; if it is that ``asked`` was not found, with what the catalog has of that name."""
    if not (isinstance(answer, NotFound) and asked):
        return answer
    from ..catalog.elsewhere import with_elsewhere

    return with_elsewhere(answer, asked, click.get_current_context().meta.get(CATALOG))


def say_what_lacks(answers: Sequence[object]) -> None:
    """Print on stderr what the answers take a name for, may lack, and which files have changed, each once."""
    for guessed in dict.fromkeys(getattr(one, "guessed", None) for one in answers):
        if guessed:
            for line in guess_note(guessed).splitlines():
                click.echo(f"note: {for_terminal(line)}", err=True)
    for incomplete in dict.fromkeys(getattr(one, "incomplete", None) for one in answers):
        if incomplete:
            click.echo(f"note: {incomplete}", err=True)
    for outdated in dict.fromkeys(getattr(one, "outdated", None) for one in answers):
        if outdated:
            click.echo(f"note: {outdated} (rebuild it with: oblist index)", err=True)


def finish(answer: object, as_json: bool, text: Callable[[], str], *, asked: str = "") -> None:
    """Print an answer and end with its exit code; what it may lack is printed on stderr before it.

    For a name that was ``asked`` and not found, what the catalog has of it is added.
    """
    answer = told_elsewhere(answer, asked)
    say_what_lacks([answer])
    if as_json:
        say(json_text(answer))
    elif isinstance(answer, NotFound):
        say(not_found_text(answer))
    else:
        say("\n".join([text(), *seen_lines(getattr(answer, "seen_from", None))]))
    if isinstance(answer, NotFound):
        sys.exit(EXIT_USAGE if answer.error == "invalid-type" else EXIT_NOT_FOUND)
