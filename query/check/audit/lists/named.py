"""What a defining macro made and nothing names, such as a rule of a grammar that no other rule uses.

Which macros make things that are named elsewhere is learned from how they are used: most of what such a macro
makes is named. Tests and handlers, which nobody names, are not reported.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from ....index.finding.resolve import symbol_read
from ....questions.definition.ask import package_read_in
from ....syntax.lexemes import lexemes
from .. import sql
from ..answer import AuditFinding
from ..code import MAKES_NAMES, NO_USES, STANDARD_DEFINERS, AuditedCode
from ..sql import DefiningRow

_FEWEST = 4
_SHARE = 0.6


class _Thing(NamedTuple):
    """What a form of a defining macro names: a symbol, and the place of the form."""

    symbol: int
    row: DefiningRow


def never_named(code: AuditedCode) -> Iterator[AuditFinding]:
    """Yield what macros made and nothing names."""
    things: defaultdict[str, list[_Thing]] = defaultdict(list)
    rows = code.index.rows(sql.DEFINING_FORMS, files=json.dumps(sorted(code.files)))
    for row in map(DefiningRow._make, rows):
        if row.macro.lower() not in STANDARD_DEFINERS and (thing := _thing(code, row)) is not None:
            things[row.macro].append(thing)
    uses = code.uses_of(one.symbol for found in things.values() for one in found)
    needed = code.needed_of(uses)
    defined = {row.symbol for row in code.definitions}
    for macro, found in things.items():
        if len({one.symbol for one in found}) < _FEWEST:
            continue
        named = {one.symbol for one in found if _is_named(code, one, uses.get(one.symbol, []))}
        if len(named) < _SHARE * len({one.symbol for one in found}):
            continue
        for one in found:
            if one.symbol in named or one.symbol in needed:
                continue
            if code.exported or not code.is_exported(one.symbol):
                why = (
                    f"nothing refers to it, unlike {len(named)} of the {len(found)} things"
                    f" defined by {macro.lower()}"
                )
                yield AuditFinding(
                    "never-named",
                    code.written(one.symbol),
                    None if one.symbol in defined else macro.lower(),
                    why,
                    MAKES_NAMES if one.row.file in code.making_names else None,
                    code.index.local_path(one.row.path),
                    one.row.line,
                    one.row.column,
                )


def _thing(code: AuditedCode, row: DefiningRow) -> _Thing | None:
    """What a form names: the symbol after its operator."""
    if row.text is None or row.column is None or row.line is None:
        return None
    after = row.text[row.column - 1 + (row.length or len(row.macro)) :]
    names = [one.text for one in islice(lexemes(after), 2) if one.kind == "symbol"]
    if row.text[: row.column - 1].strip() != "(" or not names:
        return None
    package = package_read_in(code.index, row.file, row.line)
    read = symbol_read(code.index, names[0], package) if package is not None else None
    if read is None:
        return None
    return _Thing(read[0].number, row)


def _is_named(code: AuditedCode, one: _Thing, uses: list[sql.UsedRow]) -> bool:
    """Whether a place outside of the form names it."""
    ends = one.row.end_line or one.row.line or 0
    return any(
        use.relation not in NO_USES
        and not (use.file == one.row.file and (one.row.line or 0) <= (use.line or 0) <= ends)
        for use in uses
    )
