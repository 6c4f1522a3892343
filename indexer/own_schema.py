"""What SQLite says of the schema of a file, compared with the schema of an index or a catalog.

Standard library only. ``schema/index.sql`` and ``schema/catalog.sql`` have the schemas as SQLite keeps them
in ``sqlite_master``. Nothing else may be in a file: a view in place of a table might never end, and a trigger
or a table of somebody else's is not for a file that is read on trust.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

MASTER = "SELECT type, name, sql FROM sqlite_master"
"""All that a file has: type, name and statement, which is None for an index that a table makes."""
SEPARATOR = "\n;\n"
_NAMED = re.compile(r"CREATE (?:VIRTUAL )?\w+ \W?(\w+)")  # SQLite's own tables have quotes

MasterRow = tuple[str, str, "str | None"]


def schema_difference(rows: Iterable[MasterRow], kind: str) -> str | None:
    """How the ``rows`` of MASTER differ from the schema of an "index" or a "catalog"; None if they do not.

    The answer is a clause, such as "the view x does not belong in an oblist index".
    """
    known, rows = set(schema(kind)), list(rows)
    found = {sql for _, _, sql in rows}
    found.discard(None)  # what SQLite makes for a UNIQUE column, from nothing but the table's statement
    if found == known:
        return None
    missing = {name for name, sql in _statements(kind).items() if sql not in found}
    for of, name, sql in rows:
        if sql is None or sql in known:
            continue
        if name in missing:
            return f"the {of} {name} differs from that of an oblist {kind}"
        return f"the {of} {name} does not belong in an oblist {kind}"
    return f"{min(missing)} is missing"


def schema(kind: str) -> list[str]:
    """The statements that create all of an "index" or a "catalog", sorted."""
    return sorted(_statements(kind).values())


def creating(kind: str, name: str) -> str:
    """The statement that creates a table, an index or a view of an "index" or a "catalog"."""
    return _statements(kind)[name]


@cache
def _statements(kind: str) -> dict[str, str]:
    """All statements by the names of what they create."""
    path = Path(__file__).with_name("schema") / f"{kind}.sql"
    statements = path.read_text(encoding="utf-8").removesuffix(SEPARATOR).split(SEPARATOR)
    return {found[1]: one for one in statements if (found := _NAMED.match(one))}
