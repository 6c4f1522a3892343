"""Completion of the names of packages and systems, and of imported ones, in the forms that take them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lsprotocol.types import CompletionItem, CompletionItemKind, CompletionItemLabelDetails, TextEdit

from oblist.indexer.names import split_package

from ....index.finding.resolve import find_package
from ....index.written import own_name
from ....questions.complete.matching import matcher
from ....syntax.names.designators import designator_before
from ....syntax.nodes import Node
from ...documents.unfinished import Level, Unfinished
from ...indexed import sql
from ..asked import Asked
from .places import word

_TAKING_PACKAGES = ("IN-PACKAGE", "FIND-PACKAGE", "USE-PACKAGE", "UNUSE-PACKAGE", "DO-EXTERNAL-SYMBOLS")
_OF_PACKAGES = (":USE", ":MIX", ":REEXPORT", ":USE-REEXPORT", ":MIX-REEXPORT")
_IMPORTING = (":IMPORT-FROM", ":SHADOWING-IMPORT-FROM")
_DEPENDS = (":DEPENDS-ON", ":DEFSYSTEM-DEPENDS-ON", ":WEAKLY-DEPENDS-ON")
_PACKAGE, _SYSTEM = "package", "system"
_MOST = 100


class _Named(NamedTuple):
    """A name that may be designated, and what it is: a package, a system, or exported by a package."""

    name: str
    about: str


def designated(asked: Asked, unfinished: Unfinished, offset: int) -> list[CompletionItem] | None:
    """The packages, systems or exported names that a place takes; None where it takes none of these."""
    if not unfinished.levels:
        return None
    names = _names(asked, unfinished.levels)
    if names is None:
        return None
    marker, typed = designator_before(asked.document.text[unfinished.chunk.start : offset])
    match, index = matcher(typed.lower()), asked.project.index
    edited = asked.document.lines.range(offset - len(marker) - len(typed), offset)
    matching = sorted(
        (kind, len(one.name), one) for one in names if (kind := match(one.name.lower())) is not None
    )
    items = []
    for number, (_, _, one) in enumerate(matching[:_MOST]):
        # A string is the exact name of a package or symbol; the name of a system is in lower case anyway.
        exact = marker == '"' or one.about == _SYSTEM
        text = f"{marker or '#:'}{one.name if exact else own_name(one.name, index.upcase)}"
        details = CompletionItemLabelDetails(description=one.about)
        kind = CompletionItemKind.Module if one.about in (_PACKAGE, _SYSTEM) else CompletionItemKind.Value
        item = CompletionItem(text, label_details=details, kind=kind, text_edit=TextEdit(edited, text))
        item.sort_text, item.filter_text = f"{number:04}", f"{marker}{typed}"
        items.append(item)
    return items


def _names(asked: Asked, levels: Sequence[Level]) -> Iterator[_Named] | None:
    """The names that the place takes, each with what it is."""
    index, level = asked.project.index, levels[0]
    heads = [word(one.form.items[0]) if one.item else "" for one in levels]
    if heads[0] in _TAKING_PACKAGES and level.item == 1:
        return _packages(asked)
    if len(levels) == 1:
        return None
    if heads[1] in ("DEFPACKAGE", "DEFINE-PACKAGE"):
        if heads[0] in _OF_PACKAGES or (heads[0] in _IMPORTING and level.item == 1):
            return _packages(asked)
        if heads[0] in _IMPORTING:
            return _exported(asked, level.form.items[1])
    outer = levels[1]
    before = outer.form.items[outer.item - 1] if outer.item else None
    if heads[-1] == "DEFSYSTEM" and before is not None and word(before) in _DEPENDS:
        rows = index.rows(sql.SYSTEM_NAMES)
        return (_Named(name, _SYSTEM) for (name,) in rows)
    return None


def _packages(asked: Asked) -> Iterator[_Named]:
    for name in asked.project.index.package_numbers:
        yield _Named(name, _PACKAGE)


def _exported(asked: Asked, package: Node) -> Iterator[_Named] | None:
    """The names that a package exports, which the text designates."""
    index = asked.project.index
    text = package.text.removeprefix("#").removeprefix(":").strip('"')
    found = find_package(index, split_package(text, index.upcase)) if text else None
    if found is None:
        return None
    rows = index.rows(sql.EXPORTED_NAMES, package=found.id)
    about = own_name(found.name, index.upcase)
    return (_Named(name, about) for (name,) in rows)
