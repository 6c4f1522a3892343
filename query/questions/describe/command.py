"""The command ``describe``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import IO, TYPE_CHECKING

import click

from ...errors import AttachError
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...terminal.batch import answer_batch
from ...terminal.opening import opened_all
from ...terminal.options import (
    batch_option,
    package_option,
    refuse_unless_one,
    seen_from_option,
    several_options,
)
from ...terminal.printing import finish, say_note
from .answer import DescribeAnswer
from .text import describe_text

if TYPE_CHECKING:
    from ...index.value_source import ValueSource
    from ..styled import Line
    from ..view import View


# How long a person waits for SBCL to start from the saved image.
_PATIENCE_SECONDS = 10.0


def _values(no_live: bool, attach: str | None, remote: bool) -> Callable[[str], ValueSource] | None:
    """Return the source of values. Its client is imported only when needed: most questions need none."""
    if attach is not None and not no_live:
        from ...values.attach import attached_values

        try:
            return attached_values(attach, remote)
        except AttachError as error:
            raise click.UsageError(str(error)) from error

    def values(build_id: str) -> ValueSource:
        from ...values.live import live_values

        return live_values(_PATIENCE_SECONDS)(build_id)

    return None if no_live else values


@click.command()
@click.argument("name", required=False)
@package_option
@batch_option
@click.option(
    "--full",
    is_flag=True,
    help="Also show types, definitions with their places, uses and related names, as a terminal always does.",
)
@click.option("--no-live", is_flag=True, help="Do not start an SBCL for the values of variables.")
@click.option(
    "--attach",
    envvar="OBLIST_ATTACH",
    metavar="swank:HOST:PORT",
    help="Get values from the running image of this Swank server (default: $OBLIST_ATTACH).",
)
@click.option("--attach-remote", is_flag=True, help="Allow a Swank server on another machine.")
@seen_from_option
@several_options
def describe(
    name: str | None,
    package: str,
    batch: IO[bytes] | None,
    full: bool,
    no_live: bool,
    attach: str | None,
    attach_remote: bool,
    paths: tuple[str, ...],
    as_json: bool,
) -> None:
    """Describe NAME: its type, lambda list, value, documentation and source.

    NAME is typed as in Lisp: mapcar, cl:mapcar, alexandria::flatten, :test, '|odd Name|',
    '(setf gethash)'.
    """
    refuse_unless_one(name, batch)
    with opened_all(paths, _values(no_live, attach, attach_remote)) as index:
        if batch is not None:
            sys.exit(answer_batch(batch, lambda name: index.describe(name, package)))
        answer = index.describe(name or "", package)
    upcase = index.upcase if isinstance(index, Reading) else str.upper
    people = partial(_people, answer)
    finish(answer, as_json, lambda: _text(answer, full=full), people, asked=name or "", upcase=upcase)
    if not isinstance(answer, NotFound):
        _note(answer)


def _people(answer: DescribeAnswer | NotFound, view: View) -> list[Line]:
    assert not isinstance(answer, NotFound)
    if type(answer) is DescribeAnswer:
        from .people import describe_people

        return describe_people(answer, view)
    from ...several.describe.answer import SeveralDescribeAnswer
    from ...several.describe.people import several_describe_people

    assert isinstance(answer, SeveralDescribeAnswer)
    return several_describe_people(answer, view)


def _text(answer: DescribeAnswer | NotFound, *, full: bool) -> str:
    assert not isinstance(answer, NotFound)
    if not full:
        return _contract_text(answer)
    from .further import further_lines

    return "\n".join([_contract_text(answer), *further_lines(answer)])


def _contract_text(answer: DescribeAnswer) -> str:
    if type(answer) is DescribeAnswer:
        return describe_text(answer)
    from ...several.describe.answer import SeveralDescribeAnswer
    from ...several.describe.text import several_describe_text

    assert isinstance(answer, SeveralDescribeAnswer)
    return several_describe_text(answer)


def _note(answer: DescribeAnswer) -> None:
    """Print on stderr what the text does not say."""
    if answer.note:
        say_note(answer.note)
    if answer.value_note:
        say_note(answer.value_note)
