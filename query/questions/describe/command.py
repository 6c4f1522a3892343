"""The command ``describe``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import IO, TYPE_CHECKING

import click

from ...errors import AttachError
from ...index.not_found import NotFound
from ...terminal.batch import answer_batch
from ...terminal.opening import opened_all
from ...terminal.options import batch_option
from ...terminal.printing import finish, lazily, say_note, say_notes
from ...terminal.question_command import ask, asks_several
from .parameters import DescribeParameters
from .text import describe_text

if TYPE_CHECKING:
    from ...index.value_source import ValueSource
    from .answer import DescribeAnswer


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


@asks_several(DescribeParameters, batch=True)
@batch_option
@click.option(
    "--full",
    is_flag=True,
    help="Also show types, definitions with their locations, uses and related names, as on a terminal.",
)
@click.option("--no-live", is_flag=True, help="Do not start an SBCL to read the values of variables.")
@click.option(
    "--attach",
    envvar="OBLIST_ATTACH",
    metavar="swank:HOST:PORT",
    help="Get values from the running image of this Swank server (default: $OBLIST_ATTACH).",
)
@click.option("--attach-remote", is_flag=True, help="Allow a Swank server on another machine.")
def describe(
    asked: DescribeParameters,
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
    with opened_all(paths, _values(no_live, attach, attach_remote)) as index:
        if batch is not None:
            sys.exit(answer_batch(batch, lambda name: ask(index, replace(asked, name=name))))
        answer = ask(index, asked)
    text = _full_text if full else describe_text
    people = lazily(".questions.describe.people:describe_people")
    finish(answer, as_json, text, people, asked=asked.name, index=index)
    say_notes([answer])
    if not isinstance(answer, NotFound) and answer.value_note:
        say_note(answer.value_note)


def _full_text(answer: DescribeAnswer) -> str:
    from .further import further_lines

    return "\n".join([describe_text(answer), *further_lines(answer)])
