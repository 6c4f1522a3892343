"""The packages that DEFPACKAGE, UIOP:DEFINE-PACKAGE and the functions on packages declare."""

from __future__ import annotations

from ...index.present.lines import TextLines
from ...syntax.names.designators import designated, designated_names
from ...syntax.nodes import Atom, Form, Node, forms_in
from ...syntax.tokens import Tokens
from .declarations import DeclaredPackage, FormPlace

DEFINING = ("DEFPACKAGE", "DEFINE-PACKAGE", "DEFPACKAGE*", "DEFPACKAGE+", "DEFPACKAGE-PLUS-1")
CHANGING = (
    "EXPORT",
    "IMPORT",
    "USE-PACKAGE",
    "SHADOW",
    "SHADOWING-IMPORT",
    "INTERN",
    "ADD-PACKAGE-LOCAL-NICKNAME",
)
MAKING = ("MAKE-PACKAGE",)


class PackageForms:
    """Reads the forms of one file that define or change packages."""

    def __init__(self, path: str, lines: TextLines, tokens: Tokens) -> None:
        self._path = path
        self._lines = lines
        self._tokens = tokens

    def defined(self, operator: str, form: Form) -> DeclaredPackage | None:
        """The package that a DEFPACKAGE form or the like defines; None if its name is not a constant."""
        name = designated(form.items[1], self._tokens) if len(form.items) > 1 else None
        if name is None:
            return None
        uses = False
        package = DeclaredPackage(
            name, complete=True, computed=any(one.kind == "#." for one in forms_in(form))
        )
        if operator in MAKING:
            self._made(package, form.items[2:])
            return package
        for written in form.items[2:]:
            undecided = isinstance(written, Form) and written.kind == "?"  # if so, the option may be read
            option = written.items[0] if isinstance(written, Form) and undecided else written
            if isinstance(option, Form) and option.items and isinstance(option.items[0], Atom):
                keyword = option.items[0].text.lower()
                uses = uses or keyword in (":use", ":use-reexport")
                self._option(package, keyword, option.items[1:])
        if not uses and operator != "DEFPACKAGE":  # as UIOP:DEFINE-PACKAGE does
            package.uses.append("COMMON-LISP")
        return package

    def _made(self, package: DeclaredPackage, arguments: list[Node]) -> None:
        """Take in the keyword arguments of MAKE-PACKAGE."""
        for key, value in zip(arguments[::2], arguments[1::2], strict=False):
            if isinstance(key, Atom) and isinstance(value, Form) and value.kind == "'":
                self._option(package, key.text.lower(), value.items)
            else:
                package.computed = True

    def _names(self, nodes: list[Node]) -> list[str]:
        return list(designated_names(nodes, self._tokens))

    def _option(self, package: DeclaredPackage, keyword: str, parts: list[Node]) -> None:
        if keyword in (":import-from", ":shadowing-import-from"):
            self._imports(package, parts)
        elif keyword == ":local-nicknames":
            for pair in parts:
                names = self._names(pair.items) if isinstance(pair, Form) else []
                if len(names) == 2:
                    package.local_nicknames[names[0]] = names[1]
        elif keyword == ":export":
            self._exports(package, parts)
        elif keyword == ":nicknames":
            package.nicknames.update(self._names(parts))
        elif keyword == ":shadow":
            package.shadows.update(self._names(parts))
        elif keyword in (":intern", ":recycle-symbols"):
            package.interned.update(self._names(parts))
        else:
            self._copies(package, keyword, self._names(parts))

    def _copies(self, package: DeclaredPackage, keyword: str, names: list[str]) -> None:
        """Take in :use, and UIOP's options that use or re-export what another package exports."""
        if keyword in (":use", ":mix", ":use-reexport", ":mix-reexport"):
            package.uses += names
        if keyword in (":reexport", ":use-reexport", ":mix-reexport"):
            package.copied += names

    def _imports(self, package: DeclaredPackage, parts: list[Node]) -> None:
        source = designated(parts[0], self._tokens) if parts else None
        if source is not None:
            package.imports.update(dict.fromkeys(self._names(parts[1:]), source))

    def _exports(self, package: DeclaredPackage, parts: list[Node]) -> None:
        for name, atom in designated_names(parts, self._tokens).items():
            package.exports[name] = FormPlace(self._path, *self._lines.place(atom.start))

    def changed(self, operator: str, form: Form, current: str) -> DeclaredPackage | None:
        """The additions that a call of EXPORT, IMPORT or the like makes, if its arguments are constant."""
        arguments = form.items[1:]
        if not arguments:
            return None
        if operator == "ADD-PACKAGE-LOCAL-NICKNAME":
            return self._nicknamed(arguments, current)
        target = designated(arguments[1], self._tokens) if len(arguments) > 1 else current
        package = DeclaredPackage(target or current)
        if operator == "EXPORT":
            self._exports(package, arguments[:1])
            package.computed = isinstance(arguments[0], Form) and arguments[0].kind == "("
        elif operator == "USE-PACKAGE":
            package.uses += self._names(arguments[:1])
        elif operator == "SHADOW":
            package.shadows.update(self._names(arguments[:1]))
        elif operator == "INTERN":
            package.interned.update(self._names(arguments[:1]))
        else:
            for atom in designated_names(arguments[:1], self._tokens).values():
                token = self._tokens.symbol(atom.text)
                if token is not None and token.package is not None:
                    package.imports[token.name] = token.package
        return package

    def _nicknamed(self, arguments: list[Node], current: str) -> DeclaredPackage | None:
        names = [designated(one, self._tokens) for one in arguments]
        if len(names) < 2 or names[0] is None or names[1] is None:
            return None
        package = DeclaredPackage((names[2] if len(names) > 2 else None) or current)
        package.local_nicknames[names[0]] = names[1]
        return package
