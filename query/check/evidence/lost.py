"""Definitions that are gone: the indexed text of a file has their forms, but its present text does not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property, partial

from ...index.kinds import CLASSES
from ...index.meanings import IndexMeanings
from ...index.present.lines import TextLines
from ...index.reading import Reading
from ...syntax.nodes import Atom, Form, Node, forms_in
from ...syntax.texts import ReadTexts
from ...syntax.tokens import Tokens
from .. import sql
from ..declare.declarations import Declarations, DeclaredPackage
from ..declare.definition_forms import INCLUDING, UNKNOWN
from ..declare.first_reading import declarations_of, package_of, processed
from ..declare.lost import Lost
from ..declare.standard_names import operator_text
from ..text.triple_quotes import without_triple_quotes
from .recorded import heading

_MOST_KEPT = 20
_FUNCTION, _SETF, _VARIABLE, _CLASS = "function", "setf", "variable", "class"
_NAMESPACES = {
    **dict.fromkeys(("variable", "constant", "symbol-macro"), _VARIABLE),
    **dict.fromkeys(CLASSES, _CLASS),
    **dict.fromkeys(("function", "generic-function", "method", "macro", "compiler-macro"), _FUNCTION),
}
_TYPES = {*CLASSES, "type"}
_METHOD, _GENERIC = "method", "generic-function"


class _Text:
    """A text as its first reading has it."""

    def __init__(
        self, name: str, text: str, declarations: Declarations, texts: ReadTexts, tokens: Tokens
    ) -> None:
        self.text = text
        self.declarations = declarations
        self._name = name
        self._texts = texts
        self._tokens = tokens
        self._around: dict[tuple[int, int], Form | None] = {}
        self.defined: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        """The packages in which names are defined, by name and namespace."""
        for one in declarations.definitions:
            # A slot may have an accessor.
            kinds = [*_namespaces(one.kind), *([_SETF] if one.variant == "slot" else [])]
            for kind in kinds:
                self.defined[one.name, kind].add(one.package)
        self._named = {one.name for one in declarations.definitions if one.kind == UNKNOWN}
        self._prefixes = tuple(one.name for one in declarations.definitions if one.kind == INCLUDING)

    @cached_property
    def _forms(self) -> list[Form]:
        """The forms that may define something: read only if a macro made what is asked for."""
        operator = partial(operator_text, tokens=self._tokens)
        return [
            form
            for one in self._texts.of(self._name, self.text).forms
            for form in (*processed(one.toplevel.node, operator), *one.toplevel.definers)
        ]

    @cached_property
    def _lines(self) -> TextLines:
        return TextLines(self.text)

    @cached_property
    def _by_heading(self) -> dict[tuple[str, ...], list[Form]]:
        found: defaultdict[tuple[str, ...], list[Form]] = defaultdict(list)
        for form in self._forms:
            found[heading(form)].append(form)
        return dict(found)

    def may_inherit(self, name: str) -> bool:
        """Whether a structure that includes another may have an accessor of this name."""
        return name.startswith(self._prefixes)

    def around(self, line: int, column: int) -> Form | None:
        """The innermost defining or toplevel form around a place."""
        if (line, column) not in self._around:
            lines = self._lines
            offset = lines.start(line) + column - 1 if 0 < line <= len(lines) else -1
            around = (form for form in self._forms if form.start <= offset < form.end)
            self._around[line, column] = max(around, key=lambda form: form.start, default=None)
        return self._around[line, column]

    def still_makes(self, name: str, form: Form) -> bool:
        """Whether a form like the earlier ``form``, whose macro made ``name``, still stands here."""
        first = self._first_name(form)
        if first is not None and first in self._named:
            return True
        alike = self._by_heading.get(heading(form), [])
        return bool(alike) and (
            not self.mentions(form, name) or any(self.mentions(one, name) for one in alike)
        )

    def _first_name(self, form: Form) -> str | None:
        node: Node = form.items[1] if len(form.items) > 1 else form
        while isinstance(node, Form) and node.items:
            node = node.items[0]
        token = self._tokens.symbol(node.text) if isinstance(node, Atom) else None
        return token.name if token is not None else None

    def mentions(self, form: Form, name: str) -> bool:
        """Whether ``name`` is written in ``form``."""
        atoms = (item for one in forms_in(form) for item in one.items if isinstance(item, Atom))
        return any((token := self._tokens.symbol(atom.text)) and token.name == name for atom in atoms)


def _namespaces(kind: str) -> Iterable[str]:
    """The namespaces of what a form declares: all of them if nobody knows what its macro makes."""
    if kind.startswith("setf-"):
        return (_SETF,)
    if kind == UNKNOWN:
        return (_FUNCTION, _SETF, _VARIABLE, _CLASS, "")
    return (_NAMESPACES.get(kind, ""),)


class LostDefinitions:
    """Compares the texts of files with those that were indexed."""

    def __init__(self, index: Reading, texts: ReadTexts, tokens: Tokens, meanings: IndexMeanings) -> None:
        self._index = index
        self._texts = texts
        self._tokens = tokens
        self._meanings = meanings
        self._earlier: dict[str, _Text | None] = index.kept.setdefault("earlier texts", {})

    def of(self, texts: Mapping[str, str], read: Mapping[str, Declarations]) -> Lost:
        """What files no longer define; ``texts`` are their present texts, by their paths in the index.

        ``read`` has the declarations in those texts that were read before. Where a parenthesis or string
        never ends, nothing is lost for certain.
        """
        rows: dict[int, tuple[sql.DefinedInFileRow, str]] = {}
        parts: dict[str, DeclaredPackage] = {}
        names: dict[str, str] = {}
        for path, text in texts.items():
            earlier = self._earlier_text(path)
            if earlier is None or earlier.text == text:
                continue
            declarations = read.get(path) or self._declarations(path, path, text)
            present = _Text(path, text, declarations, self._texts, self._tokens)
            if not present.declarations.is_whole:
                continue
            for row in map(sql.DefinedInFileRow._make, self._index.remembered(sql.DEFINED_IN, path=path)):
                if self._is_gone(row, earlier, present):
                    rows[row.definition] = row, path
                    declared = (
                        earlier.declarations.packages.get(row.name) if row.package is not None else None
                    )
                    if declared is not None:
                        names |= dict.fromkeys((*declared.nicknames, *declared.exports), path)
            for name, part in _parts(earlier.declarations, present.declarations).items():
                parts[name] = part
                named = (name, *part.nicknames, *part.local_nicknames, *part.exports, *part.imports)
                names |= dict.fromkeys(named, path)
        return self._joined(rows, parts, names)

    def _declarations(self, name: str, path: str, text: str) -> Declarations:
        start = package_of(path)
        return declarations_of(text, name, self._texts, self._tokens, self._meanings, start)

    def _earlier_text(self, path: str) -> _Text | None:
        """The text that was indexed; None if the index has none, or none that can be read."""
        if path not in self._earlier:
            if len(self._earlier) >= _MOST_KEPT:
                self._earlier.clear()
            lines = [row[0] for row in self._index.rows(sql.LINES, path=path)]
            text = without_triple_quotes("\n".join(lines))
            name = f"{path} as indexed"
            declarations = self._declarations(name, path, text)
            whole = bool(lines) and declarations.is_whole
            self._earlier[path] = (
                _Text(name, text, declarations, self._texts, self._tokens) if whole else None
            )
        return self._earlier[path]

    def _is_gone(self, row: sql.DefinedInFileRow, earlier: _Text, present: _Text) -> bool:
        if row.kind == "package":
            known = {*earlier.declarations.packages} - {*present.declarations.packages}
            return row.name in known
        setf = row.operator is not None or row.kind in ("setf-expander", "setf-function")
        key = row.name, _SETF if setf else _NAMESPACES.get(row.kind, "")
        before, now = earlier.defined.get(key), present.defined.get(key)
        obscure = row.name.upper() in present.declarations.obscure
        if obscure or (now and not (before and before.isdisjoint(now))):
            return False
        if before:
            return True
        form = earlier.around(row.line, row.column or 1) if row.line is not None else None
        return (
            form is not None and not present.may_inherit(row.name) and not present.still_makes(row.name, form)
        )

    def _joined(
        self,
        rows: dict[int, tuple[sql.DefinedInFileRow, str]],
        parts: dict[str, DeclaredPackage],
        names: dict[str, str],
    ) -> Lost:
        by_symbol: defaultdict[int, list[int]] = defaultdict(list)
        packages: dict[int, str] = {}
        for number, (row, path) in rows.items():
            if row.symbol is not None:
                by_symbol[row.symbol].append(number)
            elif row.package is not None:
                packages[row.package] = path
            names[row.name] = path
        symbols: dict[int, str] = {}
        classes: set[int] = set()
        gone: set[int] = set()
        for symbol, lost in by_symbol.items():
            there = map(sql.KnownDefinitionRow._make, self._index.remembered(sql.DEFINITIONS, symbol=symbol))
            # A method implies its generic function (CLHS 7.6.1).
            methods = {one.operator for one in there if one.kind == _METHOD and one.definition not in rows}
            for number in lost:
                row, path = rows[number]
                if row.kind != _GENERIC or row.operator not in methods:
                    gone.add(number)
                    symbols[symbol] = path
                    classes.update([symbol] if row.kind in _TYPES else ())
        return Lost(frozenset(gone), symbols, packages, parts, frozenset(classes), names)


def _parts(earlier: Declarations, present: Declarations) -> dict[str, DeclaredPackage]:
    """What the declarations of packages, by name, have no more; packages that are gone are not among it."""
    found = {}
    for name, before in earlier.packages.items():
        now = present.packages.get(name)
        if now is None or now.computed or before.computed:
            continue
        lost = DeclaredPackage(
            name,
            before.nicknames - now.nicknames,
            {key: value for key, value in before.local_nicknames.items() if key not in now.local_nicknames},
            [one for one in before.uses if one not in now.uses],
            {key: value for key, value in before.exports.items() if key not in now.exports},
            {key: value for key, value in before.imports.items() if key not in now.imports},
        )
        if lost.nicknames or lost.local_nicknames or lost.uses or lost.exports or lost.imports:
            found[name] = lost
    return found
