"""uses: which names of one part of the code another uses."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Hashable

from ...index.not_found import NotFound
from ...index.reading import Reading
from ..xref.caller_names import CallerNames
from ..xref.references import relation_names
from ..xref.sql import METHODS_IN_FILES, USES_IN_FILES, UseRow
from .answer import BetweenAnswer, NameUser, UsedName
from .parameters import BetweenParameters
from .part import NamedPart, PartCode, part_named

_Name = tuple[int, str | None]


def between(index: Reading, asked: BetweenParameters) -> BetweenAnswer | NotFound:
    """Answer uses from ``index``."""
    users, used = part_named(index, asked.users), part_named(index, asked.used)
    if isinstance(users, NotFound):
        return users
    if isinstance(used, NotFound):
        return used
    uses, inside = _uses(index, users, used)
    by_name: defaultdict[_Name, list[UseRow]] = defaultdict(list)
    for use in uses:
        by_name[use.callee, use.operator].append(use)
    names = CallerNames(index)
    names.read_callees(by_name)
    listed = sorted(by_name, key=lambda one: (-len(by_name[one]), names.callee(*one).written))
    page = listed[asked.offset : asked.offset + asked.limit if asked.limit else None]
    if asked.pairs:
        names.read([use for one in page for use in by_name[one]])
    relations = relation_names(index)
    counts = Counter(use.relation for use in uses)
    return BetweenAnswer(
        users=users.called,
        used=used.called,
        total=len(listed),
        uses=len(uses),
        callers=len(set(map(_caller, uses))),
        relations={relations[one]: counts[one] for one in sorted(counts)},
        inside=inside,
        offset=asked.offset,
        names=[_used_name(index, names, relations, by_name[one], with_users=asked.pairs) for one in page],
        note=_note(users, used),
        reason=None if uses else f"The code of the {users.called} uses no name of the {used.called}.",
    )


def _uses(index: Reading, users: NamedPart, used: NamedPart) -> tuple[list[UseRow], int]:
    """The uses by the one part of the names of the other, and how many are left out as the other's own.

    A method for a generic function that is defined elsewhere is a use of it.
    """
    using, own = PartCode(index, users), PartCode(index, used)
    index.take_time()
    asked = {"symbols": own.symbols, "files": json.dumps(sorted(using.files))}
    rows = [*index.rows(USES_IN_FILES, **asked), *index.rows(METHODS_IN_FILES, **asked)]
    found = [use for use in map(UseRow._make, rows) if using.has(use)]
    if users[:3] == used[:3]:
        return found, 0
    others = [use for use in found if not own.has(use)]
    return others, len(found) - len(others)


def _caller(use: UseRow) -> Hashable:
    """Who makes a use: a definition, or code outside of any, which is identified by its name and file."""
    return use.definition if use.definition is not None else (use.code, use.file)


def _place(use: UseRow) -> tuple[str, int, int]:
    return use.path or "", use.line or 0, use.column or 0


def _used_name(
    index: Reading, names: CallerNames, relations: dict[int, str], uses: list[UseRow], *, with_users: bool
) -> UsedName:
    uses.sort(key=_place)
    first = uses[0]
    callee = names.callee(first.callee, first.operator)
    by_caller: defaultdict[Hashable, list[UseRow]] = defaultdict(list)
    for use in uses:
        by_caller[_caller(use)].append(use)
    ((most, _),) = Counter(use.relation for use in uses).most_common(1)
    return UsedName(
        written=callee.written,
        package=callee.package,
        kind=callee.kind(relations[most]),
        uses=len(uses),
        callers=len(by_caller),
        path=index.local_path(first.path),
        line=first.line,
        users=[_user(index, names, group) for group in by_caller.values()] if with_users else [],
    )


def _user(index: Reading, names: CallerNames, uses: list[UseRow]) -> NameUser:
    first = uses[0]
    caller = names.caller(first.definition, first.code)
    path = index.local_path(first.path)
    lines = sorted({one.line for one in uses if one.line is not None and one.path == first.path})
    return NameUser(caller.name, caller.kind, len(uses), path, first.line, first.column, lines)


def _note(users: NamedPart, used: NamedPart) -> str | None:
    """Say what else the names may have meant."""
    also = {one.name: one.also for one in (users, used) if one.also}
    notes = [f"{name} means the system; for the {other}, give {other}:{name}" for name, other in also.items()]
    return "; ".join(notes) or None
