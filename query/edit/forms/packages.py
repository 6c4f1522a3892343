"""Edits of the form that defines a package or a system: names are added to its clauses, or removed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from ...syntax.names.designators import designated
from ...syntax.nodes import Atom, Form, Node, Toplevel, forms_in
from ...syntax.tokens import Tokens
from ..changes import Edit

_WIDTH = 100
DEFINING = ("DEFPACKAGE", "DEFINE-PACKAGE")
_CONDITIONALS = ("#+", "#-")
_COMMENTS = (";", "#|", "#+", "#-")
_MARKS = ("#:", ":", '"')
IMPORTING = ":import-from"
SHADOWING_IMPORTS = ":shadowing-import-from"
EXPORTING = ":export"
USING = ":use"
NICKNAMES = ":local-nicknames"


class PackageForm:
    """A DEFPACKAGE form, or one with similar clauses; offsets of edits are those of the text that it is in.

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

    def sources(self) -> list[str]:
        """The packages that ``:import-from`` and ``:use`` name, as they are written there."""
        found = [name for clause in self._clauses(USING) for name in self._names(clause.items[1:])]
        return found + [name for one in self._clauses(IMPORTING) for name in self._names(one.items[1:2])]

    def shadowing_imports(self) -> Iterator[tuple[str, str]]:
        """Yield each name that ``:shadowing-import-from`` imports, with the package that it is from."""
        for clause in self._clauses(SHADOWING_IMPORTS):
            source, *names = self._names(clause.items[1:]) or [""]
            for name in names:
                yield name, source

    def exports(self) -> set[str]:
        """The names that it exports."""
        return {name for clause in self._clauses(EXPORTING) for name in self._names(clause.items[1:])}

    def uses(self) -> list[str]:
        """The packages that it uses, as they are written there."""
        return [name for clause in self._clauses(USING) for name in self._names(clause.items[1:])]

    def used_at(self, offset: int) -> str | None:
        """The package that ``:use`` names at an offset of the text."""
        for clause in self._clauses(USING):
            for item in clause.items[1:]:
                if item.start <= offset - self._base <= item.end:
                    return designated(item, self._tokens)
        return None

    def others(self) -> set[str]:
        """All names in its other clauses: what it shadows, or takes from a package in another way."""
        known = (IMPORTING, SHADOWING_IMPORTS, EXPORTING, USING, NICKNAMES, ":documentation")
        return {
            name
            for one in self._form.items[2:]
            if isinstance(one, Form) and one.items and one.items[0].text.lower() not in known
            for name in self._names(one.items[1:])
        }

    @property
    def is_computed(self) -> bool:
        """Whether part of it is computed when it is read, or is in a conditional that cannot be decided."""
        return any(one.kind not in ("(", "'") for one in forms_in(self._form))

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
        """Export a name; None if it is exported already."""
        return None if name in self.exports() else self._with(EXPORTING, self._decorated(name))

    def importing(self, name: str, package: str) -> Edit | None:
        """Import a name from a package; None if that name is imported already, from whatever package."""
        if name in (one for one, _ in self.imports()):
            return None
        return self.importing_all([name], package)

    def importing_all(self, names: Sequence[str], package: str) -> Edit:
        """Import names from a package, all of which are not imported yet."""
        for clause in self._unconditional(IMPORTING):
            if len(clause.items) > 1 and designated(clause.items[1], self._tokens) == package:
                return self._appended(clause, *map(self._decorated, names))
        column = self._column(self._form.items[-1].start) if len(self._form.items) > 2 else 2
        return self._with_clause(self._importing_clause(names, package, column))

    def using(self, package: str) -> Edit:
        """Use a package."""
        return self._with(USING, self._decorated(package))

    def nicknaming(self, nickname: str, package: str) -> Edit:
        """Give a package a local nickname."""
        return self._with(NICKNAMES, _clause(self._decorated(nickname), self._decorated(package)))

    # What goes out

    def not_exporting(self, *names: str) -> list[Edit]:
        """Stop exporting names; no edits if the text does not show how."""
        return self._without(self._clauses(EXPORTING), names, 1)

    def not_importing(self, *names: str) -> list[Edit]:
        """Stop importing names; a clause without names is removed, too, unless it makes a file load first."""
        return self._without(self._clauses(IMPORTING), names, 2)

    def not_nicknaming(self, nickname: str) -> list[Edit]:
        """Remove a local nickname of a package."""
        edits = []
        for clause in self._clauses(NICKNAMES):
            pairs = [one for one in clause.items[1:] if self._names(one.items)[:1] == [nickname]]
            for pair in pairs:
                if self._is_remarked(clause, pair):
                    return []
                whole = len(clause.items) == 2
                edits.append(self._removal(clause, clause) if whole else self._removal(pair, pair))
        return edits

    def importing_instead(self, used: str, names: Sequence[str], package: str) -> list[Edit]:
        """Import names from a package instead of using it; no edits if the text does not show how.

        ``used`` is the package as the clause has it. A package that is named after a file is still named.
        """
        edits = []
        for clause in self._clauses(USING):
            for item in clause.items[1:]:
                if designated(item, self._tokens) != used:
                    continue
                if self._is_remarked(clause, item) or self._is_conditional(clause):
                    return []
                edits.append(self._removal(item, item))
                known = {name for name, source in self.imports() if source == package}
                missing = [name for name in names if name not in known]
                if missing or ("/" in package and not known):
                    column = self._column(clause.start)
                    new = self._importing_clause(missing, package, column)
                    at = self._base + clause.end
                    edits.append(Edit(at, at, f"\n{' ' * column}{new}"))
        return edits

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

    def _importing_clause(self, names: Sequence[str], package: str, column: int) -> str:
        head = f"({IMPORTING} {self._decorated(package)}"
        filled = _filled(map(self._decorated, names), column + len(head), column + len(IMPORTING) + 2)
        return f"{head}{filled})"

    def _unconditional(self, key: str) -> list[Form]:
        return [one for one in self._clauses(key) if not self._is_conditional(one)]

    def _is_conditional(self, clause: Form) -> bool:
        """Whether only some Lisps read a clause."""
        before = next(one for one, item in pairwise(self._form.items) if item is clause)
        between = self._text[self._base + before.end : self._base + clause.start]
        return any(one in between for one in _CONDITIONALS)

    def _with(self, key: str, new: str) -> Edit:
        clauses = self._unconditional(key)
        if clauses:
            return self._appended(clauses[-1], new)
        return self._with_clause(_clause(key, new))

    def _with_clause(self, clause: str) -> Edit:
        last = self._form.items[-1]
        column = self._column(last.start) if len(self._form.items) > 2 else 2
        at = self._base + last.end
        return Edit(at, at, f"\n{' ' * column}{clause}")

    def _appended(self, clause: Form, *new: str) -> Edit:
        last = clause.items[-1]
        at, column = self._base + last.end, self._column(last.start)
        is_alone = not self._text[self._line(last.start) : self._base + last.start].strip()
        if is_alone:
            return Edit(at, at, "".join(f"\n{' ' * column}{one}" for one in new))
        return Edit(at, at, _filled(new, self._column(last.end), column))

    def _without(self, clauses: Sequence[Form], names: Collection[str], first: int) -> list[Edit]:
        edits = []
        for clause in clauses:
            items = [one for one in clause.items[first:] if designated(one, self._tokens) in names]
            if any(self._is_remarked(clause, one) for one in items):
                return []
            makes_load = first > 1 and "/" in (self._names(clause.items[1:2]) or [""])[0]
            is_whole = len(items) == len(clause.items) - first and not makes_load
            if items and is_whole and not self._has_comments(clause.start, clause.end):
                edits.append(self._removal(clause, clause))
            else:
                edits += [self._removal(one, one) for one in items]
        return edits

    def _is_remarked(self, clause: Form, item: Node) -> bool:
        """Whether a comment or a conditional before an item of a clause is about it."""
        before = next(one for one, other in pairwise(clause.items) if other is item)
        return bool(self._text[self._base + before.end : self._base + item.start].strip())

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


def package_forms_in(
    text: str, start: int, toplevel: Toplevel, tokens: Tokens, written: Callable[[str], str]
) -> Iterator[PackageForm]:
    """Yield the forms that define packages in a toplevel form.

    Its offsets count from ``start`` in the text; see ``PackageForm``.
    """
    for form in forms_in(toplevel.node):
        head = form.items[0] if form.kind == "(" and len(form.items) > 1 else None
        token = tokens.symbol(head.text) if isinstance(head, Atom) else None
        if token is not None and token.name in DEFINING and toplevel.whole:
            yield PackageForm(text, start, form, tokens, written)


def _clause(*items: str) -> str:
    return f"({' '.join(items)})"


def _filled(names: Iterable[str], at: int, column: int) -> str:
    """Names with blanks before them, from a column on, in lines that begin at another one."""
    found = ""
    for name in names:
        if at + 1 + len(name) > _WIDTH:
            found, at = f"{found}\n{' ' * column}{name}", column + len(name)
        else:
            found, at = f"{found} {name}", at + 1 + len(name)
    return found
