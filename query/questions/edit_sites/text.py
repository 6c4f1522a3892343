"""The answer of xref --edit-sites as text; pure."""

from __future__ import annotations

from ...index.shown import counted, shown_name
from ..other_names import other_name_line
from ..paging import rest_line
from ..placed import placed_lines
from .answer import EditSite, EditSitesAnswer


def edit_sites_text(answer: EditSitesAnswer, more: str = "--offset {offset}") -> str:
    """Return the counts by sort, then the places by sort and by file."""
    lines = [heading(answer)]
    lines += [other_name_line(name, number) for name, number in answer.other_names.items()]
    if answer.reason:
        lines.append(answer.reason)
    lines += placed_lines(
        answer.sites,
        lambda one: one.sort,
        lambda sort: f"{sort.capitalize()} ({answer.sorts[sort]})",
        _site,
    )
    lines += rest_line(answer.sites, answer.total, answer.offset, more)
    if answer.note:
        lines.append(f"Note: {answer.note}.")
    return "\n".join(lines)


def heading(answer: EditSitesAnswer) -> str:
    """Return the line with the counts."""
    counts = ", ".join(f"{sort} {number}" for sort, number in answer.sorts.items())
    what = shown_name(f"{answer.written} {answer.arglist or ''}".strip())
    return f"{counted(answer.total, 'place')} to edit when the lambda list changes: {what}\n{counts}"


def said_of(one: EditSite) -> str:
    """Return how a place uses the name, if that is not a plain call."""
    if one.how is None:
        return ""
    return f"passed to {one.how}" if one.sort in ("function", "apply") else f"in the expansion of {one.how}"


def _site(one: EditSite) -> str:
    where = ":".join(str(part) for part in (one.line, one.column) if part is not None)
    how = f"[{said_of(one)}]" if said_of(one) else ""
    text = (one.text or "").strip()
    return shown_name("  ".join(part for part in (where, one.by, text, how) if part))
