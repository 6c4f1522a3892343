"""The answer of package as text; pure."""

from __future__ import annotations

from ...index.shown import shown_name
from ..paging import rest_line
from .answer import PackageAnswer, PackageExport, SeenExport

_MOST_NAMES = 12


def package_text(answer: PackageAnswer, more: str = "--offset {offset}") -> str:
    """Return the text of package: its facts, then its exports with a line of documentation each.

    ``more`` says how to get the exports that a limit cut off, as in apropos_text.
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
    lines.append(f"  Symbols: {answer.present} present, {answer.exported} exported{chosen(answer)}")
    if answer.exports:
        lines.append("  Exports:")
    for export in answer.exports:
        lines.append(f"    {_export(export)}")
    lines += rest_line(answer.exports, answer.exports_total, answer.offset, more)
    return "\n".join(lines)


def chosen(answer: PackageAnswer) -> str:
    """How many of the exports were asked for, if not all were."""
    return "" if answer.exports_total == answer.exported else f", of which {answer.exports_total} match"


def _export(export: PackageExport) -> str:
    """The line of an export: its name, its lambda list, its type unless it is a function, and a summary."""
    parts = [export.written if isinstance(export, SeenExport) else export.name]
    if export.arglist is not None:
        parts.append(shown_name(" ".join(export.arglist.split())))
    if export.arglist is None or export.type != "function":
        parts.append(f"[{export.type.upper()}]")
    return " ".join(parts) + (f"  {export.summary}" if export.summary else "")


def _some(names: list[str]) -> str:
    """Join the first names of a list, and say how many more there are."""
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
