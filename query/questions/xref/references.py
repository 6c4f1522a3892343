"""The answers for uses, made for a whole page at once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from ...index.reading import Reading
from ...index.tests import files_of_tests
from . import sql
from .answer import ReferenceAnswer
from .caller_names import CallerNames
from .sql import LineRow, UseRow

_TEMPLATE = "`"  # as *TEMPLATE-MARK* in lisp/dump/uses/table.lisp
_PART = 1000
_FAR = 2000


def relation_names(index: Reading) -> dict[int, str]:
    """Return the names of the relations by their numbers in this index, which are in the order of answers."""
    return dict(index.fixed_rows(sql.RELATIONS))


class References:
    """Makes the answers for uses in one index."""

    def __init__(self, index: Reading) -> None:
        self._index = index
        self.relations = relation_names(index)
        self.names = CallerNames(index)
        self._of_tests = files_of_tests(index)

    def answers(self, uses: Sequence[UseRow]) -> list[ReferenceAnswer]:
        """Return the answers for ``uses``, in order."""
        self.names.read(uses)
        expansions = {use.expansion for use in uses if use.expansion is not None}
        names = dict(self._index.rows(sql.EXPANSIONS, expansions=json.dumps(list(expansions))))
        return [
            self._answer(use, names.get(use.expansion), text)
            for use, text in zip(uses, self._lines(uses), strict=True)
        ]

    def _answer(self, use: UseRow, expansion: str | None, text: str | None) -> ReferenceAnswer:
        relation = self.relations[use.relation]
        callee = self.names.callee(use.callee, use.operator)
        caller = self.names.caller(use.definition, use.code)
        return ReferenceAnswer(
            relation=relation,
            callee=callee.written,
            callee_package=callee.package,
            callee_kind=callee.kind(relation),
            caller=caller.name,
            caller_package=caller.package,
            caller_kind=caller.kind,
            path=self._index.local_path(use.path),
            line=use.line,
            column=use.column,
            length=None if use.column is None else use.length or len(callee.name),
            # SBCL knows methods by their classes, without a form.
            told_by="text" if use.form_number is None and relation != "specializes" else "sbcl",
            in_expansion_of=None if expansion == _TEMPLATE else expansion,
            in_template=expansion == _TEMPLATE,
            in_tests=use.file in self._of_tests,
            text=text,
        )

    def _lines(self, uses: Sequence[UseRow]) -> Iterator[str | None]:
        """Yield the text of the line of each use, or a part of it."""
        places = {(use.file, use.line) for use in uses if use.file is not None and use.line is not None}
        rows = map(LineRow._make, self._index.rows(sql.LINES, places=json.dumps(list(places))))
        texts: dict[tuple[int | None, int | None], str]
        texts = {(row.file, row.line): row.text.removesuffix("\r") for row in rows}
        for use in uses:
            text = texts.get((use.file, use.line))
            yield None if text is None else _part(text, use.column or 0)


def _part(text: str, column: int) -> str:
    """A line; of a very long one the part before and somewhat after a use, or only that around it."""
    if column <= _FAR:
        return text[: max(_PART, column + _PART // 2)]
    return text[column - _PART // 2 : column + _PART // 2]
