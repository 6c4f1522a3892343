"""The answer of package, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc, incomplete_field
from ...index.standpoint.seen_from import SeenFrom, seen_from


@dataclass(frozen=True, slots=True)
class PackageExport:
    """One exported symbol of a package."""

    name: str = doc("exact name")
    type: str = doc("macro, generic-function, function, class, variable or symbol")
    package: str = doc("home package")
    arglist: str | None = doc("lambda list of a function or macro; null when SBCL does not know it")
    summary: str | None = doc("first sentence of its documentation")


@dataclass(frozen=True, slots=True)
class SeenExport(PackageExport):
    """One exported symbol of a package, written for the package of `seen_from`."""

    written: str = doc("the name as written in code of that package")


@dataclass(frozen=True, slots=True)
class PackageAnswer:
    """The exports of a package, and the packages it uses: the answer of package."""

    name: str = doc("name of the package")
    documentation: str | None = doc("documentation string")
    locked: bool = doc("true when the package is locked")
    nicknames: list[str] = doc("global nicknames")
    local_nicknames: dict[str, str] = doc("package-local nicknames, with the packages they name")
    uses: list[str] = doc("packages whose external symbols it inherits, in order")
    used_by: list[str] = doc("packages that use it")
    present: int = doc("number of symbols present in it")
    exported: int = doc("number of external symbols")
    exports_total: int = doc("number of external symbols that `match` or `kind` selected")
    offset: int = doc("number of external symbols skipped")
    exports: list[PackageExport | SeenExport] = doc("the first external symbols by name, after `offset`")
    incomplete: str | None = incomplete_field()
    seen_from: SeenFrom | None = seen_from()
