"""The command ``apropos``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeAlias

import click

from ...api import Index
from ...index.not_found import NotFound
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.opening import opened_all
from ...terminal.options import offset_option, seen_from_option, several_options, terminal_limit_option
from ...terminal.printing import finish, on_terminal, say_note
from .answer import AproposAnswer
from .choices import SCOPES
from .text import apropos_text

if TYPE_CHECKING:
    from ...several.api import Indexes
    from ...several.apropos.answer import SeveralAproposAnswer
    from ..styled import Line

_Answer: TypeAlias = "AproposAnswer | SeveralAproposAnswer | NotFound"


@click.command()
@click.argument("pattern")
@click.option("-p", "--package", help="Search the symbols accessible in this package.")
@click.option(
    "-t",
    "--type",
    "kind",
    metavar="TYPE",
    help="Only symbols of this type: function, macro, variable, class or generic-function.",
)
@click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default="accessible",
    show_default=True,
    help="With --package: which of its symbols to search.",
)
@terminal_limit_option
@offset_option
@seen_from_option
@several_options
def apropos(
    pattern: str,
    package: str | None,
    kind: str | None,
    scope: str,
    limit: int,
    offset: int,
    paths: tuple[str, ...],
    as_json: bool,
) -> None:
    """List the symbols whose names contain PATTERN, ignoring case.

    Without --package: the external symbols of all packages.
    """
    with opened_all(paths) as index:
        answer = index.apropos(pattern, package, kind, scope=scope, limit=limit, offset=offset)
        names = _names(answer, index) if on_terminal() and not as_json else []
    finish(answer, as_json, lambda: _text(answer), lambda view: _people(answer, names))
    if not isinstance(answer, NotFound) and answer.note:
        say_note(answer.note)
    if not isinstance(answer, NotFound) and not answer.total:
        sys.exit(EXIT_NOT_FOUND)


def _names(answer: _Answer, index: Index | Indexes) -> list[str]:
    """The names of the matches as one writes them."""
    if isinstance(answer, NotFound):
        return []
    from .written import written_names

    if isinstance(answer, AproposAnswer):
        assert isinstance(index, Index)
        return written_names(answer.matches, lambda match: index)
    from ...several.apropos.written import several_written_names

    assert not isinstance(index, Index)
    return several_written_names(answer, index)


def _people(answer: _Answer, names: list[str]) -> list[Line]:
    assert not isinstance(answer, NotFound)
    if isinstance(answer, AproposAnswer):
        from .people import apropos_people

        return [*apropos_people(answer.pattern, answer.matches, names, answer.total, answer.offset)]
    from ...several.apropos.people import several_apropos_people

    return [*several_apropos_people(answer, names)]


def _text(answer: _Answer) -> str:
    assert not isinstance(answer, NotFound)
    if isinstance(answer, AproposAnswer):
        return apropos_text(answer)
    from ...several.apropos.text import several_apropos_text

    return several_apropos_text(answer)
