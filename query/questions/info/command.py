"""The command ``info``."""

from __future__ import annotations

from ...terminal.opening import opened
from ...terminal.printing import finish, lazily
from ...terminal.question_command import ask, asks
from .parameters import InfoParameters
from .text import information_text


@asks(InfoParameters, seen_from=False)
def info(asked: InfoParameters, path: str | None, as_json: bool) -> None:
    """Show what the index contains, when it was built, and from which SBCL.

    The index is --index, else $OBLIST_INDEX, else .oblist/oblist.db in this folder or the
    nearest folder above that is yours, else the one in your data folder.
    """
    with opened(path) as index:
        answer = ask(index, asked)
    people = lazily(".questions.info.people:information_people")
    finish(answer, as_json, information_text, people)
