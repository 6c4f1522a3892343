"""xref with a depth: callers of callers, or callees of callees, as a bounded tree."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from ...index.not_found import NotFound
from ...index.reading import Reading
from . import sql
from .answer import XrefNode, XrefTreeAnswer
from .ask import Question, ask, relation_number, why_none, written_form
from .caller_names import CallerNames
from .sql import NeighbourRow

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
        )


def xref_tree(
    index: Reading,
    name: str,
    package: str,
    *,
    relation: str | None,
    callees: bool,
    depth: int,
    limit: int,
) -> XrefTreeAnswer | NotFound:
    """Answer xref with a depth; the arguments are those of Index.xref_tree."""
    if relation == "specializes":
        raise ValueError("the relation specializes has no depth: nothing specializes on methods")
    question = ask(index, name, package, relation=relation, callees=callees)
    if isinstance(question, NotFound):
        return question
    root = _Growing((question.found.symbol, question.operator), frozenset(), 0)
    nodes = _grow(index, question, root, depth, limit)
    return XrefTreeAnswer(
        name=question.name,
        package=question.found.home,
        written=written_form(index, question),
        relation=relation,
        direction=question.direction,
        depth=depth,
        nodes=nodes,
        reason=None if nodes or not depth else why_none(index, question),
        note=question.found.note,
        children=[child.grown() for child in root.children],
        cut=root.cut,
    )


def _grow(index: Reading, question: Question, root: _Growing, depth: int, limit: int) -> int:
    """Find the children of every node, level by level; return the number of nodes."""
    names = CallerNames(index)
    waiting = deque([root])
    nodes = 0
    while waiting and nodes < MOST_NODES:
        node = waiting.popleft()
        if node.named is None or node.cycle or node.level == depth:
            continue
        rows = _neighbours(index, question, node.named, min(limit or MOST_NODES, MOST_NODES - nodes))
        node.children = _children(index, names, question, node, rows)
        node.cut = rows[0].total - len(rows) if rows else 0
        nodes += len(rows)
        waiting.extend(node.children)
    return nodes


def _neighbours(index: Reading, question: Question, named: _Named, most: int) -> list[NeighbourRow]:
    """Return the first of the callers, or callees, of a name."""
    values: dict[str, Any] = {"symbol": named[0], "operator": named[1], "most": most}
    statements = sql.NEIGHBOURS
    if question.relation is not None:
        statements = sql.NEIGHBOURS_OF_RELATION
        values["relation"] = relation_number(index, question.relation)
    return [NeighbourRow(*row) for row in index.rows(statements[question.direction], **values)]


def _children(
    index: Reading, names: CallerNames, question: Question, node: _Growing, rows: list[NeighbourRow]
) -> list[_Growing]:
    """Return the nodes below ``node`` for some of its neighbours."""
    assert node.named is not None
    above = node.above | {node.named}
    if question.direction == "callees":
        names.read_callees((row.callee, row.operator) for row in rows)
    else:
        names.read_callers(row.definition for row in rows if row.definition is not None)
    found = []
    for row in rows:
        path = index.local_path(row.path)
        grown = _Growing(None, above, node.level + 1, uses=row.uses, path=path, line=row.line)
        if question.direction == "callees":
            used = names.callee(row.callee, row.operator)
            grown.named = row.callee, row.operator
            grown.name, grown.package, grown.kind = used.written, used.package, used.kind(question.relation)
        else:
            user = names.caller(row.definition, row.code)
            grown.named = None if user.symbol is None else (user.symbol, user.operator)
            grown.name, grown.package, grown.kind = user.name, user.package, user.kind
        found.append(grown)
    return found
