"""The command ``info``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...terminal.opening import opened
from ...terminal.options import answer_options
from ...terminal.printing import finish
from .text import information_text

if TYPE_CHECKING:
    from ..styled import Line
    from ..view import View


@click.command()
@answer_options
def info(path: str | None, as_json: bool) -> None:
    """Show what the index contains, when it was built, and from which SBCL.

    The index is --index, else $OBLIST_INDEX, else .oblist/oblist.db in this folder or the
    nearest folder above that is yours, else the one in your data folder.
    """
    with opened(path) as index:
        answer = index.information()

    def people(_: View) -> list[Line]:
        from .people import information_people

        return [*information_people(answer)]

    finish(answer, as_json, lambda: information_text(answer), people)
