"""The command ``info``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...terminal.opening import opened
from ...terminal.printing import finish
from ...terminal.question_command import ask, asks
from .parameters import InfoParameters
from .text import information_text

if TYPE_CHECKING:
    from ..styled import Line
    from ..view import View
    from .answer import IndexInformation


@asks(InfoParameters, seen_from=False)
def info(asked: InfoParameters, path: str | None, as_json: bool) -> None:
    """Show what the index contains, when it was built, and from which SBCL.

    The index is --index, else $OBLIST_INDEX, else .oblist/oblist.db in this folder or the
    nearest folder above that is yours, else the one in your data folder.
    """

    def people(answer: IndexInformation, _: View) -> Iterable[Line]:
        from .people import information_people

        return information_people(answer)

    with opened(path) as index:
        answer = ask(index, asked)
    finish(answer, as_json, information_text, people)
