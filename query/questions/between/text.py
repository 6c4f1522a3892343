"""The answer of uses as text; pure."""

from __future__ import annotations

from collections.abc import Iterator

from ...index.shown import counted, shown_name
from ..paging import rest_line
from .answer import BetweenAnswer, NameUser, UsedName


def between_text(answer: BetweenAnswer, more: str = "--offset {offset}") -> str:
    """Return a heading with the counts, then a line for each name, with its users below it."""
    lines = [heading(answer)]
    if len(answer.relations) > 1:
        lines.append(", ".join(f"{relation} {total}" for relation, total in answer.relations.items()))
    if answer.inside:
        lines.append(inside_line(answer))
    if answer.reason:
        lines.append(answer.reason)
    for one in answer.names:
        lines += _name(one)
    lines += rest_line(answer.names, answer.total, answer.offset, more)
    if answer.note:
        lines.append(f"Note: {answer.note}.")
    return "\n".join(lines)


def heading(answer: BetweenAnswer) -> str:
    """Return the line with the counts."""
    counts = [
        f"{number:,} {noun if number == 1 else noun + 's'}"
        for number, noun in ((answer.total, "name"), (answer.uses, "use"), (answer.callers, "caller"))
    ]
    return f"{shown_name(answer.users)} uses {shown_name(answer.used)}: {', '.join(counts)}"


def inside_line(answer: BetweenAnswer) -> str:
    """Return the line that says how many uses are left out."""
    uses, were = ("use", "was") if answer.inside == 1 else ("uses", "were")
    return f"{answer.inside:,} {uses} by code in the {shown_name(answer.used)} itself {were} left out"


def how_often(one: UsedName) -> str:
    """Return the numbers of uses and callers of a name."""
    times = counted(one.uses, "use")
    return times if one.uses == one.callers == 1 else f"{times} by {counted(one.callers, 'caller')}"


def how_many(user: NameUser) -> str:
    """Return the number of uses of a caller, with the lines of those after the first; empty for one."""
    if user.uses == 1:
        return ""
    others = user.lines[1:]
    lines = "line" if len(others) == 1 else "lines"
    where = f", also on {lines} {', '.join(map(str, others))}" if others else ""
    return f"  {user.uses} uses{where}"


def _name(one: UsedName) -> Iterator[str]:
    kind = f" [{one.kind}]" if one.kind else ""
    place = ":".join(str(part) for part in (one.path, one.line) if part is not None)
    first = f"  {'first ' if one.uses > 1 else ''}{place}" if place and not one.users else ""
    yield shown_name(f"{one.written}{kind}  {how_often(one)}{first}")
    path = None
    for user in one.users:
        file = user.path or "place unknown"
        where = ":".join(str(part) for part in (user.line, user.column) if part is not None)
        place = where if user.path == path and where else f"{file}:{where}" if where else file
        path = user.path
        kind = f" [{user.caller_kind}]" if user.caller_kind and not user.caller.startswith("(") else ""
        times = how_many(user)
        yield shown_name(f"  {place}  {user.caller}{kind}{times}")
