"""Edits of the form that defines a package, or of a system's: names come into its clauses or go out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence

from ...syntax.names.designators import designated
from ...syntax.nodes import Atom, Form, Node
from ...syntax.tokens import Tokens
from ..changes import Edit

_WIDTH = 100
_COMMENTS = (";", "#|", "#+", "#-")
_MARKS = ("#:", ":", '"')
IMPORTING = ":import-from"
EXPORTING = ":export"
USING = ":use"
NICKNAMES = ":local-nicknames"


class PackageForm:
    """A DEFPACKAGE form, or another with clauses like it; edits count in the text that it is in.

    Offsets in ``form`` count from ``start`` in ``text``. ``written`` is how a name is written without
    decoration, as ``own_name`` does.
    """

    def __init__(
        self, text: str, start: int, form: Form, tokens: Tokens, written: Callable[[str], str]
    ) -> None:
        self._text = text
        self._base = start
        self._form = form
        self._tokens = tokens
        self._written = written

    @property
    def start(self) -> int:
        """Where it begins in the text."""
        return self._base + self._form.start

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self._base + self._form.end

    @property
    def name(self) -> str | None:
        """The name of the package."""
        return designated(self._form.items[1], self._tokens) if len(self._form.items) > 1 else None

    def imports(self) -> Iterator[tuple[str, str]]:
        """Yield each name that is imported by ``:import-from``, with the package that it is from."""
        for clause in self._clauses(IMPORTING):
            source = designated(clause.items[1], self._tokens) if len(clause.items) > 1 else None
            for name in self._names(clause.items[2:]):
                if source is not None:
                    yield name, source

    def exports(self) -> set[str]:
        """The names that it exports."""
        return {name for clause in self._clauses(EXPORTING) for name in self._names(clause.items[1:])}

    def nicknames(self) -> dict[str, str]:
        """The local nicknames, with the packages that they name."""
        found = {}
        for clause in self._clauses(NICKNAMES):
            for pair in clause.items[1:]:
                names = self._names(pair.items)
                if len(names) == 2:
                    found[names[0]] = names[1]
        return found

    # What comes in

    def exporting(self, name: str) -> Edit | None:
        """Export a name; None if it is exported."""
        return None if name in self.exports() else self._with(EXPORTING, self._decorated(name))

    def importing(self, name: str, package: str) -> Edit | None:
        """Import a name from a package; None if a name like it is imported."""
        if name in (one for one, _ in self.imports()):
            return None
        for clause in self._clauses(IMPORTING):
            if len(clause.items) > 1 and designated(clause.items[1], self._tokens) == package:
                return self._appended(clause, self._decorated(name))
        return self._with_clause(_clause(IMPORTING, self._decorated(package), self._decorated(name)))

    def using(self, package: str) -> Edit:
        """Use a package."""
        return self._with(USING, self._decorated(package))

    def nicknaming(self, nickname: str, package: str) -> Edit:
        """Give a package a local nickname."""
        return self._with(NICKNAMES, _clause(self._decorated(nickname), self._decorated(package)))

    # What goes out

    def not_exporting(self, name: str) -> list[Edit]:
        """Export a name no more; no edits if that cannot be told from the text."""
        return self._without(self._clauses(EXPORTING), name, 1)

    def not_importing(self, name: str, *, keep_clause: bool = False) -> list[Edit]:
        """Import a name no more; a clause without names goes too, unless it shall be kept."""
        return self._without(self._clauses(IMPORTING), name, 2, keep_clause=keep_clause)

    # Order

    def sorting(self, leave_out: Collection[str]) -> list[Edit]:
        """Sort the names in each clause of exports and imports, and leave out some that are imported.

        A clause with comments or conditionals keeps its order.
        """
        edits = []
        for clause in self._clauses(EXPORTING):
            edits += self._sorted(clause, 1, ())
        for clause in self._clauses(IMPORTING):
            edits += self._sorted(clause, 2, leave_out)
        return edits

    def _sorted(self, clause: Form, first: int, leave_out: Collection[str]) -> list[Edit]:
        items = clause.items[first:]
        if not items or self._has_comments(clause.items[first - 1].end, clause.end):
            return []
        named = [(designated(one, self._tokens), one) for one in items]
        if any(name is None for name, _ in named):
            return []
        kept = sorted(
            (name, self._cut(one)) for name, one in named if name is not None and name not in leave_out
        )
        kept = [*dict.fromkeys(kept)]
        if not kept:
            is_path = "/" in (designated(clause.items[1], self._tokens) or "")
            # The name of such a package is that of a file, which it makes load first.
            return [self._removal(items[0], items[-1])] if is_path else [self._removal(clause, clause)]
        if [text for _, text in kept] == [self._cut(one) for one in items]:
            return []
        # The blanks and line ends between the names stay where they are.
        edits = [Edit(*self._extent(one), text) for one, (_, text) in zip(items, kept, strict=False)]
        if len(kept) < len(items):
            edits.append(self._removal(items[len(kept)], items[-1]))
        return edits

    # The text

    def _clauses(self, key: str) -> list[Form]:
        return [
            one
            for one in self._form.items[2:]
            if isinstance(one, Form) and one.kind == "(" and one.items and one.items[0].text.lower() == key
        ]

    def _names(self, nodes: Sequence[Node]) -> list[str]:
        return [name for one in nodes if (name := designated(one, self._tokens)) is not None]

    def _decorated(self, name: str) -> str:
        """A name as the form writes names."""
        marks = Counter(
            next((mark for mark in _MARKS if one.text.startswith(mark)), "") for one in self._atoms()
        )
        mark = marks.most_common(1)[0][0] if marks else "#:"
        return f'"{name}"' if mark == '"' else f"{mark}{self._written(name)}"

    def _atoms(self) -> Iterator[Atom]:
        for number, clause in enumerate(self._form.items[1:]):
            if isinstance(clause, Atom):
                if not number:
                    yield clause
            elif clause.items and clause.items[0].text.lower() != ":documentation":
                yield from (one for one in clause.items[1:] if isinstance(one, Atom))

    def _with(self, key: str, new: str) -> Edit:
        clauses = self._clauses(key)
        if clauses:
            return self._appended(clauses[-1], new)
        return self._with_clause(_clause(key, new))

    def _with_clause(self, clause: str) -> Edit:
        last = self._form.items[-1]
        column = self._column(last.start) if len(self._form.items) > 2 else 2
        at = self._base + last.end
        return Edit(at, at, f"\n{' ' * column}{clause}")

    def _appended(self, clause: Form, new: str) -> Edit:
        last = clause.items[-1]
        at, column = self._base + last.end, self._column(last.start)
        is_alone = not self._text[self._line(last.start) : self._base + last.start].strip()
        too_long = self._column(last.end) + 1 + len(new) > _WIDTH
        return Edit(at, at, f"\n{' ' * column}{new}" if is_alone or too_long else f" {new}")

    def _without(
        self, clauses: Sequence[Form], name: str, first: int, *, keep_clause: bool = False
    ) -> list[Edit]:
        edits = []
        for clause in clauses:
            items = [one for one in clause.items[first:] if designated(one, self._tokens) == name]
            before = dict(zip((id(one) for one in clause.items[1:]), clause.items, strict=False))
            for one in items:
                if self._text[self._base + before[id(one)].end : self._base + one.start].strip():
                    return []  # a comment or a conditional is about it
                is_whole = len(clause.items) == first + 1 and not keep_clause
                edits.append(self._removal(clause, clause) if is_whole else self._removal(one, one))
        return edits

    def _removal(self, first: Node, last: Node) -> Edit:
        """Remove what is from one node to another, with the blanks before it."""
        start, end = self._base + first.start, self._base + last.end
        while self._text[start - 1].isspace():
            start -= 1
        if ";" in self._text[self._text.rfind("\n", 0, start) + 1 : start]:
            start = self._base + first.start  # what follows must not come into the comment
        return Edit(start, end, "")

    def _has_comments(self, start: int, end: int) -> bool:
        return any(one in self._text[self._base + start : self._base + end] for one in _COMMENTS)

    def _extent(self, node: Node) -> tuple[int, int]:
        return self._base + node.start, self._base + node.end

    def _cut(self, node: Node) -> str:
        return self._text[slice(*self._extent(node))]

    def _line(self, at: int) -> int:
        return self._text.rfind("\n", 0, self._base + at) + 1

    def _column(self, at: int) -> int:
        return self._base + at - self._line(at)


def _clause(*items: str) -> str:
    return f"({' '.join(items)})"
