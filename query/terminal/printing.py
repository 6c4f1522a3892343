"""Printing answers, as text or JSON, and ending with the right exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import click

from ..imported import imported
from ..index.finding.guessed import guess_note
from ..index.not_found import NotFound, not_found_text
from ..index.shown import for_terminal
from ..index.standpoint.seen_from import seen_lines
from .display_options import COLOUR, UNPAGED
from .exit_codes import EXIT_NOT_FOUND, EXIT_USAGE

if TYPE_CHECKING:
    from ..api import Index
    from ..indexes import Indexes
    from ..questions.styled import Line
    from ..questions.view import View

_Answer = TypeVar("_Answer")
ForPeople: TypeAlias = "Callable[[View], Sequence[Line]]"
"""Makes the lines that a person sees of an answer at a terminal."""
CATALOG = "oblist catalog"
"""Where the context of a command keeps the catalog that --catalog names."""


def on_terminal() -> bool:
    """Whether a person is reading the answer: standard output is open, and is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def say(text: str) -> None:
    """Print text; on a terminal, with its control characters escaped."""
    click.echo(for_terminal(text) if on_terminal() else text)


def show(
    text: Callable[[], str], people: ForPeople | None = None, index: Index | Indexes | None = None
) -> None:
    """Print the text of an answer: on a terminal for ``people``, and else as programs rely on it.

    Without ``people``, a terminal shows the text itself. ``index`` is what has answered.
    """
    meta = click.get_current_context().meta
    colour = meta.get(COLOUR) or "auto"
    if not on_terminal() and colour != "always":
        click.echo(text())
        return
    from ..questions.styled import plain
    from .display import coloured, display, working_folder

    if not on_terminal():
        click.echo(coloured(plain(text())), color=True)
    elif people is None:
        display(plain(text()), colour, paged=not meta.get(UNPAGED))
    else:
        from ..questions.view import View

        folder = working_folder()
        view = View(folder) if index is None else View(folder, index.upcase, index.readings)
        display(people(view), colour, paged=not meta.get(UNPAGED))


def say_note(text: str) -> None:
    """Print a remark on stderr; on a terminal, in lines that fit."""
    text = f"note: {text}"
    if sys.stderr is not None and sys.stderr.isatty():
        from ..questions.styled import plain
        from .wrapping import terminal_width, wrapped_text

        text = wrapped_text(plain(text), terminal_width())
    click.echo(text, err=True)


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
                say_note(for_terminal(line))
    for incomplete in dict.fromkeys(getattr(one, "incomplete", None) for one in answers):
        if incomplete:
            say_note(incomplete)
    for outdated in dict.fromkeys(getattr(one, "outdated", None) for one in answers):
        if outdated:
            say_note(f"{outdated} (to rebuild the index, run: oblist index)")


def say_notes(answers: Iterable[object]) -> None:
    """Print the remarks in the field ``note`` of the answers, where their texts do not have it."""
    for one in answers:
        if not isinstance(one, NotFound) and (note := getattr(one, "note", None)):
            say_note(note)


def lazily(path: str, **further: object) -> Callable[[Any, View], Iterable[Line]]:
    """The function at ``path``, such as ``.questions.info.people:information_people``, for a terminal alone.

    It is imported when it is called. Its arguments are the answer, the view, and ``further`` ones.
    """

    def people(answer: object, view: View) -> Iterable[Line]:
        lines: Iterable[Line] = imported(path, "oblist.query")(answer, view, **further)
        return lines

    return people


def finish(
    answer: _Answer | NotFound,
    as_json: bool,
    text: Callable[[_Answer], str],
    people: Callable[[_Answer, View], Iterable[Line]] | None = None,
    *,
    asked: str = "",
    index: Index | Indexes | None = None,
) -> None:
    """Print an answer and end with its exit code; what it may lack is printed on stderr before it.

    For a name that was ``asked`` and not found, what the catalog has of it is added. ``text`` and ``people``
    make an answer text, for programs and for a person; ``index`` is as for ``show``.
    """
    answer = told_elsewhere(answer, asked)
    say_what_lacks([answer])
    if as_json:
        say(json_text(answer))
    elif isinstance(answer, NotFound):
        negative = answer
        show(lambda: not_found_text(negative), lambda _: _not_found(negative))
    else:
        positive = answer
        seen = seen_lines(getattr(answer, "seen_from", None))

        def for_people(view: View) -> list[Line]:
            assert people is not None
            return [*people(positive, view), *_plain(seen)]

        show(lambda: "\n".join([text(positive), *seen]), people and for_people, index)
    if isinstance(answer, NotFound):
        sys.exit(EXIT_USAGE if answer.error == "invalid-type" else EXIT_NOT_FOUND)


def _not_found(answer: NotFound) -> list[Line]:
    from ..questions.view import not_found_people

    return not_found_people(answer)


def _plain(lines: list[str]) -> list[Line]:
    if not lines:
        return []
    from ..questions.styled import plain

    return plain("\n".join(lines))
