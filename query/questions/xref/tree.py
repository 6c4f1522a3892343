"""xref with a depth: callers of callers, or callees of callees, as a bounded tree."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple

from ...index.not_found import NotFound
from ...index.reading import Reading
from . import sql
from .answer import XrefNode, XrefTreeAnswer
from .ask import Question, ask, why_none, written_form
from .border import Border
from .caller_names import CallerNames
from .first_callers import first_callers
from .own_code import companions_of
from .parameters import XrefTreeParameters
from .references import relation_names
from .sql import EachCalleeRow

MOST_NODES = 1000

# A symbol, and SETF for its setf function.
_Named = tuple[int, str | None]


@dataclass(slots=True)
class _Growing:
    """A node of the tree while it grows."""

    named: _Named | None
    above: frozenset[_Named]
    level: int
    name: str = ""
    package: str | None = None
    kind: str | None = None
    uses: int = 0
    path: str | None = None
    line: int | None = None
    children: list[_Growing] = field(default_factory=list)
    cut: int | None = None
    outside: bool = False

    @property
    def cycle(self) -> bool:
        """Whether the node is among its own ancestors."""
        return self.named in self.above

    def grown(self) -> XrefNode:
        """Return the node of the answer, with its subtree."""
        return XrefNode(
            name=self.name,
            package=self.package,
            kind=self.kind,
            uses=self.uses,
            path=self.path,
            line=self.line,
            cycle=self.cycle,
            children=[child.grown() for child in self.children],
            cut=self.cut,
            outside=self.outside,
        )


def xref_tree(index: Reading, asked: XrefTreeParameters) -> XrefTreeAnswer | NotFound:
    """Answer xref with a depth."""
    question = ask(index, asked)
    if isinstance(question, NotFound):
        return question
    named = question.found.symbol, question.operator
    root = _Growing(named, frozenset(), 0)
    border = Border(index, named) if asked.callees else None
    neighbours = _Neighbours(index, question, border, everything=asked.companions)
    nodes, outside = _grow(neighbours, None if asked.beyond else border, root, asked.depth, asked.limit)
    return XrefTreeAnswer(
        name=question.name,
        package=question.found.home,
        written=written_form(index, question),
        relation=asked.relation,
        direction=question.direction,
        depth=asked.depth,
        nodes=nodes,
        reason=None if nodes or not asked.depth else why_none(index, question),
        note=question.found.note,
        children=[child.grown() for child in root.children],
        cut=root.cut,
        outside=outside,
    )


def _grow(
    neighbours: _Neighbours, border: Border | None, root: _Growing, depth: int, limit: int
) -> tuple[int, int]:
    """Find the children of every node, level by level.

    Return the number of nodes, and of those that were not followed because they are outside the border.
    """
    waiting = deque([root])
    nodes = outside = 0
    while waiting and nodes < MOST_NODES:
        node = waiting.popleft()
        if node.named is None or node.cycle or node.level == depth:
            continue
        if border is not None and not border.is_inside(node.named):
            node.outside = True
            outside += 1
            continue
        found, total = neighbours.first(node.named, min(limit or MOST_NODES, MOST_NODES - nodes))
        above = node.above | {node.named}
        node.children = [one.node(above, node.level + 1) for one in found]
        node.cut = total - len(found) if found else 0
        nodes += len(found)
        waiting.extend(node.children)
    return nodes, outside


class _Neighbour(NamedTuple):
    """A caller or callee of a name."""

    named: _Named | None
    name: str
    package: str | None
    kind: str | None
    uses: int
    path: str | None
    line: int | None

    def node(self, above: frozenset[_Named], level: int) -> _Growing:
        """Return a node for it, below these names."""
        return _Growing(self.named, above, level, *self[1:])


class _Neighbours:
    """The first callers, or callees, of names: each name is read once, wherever it is in the tree.

    The callees are those of each name's own code, or of ``everything`` that defines it; those inside the
    ``border`` are first.
    """

    def __init__(
        self, index: Reading, question: Question, border: Border | None, *, everything: bool
    ) -> None:
        self._index = index
        self._names = CallerNames(index)
        self._relation = question.relation
        self._border = border
        self._everything = everything
        self._read = self._callees if question.direction == "callees" else self._callers
        # Without a relation, those that SBCL records: a name that is only quoted or exported does not lead
        # from one definition to the next.
        self._numbers = frozenset(n for n, name in relation_names(index).items() if name in question.counted)
        self._found: dict[_Named, tuple[list[_Neighbour], int]] = {}

    def first(self, named: _Named, most: int) -> tuple[list[_Neighbour], int]:
        """Return the first neighbours of a name, and their number; ``most`` never grows."""
        if named not in self._found:
            self._found[named] = self._read(named, most)
        found, total = self._found[named]
        return found[:most], total

    def _callers(self, named: _Named, most: int) -> tuple[list[_Neighbour], int]:
        found = first_callers(self._index, *named, self._numbers, most)
        self._names.read_callers(one.definition for one in found.callers if one.definition is not None)
        neighbours = []
        for one in found.callers:
            user = self._names.caller(one.definition, one.code)
            name = None if user.symbol is None else (user.symbol, user.operator)
            place = self._index.local_path(one.path), one.line
            neighbours.append(_Neighbour(name, user.name, user.package, user.kind, one.uses, *place))
        return neighbours, found.total

    def _callees(self, named: _Named, most: int) -> tuple[list[_Neighbour], int]:
        symbol, operator = named
        asked = {"symbol": symbol, "operator": operator, "relations": json.dumps(list(self._numbers))}
        asked["companions"] = self._companions(symbol, operator)
        rows = [EachCalleeRow._make(row) for row in self._index.rows(sql.EACH_CALLEE, **asked)]
        if border := self._border:
            border.read(row.named for row in rows)
            rows.sort(key=lambda row: not border.is_inside(row.named))
        self._names.read_callees(row.named for row in rows[:most])
        neighbours = []
        for row in rows[:most]:
            used = self._names.callee(*row.named)
            place = self._index.local_path(row.path), row.line
            kind = used.kind(self._relation)
            neighbours.append(_Neighbour(row.named, used.written, used.package, kind, row.uses, *place))
        return neighbours, len(rows)

    def _companions(self, symbol: int, operator: str | None) -> str:
        """The callers whose callees are left out, as a JSON array."""
        if self._everything:
            return "[]"
        return companions_of(self._index, symbol, operator) or "[]"
