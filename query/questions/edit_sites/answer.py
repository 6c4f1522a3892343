"""The answer of xref --edit-sites, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...index.answer_field import doc, incomplete_field, outdated_field
from ...index.finding.guessed import guessed_field
from ...index.standpoint.seen_from import SeenFrom, seen_from


@dataclass(frozen=True, slots=True)
class EditSite:
    """A place to touch."""

    sort: str = doc(
        "definition, method, declaration, call, next-method (call-next-method with arguments), apply "
        "(funcall, apply and the like), function (it is passed on, or named, as a function), template (a "
        "macro's template calls it), expansion (the expansion of a macro or inline function calls it; "
        "change that instead), documentation, export or mention"
    )
    by: str = doc("the definition there, as typed in Lisp, or a label for code outside any definition")
    by_kind: str | None = doc("kind of that definition; null for code outside any definition")
    how: str | None = doc(
        "the operator to which it is passed, or the macro in whose expansion it is used; null for a plain "
        "call"
    )
    path: str | None = doc("absolute path of the source file")
    line: int | None = doc("line, from 1")
    column: int | None = doc("column of the name, from 1; null if the text does not name it there")
    text: str | None = doc("the text of that line")


@dataclass(frozen=True, slots=True)
class EditSitesAnswer:
    """Every place to touch when a lambda list changes: the answer of xref with edit sites."""

    of_uses: ClassVar = True

    name: str = doc("exact name of the symbol; `(SETF FOO)` if that was asked for")
    package: str = doc("home package of the symbol")
    written: str = doc("the name as you would type it")
    kinds: list[str] = doc("the kinds of its definitions")
    arglist: str | None = doc("lambda list of the function or macro")
    total: int = doc("number of places, whatever the limit")
    sorts: dict[str, int] = doc("the number of places of each sort, in the order of the places")
    other_names: dict[str, int] = doc(
        "the number of uses of each other function name of the symbol; ask for that name to see them"
    )
    offset: int = doc("number of places skipped")
    sites: list[EditSite] = doc("the places, sorted by sort, then by path, line and column")
    note: str | None = doc("a remark about the name as typed")
    reason: str | None = doc("why there are no places")
    incomplete: str | None = incomplete_field()
    outdated: str | None = outdated_field()
    seen_from: SeenFrom | None = seen_from()
    guessed: str | None = guessed_field()
