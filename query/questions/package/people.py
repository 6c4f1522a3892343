"""The answer of package for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...index.shown import shown_name
from ...index.written import own_name, typed_name
from ..styled import (
    BLANK,
    Line,
    fact,
    faint,
    joined,
    kind,
    label,
    line,
    name,
    paragraphs,
    rest,
)
from ..view import View
from .answer import PackageAnswer, PackageExport, SeenExport
from .text import chosen

_MOST_NAMES = 12


def package_people(answer: PackageAnswer, view: View, *, match: str) -> Iterator[Line]:
    """The facts of a package, then its exports; ``match``, which they were chosen by, stands out in them."""
    nicknames = f" ({_some(answer.nicknames, view)})" if answer.nicknames else ""
    locked = "package, locked" if answer.locked else "package"
    yield line(joined(name(_package(answer.name, view)), nicknames), kind(locked))
    if answer.documentation:
        yield from (BLANK, *paragraphs(answer.documentation), BLANK)
    if answer.uses:
        yield fact("Uses", _some(answer.uses, view))
    if answer.used_by:
        yield fact("Used by", _some(answer.used_by, view))
    if answer.local_nicknames:
        pairs = (
            f"{_package(one, view)} for {_package(other, view)}"
            for one, other in answer.local_nicknames.items()
        )
        yield fact("Local nicknames", ", ".join(pairs))
    yield fact("Symbols", f"{answer.present:,} present, {answer.exported:,} exported{chosen(answer)}")
    if answer.exports:
        yield line(label("Exports"), indent=2)
    for export in answer.exports:
        yield _export(export, answer.name, match, view)
    yield from rest(answer.exports, answer.exports_total, answer.offset, indent=4)


def _export(export: PackageExport, package: str, match: str, view: View) -> Line:
    """An export: its name, its lambda list, its type unless it is a function, and a summary."""
    written = typed_name(export.name, package, view.upcase, external=True)
    if isinstance(export, SeenExport):
        written = export.written
    arglist = "" if export.arglist is None else f" {view.lambda_list(export.arglist)}"
    what = kind(export.type) if export.arglist is None or export.type != "function" else ""
    return line(joined(name(written, match), arglist), what, faint(export.summary or ""), indent=4, hang=4)


def _some(names: Sequence[str], view: View) -> str:
    """Join the first names of a list, and say how many more there are."""
    more = len(names) - _MOST_NAMES
    shown = ", ".join(_package(one, view) for one in names[:_MOST_NAMES])
    return f"{shown} and {more} more" if more > 0 else shown


def _package(named: str, view: View) -> str:
    """The name of a package as one types it."""
    return own_name(shown_name(named), view.upcase)
