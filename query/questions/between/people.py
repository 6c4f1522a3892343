"""The answer of uses for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ...index.shown import shown_name
from ..styled import Line, faint, kind, line, listed, name, rest
from ..view import View
from .answer import BetweenAnswer, NameUser, UsedName
from .text import heading, how_many, how_often, inside_line


def between_people(answer: BetweenAnswer, view: View) -> Iterator[Line]:
    """A heading with the counts, then each name, with its users below it."""
    yield line(heading(answer))
    if len(answer.relations) > 1:
        yield line(
            listed(f"{relation} {number:,}" for relation, number in answer.relations.items()), indent=2
        )
    if answer.inside:
        yield line(faint(inside_line(answer)))
    if answer.reason:
        yield line(answer.reason)
    for one in answer.names:
        yield from _name(one, view)
    yield from rest(answer.names, answer.total, answer.offset, indent=0)
    if answer.note:
        yield line(f"Note: {answer.note}.")


def _name(one: UsedName, view: View) -> Iterator[Line]:
    place = "" if one.users else view.place(one.path, one.line)
    yield line(name(one.written), kind(one.kind or ""), faint(how_often(one)), place, hang=4)
    for path, users in groupby(one.users, key=lambda user: user.path):
        yield line(view.anywhere(path), indent=2)
        yield from (_user(user) for user in users)


def _user(user: NameUser) -> Line:
    where = ":".join(str(part) for part in (user.line, user.column) if part is not None)
    times = faint(how_many(user).strip())
    called = name(shown_name(user.caller)) if user.caller_kind else shown_name(user.caller)
    return line(faint(where), called, times, indent=4)
