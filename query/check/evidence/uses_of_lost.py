"""The recorded uses of definitions that are gone, carried into the present texts of files."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...index.present.carrying import Carrying
from ...index.present.lines import TextLines
from ...index.reading import Reading
from ...syntax.features import Features
from ...syntax.mentions import is_calling
from ...syntax.nodes import forms_in
from ...syntax.reader import read
from .. import sql
from ..declare.lost import Lost
from ..rules.definitions import undefined_function, undefined_variable, unknown_class, unknown_place
from ..rules.definitions.undefined import UndefinedRule

_RULES: dict[str, UndefinedRule] = {
    **dict.fromkeys(("calls", "macroexpands"), undefined_function.RULE),
    **dict.fromkeys(("references", "sets", "binds"), undefined_variable.RULE),
    **dict.fromkeys(
        ("specializes", "instantiates", "handles", "tests", "declares", "inherits"), unknown_class.RULE
    ),
}
_MOST_BEFORE = 100  # characters before a name that may tell what it is used for


class UseOfLost(NamedTuple):
    """A use, at an offset of the present text, and the rule that it breaks if a definition is missing."""

    start: int
    written: str
    package: str
    name: str
    rule: UndefinedRule


class UsesOfLost:
    """Finds the uses of what is lost in the present texts of files."""

    def __init__(self, index: Reading, lost: Lost, recorded: Mapping[str, str], features: Features) -> None:
        """``recorded`` are the paths of the files as the index has them."""
        self._index = index
        self._lost = lost
        self._recorded = recorded
        self._features = features
        self._by_file: dict[str, list[sql.UseOfSymbolRow]] | None = None

    def of(self, path: str, text: str) -> Iterator[UseOfLost]:
        """The uses in ``text``, the present content of the file at ``path``."""
        recorded = self._recorded.get(path)
        if not self._lost.symbols or recorded is None:
            return
        rows = self._rows().get(recorded)
        if not rows:
            return
        earlier = "\n".join(row[0] for row in self._index.rows(sql.LINES, path=recorded))
        lines, carrying = TextLines(earlier), Carrying(earlier, text)
        templates = _Templates(text, self._features)
        for row in rows:
            if row.line > len(lines):
                continue
            start = lines.start(row.line) + row.column - 1
            length = row.length or len(row.name)
            now = carrying.offset(start, length)
            if now is None:
                continue
            before = text[max(0, now - _MOST_BEFORE) : now]
            rule = self._rule(row, before) or (_in_template(before) if templates.have(now) else None)
            if rule is not None:
                yield UseOfLost(now, text[now : now + length], row.package, row.name, rule)

    def _rule(self, row: sql.UseOfSymbolRow, before: str) -> UndefinedRule | None:
        """The rule that a use breaks if nothing defines its name; None if it need not be defined."""
        rule = _RULES.get(row.relation)
        if row.operator is not None:
            return unknown_place.RULE if rule is undefined_function.RULE else None
        if rule is unknown_class.RULE and row.symbol not in self._lost.classes:
            return None  # such as (declaim (inline name))
        return undefined_function.RULE if row.relation == "names" and is_calling(before) else rule

    def _rows(self) -> dict[str, list[sql.UseOfSymbolRow]]:
        if self._by_file is None:
            symbols = json.dumps(sorted(self._lost.symbols))
            found: defaultdict[str, list[sql.UseOfSymbolRow]] = defaultdict(list)
            for row in map(
                sql.UseOfSymbolRow._make, self._index.remembered(sql.USES_OF_SYMBOLS, symbols=symbols)
            ):
                found[row.path].append(row)
            self._by_file = dict(found)
        return self._by_file


def _in_template(before: str) -> UndefinedRule | None:
    """The rule that a name in a template breaks if nothing defines it: by what is ``before`` it."""
    if before.endswith(("(", "#'")):
        return undefined_function.RULE
    return None if before.endswith(("'", ":")) else undefined_variable.RULE


class _Templates:
    """The backquoted forms in a text."""

    def __init__(self, text: str, features: Features) -> None:
        self._text = text
        self._features = features
        self._extents: list[tuple[int, int]] | None = None

    def have(self, offset: int) -> bool:
        """Whether an offset is in one of them."""
        if self._extents is None:
            toplevels = [one.node for one in read(self._text, self._features)]
            self._extents = [
                (form.start, form.end) for one in toplevels for form in forms_in(one) if form.kind == "`"
            ]
        return any(start <= offset < end for start, end in self._extents)
