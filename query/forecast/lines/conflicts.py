"""Names that the library now exports and that packages using it already have."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ...diff.api import ApiPackage
from ...diff.changes.packages import counterpart
from .. import sql
from ..answer import BrokenLine
from ..context import ForecastContext
from ..sql import OwnDefinitionRow, PackageUserRow, SameNameRow

SORT = "conflict"


def conflicts(context: ForecastContext) -> Iterator[BrokenLine]:
    """The definitions that would become the library's, and the packages that would get two symbols of a name.

    If a package uses another (CLHS 11.1.1.2.5), a new name of that is read as the library's symbol where code
    of the package has it; with a symbol that it imports, or inherits from elsewhere, it is an error.
    """
    for package in context.changes.old.packages.values():
        new = counterpart(package, context.changes.new)
        if new is None or new.name not in context.changes.new.packages:
            continue
        added = {*new.exports} - {*package.exports}
        if not added:
            continue
        users = context.old.rows(
            sql.USERS_OF_PACKAGE, package=package.name, files=json.dumps([*context.own.files])
        )
        there = dict(context.new.rows(sql.EXPORTS, package=new.name))
        for user in map(PackageUserRow._make, users):
            yield from _in_package(context, user, package, new.name, added, there)


def _in_package(
    context: ForecastContext,
    user: PackageUserRow,
    used: ApiPackage,
    new: str,
    added: set[str],
    there: dict[str, int],
) -> Iterator[BrokenLine]:
    old, nicknames = used.name, used.nicknames
    rows = context.old.rows(sql.SAME_NAMES, user=user.number, used=old, names=json.dumps(sorted(added)))
    for row in map(SameNameRow._make, rows):
        if row.shadowing or there.get(row.name) == row.symbol:
            continue
        what = f"{user.name.lower()} uses {new.lower()}, which now exports {row.name.lower()}"
        if row.how == "present" and row.by == user.name:
            yield from _definitions(context, row, what)
        elif (place := context.own.place(user.file, user.line, user.column)) is not None:
            place, length = context.own.used_at(place, (old, *nicknames))
            how = "imported" if row.how == "present" else "inherited"
            other = f"another {row.name.lower()} is {how} from {(row.by or '').lower()}"
            message = f"{what}, but {other}: the package cannot be created"
            yield place.broken(SORT, message, length)


def _definitions(context: ForecastContext, row: SameNameRow, what: str) -> Iterator[BrokenLine]:
    """Where a package defines a name that would be the library's."""
    found = context.old.rows(sql.DEFINED_AT, symbol=row.symbol, files=json.dumps([*context.own.files]))
    for one in map(OwnDefinitionRow._make, found):
        place = context.own.place(one.file, one.line, one.column)
        if place is not None:
            kind = one.kind.replace("-", " ")
            yield place.broken(SORT, f"{what}: this {kind} would define the library's symbol")
