"""Imports, used packages and systems that nothing needs; names that are defined twice."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ....questions.between.part import NamedPart, PartCode
from .. import sql
from ..answer import AuditFinding
from ..code import NO_USES, AuditedCode
from ..sql import DependencyRow, ExportingRow, ImportRow, TwiceRow, UsedPackageRow


def imports(code: AuditedCode) -> Iterator[AuditFinding]:
    """Yield the used packages and imported symbols that the code of a package does not need."""
    packages = json.dumps(sorted(code.packages))
    for row in map(UsedPackageRow._make, code.index.rows(sql.USED_PACKAGES, packages=packages)):
        of = PartCode(code.index, NamedPart("package", row.user_name, row.user))
        if of.files and not _uses_any(code, of, row.user, row.used):
            why = f"it is used by {row.user_name}, whose code contains none of its names"
            place = _place_of_package(code, row.user)
            yield AuditFinding("import", row.used_name.lower(), "used package", why, None, *place)
    rows = [ImportRow._make(row) for row in code.index.rows(sql.IMPORTED, packages=packages)]
    uses = code.uses_of(row.symbol for row in rows)
    symbols = json.dumps(sorted({row.symbol for row in rows}))
    named = code.index.rows(sql.EXPORTING, symbols=symbols, relation="imports")
    places = {at.symbol: at for at in map(ExportingRow._make, named)}
    for one in rows:
        of = PartCode(code.index, NamedPart("package", one.package_name, one.package))
        needed = [use for use in uses.get(one.symbol, ()) if use.relation not in NO_USES]
        if of.files and not any(use.file in of.files for use in needed):
            at = places.get(one.symbol)
            place = _place_of_package(code, one.package)
            if at is not None:
                place = code.index.local_path(at.path), at.line, at.column
            why = f"it is imported by {one.package_name}, whose code does not use it"
            yield AuditFinding("import", code.written(one.symbol), "imported symbol", why, None, *place)


def _uses_any(code: AuditedCode, of: PartCode, user: int, used: int) -> bool:
    """Whether the code of a package has any of the names that it inherits from another."""
    rows = code.index.rows(sql.ANY_INHERITED, used=used, files=json.dumps(sorted(of.files)), user=user)
    return bool(rows)


def _place_of_package(code: AuditedCode, package: int) -> tuple[str | None, int | None, int | None]:
    row = code.packages[package]
    return code.index.local_path(row.path), row.line, row.column


def dependencies(code: AuditedCode) -> Iterator[AuditFinding]:
    """Yield the systems that a system of the code depends on and uses nothing of.

    A system without files of its own is there to bring others.
    """
    systems = json.dumps(sorted(code.systems))
    for row in map(DependencyRow._make, code.index.rows(sql.DEPENDENCIES, systems=systems)):
        of = PartCode(code.index, NamedPart("system", row.system_name, row.system))
        on = PartCode(code.index, NamedPart("system", row.name, row.target))
        if of.files <= code.system_definitions or on.symbols == "[]":
            continue
        if not any(_needs_any_of(code, of, row.system, symbols) for symbols in _symbols_of(code, on, row)):
            why = f"it is a dependency of {row.system_name}, whose code contains none of its names"
            uncertain = "loading it may do something that is needed, such as defining methods"
            path = code.index.local_path(row.path)
            yield AuditFinding("dependency", row.name, "system", why, uncertain, path, None, None)


def _symbols_of(code: AuditedCode, on: PartCode, row: DependencyRow) -> Iterator[str]:
    """The symbols of a system, then those of others that its packages export, as JSON."""
    yield on.symbols
    yield json.dumps([one for (one,) in code.index.rows(sql.EXPORTED_AGAIN, system=row.target)])


def _needs_any_of(code: AuditedCode, of: PartCode, system: int, symbols: str) -> bool:
    """Whether the code of a system has any of some symbols, or a package that may be computed imports one."""
    files = json.dumps(sorted(of.files))
    return bool(
        code.index.rows(sql.ANY_USED, symbols=symbols, files=files)
        or code.index.rows(sql.ANY_IMPORTED, symbols=symbols, system=system)
    )


def duplicates(code: AuditedCode) -> Iterator[AuditFinding]:
    """Yield the names that two forms of the same operator define."""
    symbols = json.dumps(sorted({row.symbol for row in code.definitions}))
    first: dict[tuple[int, str | None, str], TwiceRow] = {}
    kinds = {(row.symbol, row.operator): row.kind for row in code.definitions if row.kind != "method"}
    for row in map(TwiceRow._make, code.index.rows(sql.DEFINED_AT, symbols=symbols)):
        operator = _operator_before(row)
        before = first.setdefault((row.symbol, row.operator, operator), row)
        kind = kinds.get((row.symbol, row.operator))
        if before is row or operator not in _ONCE or row.file not in code.files or kind is None:
            continue
        where = f"line {before.line}"
        if before.file != row.file:
            where = f"{where} of {code.index.local_path(before.path)}"
        written, path = code.written(row.symbol, row.operator), code.index.local_path(row.path)
        why = f"{operator} also defines it on {where}"
        yield AuditFinding("duplicate", written, kind, why, None, path, row.line, row.column)


def _operator_before(row: TwiceRow) -> str:
    """The operator of the form that defines a name, as the line before the name has it."""
    words = (row.text or "")[: (row.column or 1) - 1].rpartition("(")[2].split()
    return words[0].lower() if len(words) == 1 else ""


_ONCE = frozenset(
    (
        *("defun", "defmacro", "defgeneric", "defclass", "defstruct", "define-condition", "deftype"),
        *("defvar", "defparameter", "defconstant"),
    )
)
