"""package: what a package offers, and whom it uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import package_sql
from .base_answers import NotFound
from .package_answers import PackageAnswer, PackageExport
from .render import rest_line
from .resolve import package_argument
from .sql import page

if TYPE_CHECKING:
    from .index import Index

_MOST_NAMES = 12


def describe_package(index: Index, name: str, limit: int, offset: int) -> PackageAnswer | NotFound:
    """Answer package from ``index``; the arguments are those of Index.package."""
    found = package_argument(index, name)
    if isinstance(found, NotFound):
        return found
    ((documentation, locked, present),) = index.rows(package_sql.PACKAGE, package=found.id)
    return PackageAnswer(
        name=found.name,
        documentation=documentation,
        locked=bool(locked),
        nicknames=[row[0] for row in index.rows(package_sql.PACKAGE_NICKNAMES, package=found.id)],
        local_nicknames=dict(index.rows(package_sql.PACKAGE_LOCAL_NICKNAMES, package=found.id)),
        uses=[row[0] for row in index.rows(package_sql.PACKAGE_USES, package=found.id)],
        used_by=[row[0] for row in index.rows(package_sql.PACKAGE_USED_BY, package=found.id)],
        present=present,
        exports_total=index.rows(package_sql.PACKAGE_EXPORTS_TOTAL, package=found.id)[0][0],
        offset=offset,
        exports=[
            PackageExport(symbol, kind.lower(), home, _first_line(text))
            for symbol, kind, home, text in index.rows(
                package_sql.PACKAGE_EXPORTS, package=found.id, **page(limit, offset)
            )
        ],
    )


def _first_line(text: str | None) -> str | None:
    """The first line of a documentation string that says something."""
    return next((line.strip() for line in (text or "").splitlines() if line.strip()), None)


def _some(names: list[str]) -> str:
    """The first names of a list, and how many more there are."""
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def package_text(answer: PackageAnswer, more: str = "--offset {offset}") -> str:
    """The text of package: its facts, then its exports with a line of documentation each.

    ``more`` is how to get the exports that a limit cut off, as in apropos_text.
    """
    names = f" ({', '.join(answer.nicknames)})" if answer.nicknames else ""
    lines = [f"Package {answer.name}{names}{', locked' if answer.locked else ''}"]
    if answer.documentation:
        lines += ["  Documentation:", "    " + answer.documentation.replace("\n", "\n    ")]
    if answer.uses:
        lines.append(f"  Uses: {', '.join(answer.uses)}")
    if answer.used_by:
        lines.append(f"  Used by: {_some(answer.used_by)}")
    if answer.local_nicknames:
        pairs = (f"{nickname} for {target}" for nickname, target in answer.local_nicknames.items())
        lines.append(f"  Local nicknames: {', '.join(pairs)}")
    lines.append(f"  Symbols: {answer.present} present, {answer.exports_total} exported")
    if answer.exports:
        lines.append("  Exports:")
    for export in answer.exports:
        summary = f"  {export.summary}" if export.summary else ""
        lines.append(f"    {export.name} [{export.type.upper()}]{summary}")
    lines += rest_line(answer.exports, answer.exports_total, answer.offset, more)
    return "\n".join(lines)
