"""The text that moves with a definition, and where it goes."""

from __future__ import annotations

from ...edit.changes import Edit
from ...syntax.lexemes import lexemes
from ..errors import RefactorError
from ..project.texts import ProjectText
from .forms import SystemForm


def extent(moved: SystemForm) -> tuple[int, int]:
    """Where the text that moves begins and ends: the form, comment lines, and the rest of its last line.

    Raises RefactorError if other text concerns the form, or shares its lines.
    """
    text, node = moved.file.text, moved.walked.toplevel.node
    before = [one.toplevel.node.end for one in moved.file.forms if one.toplevel.node.start < node.start]
    first = before[-1] if before else 0
    if _ends_in_conditional(text[first : node.start]):
        raise RefactorError(f"the form at {moved.shown} is under a conditional (#+ or #-): move it by hand")
    start = text.rfind("\n", 0, node.start) + 1
    end = text.find("\n", node.end)
    end = end if end >= 0 else len(text)
    rest = text[node.end : end].strip()
    if text[start : node.start].strip() or (rest and not rest.startswith(";")):
        raise RefactorError(f"the form at {moved.shown} shares a line with another form: separate them")
    while start > first:
        above = text.rfind("\n", 0, start - 1) + 1
        if above < first or not text[above:start].lstrip().startswith(";"):
            break
        start = above
    return start, end


def _ends_in_conditional(text: str) -> bool:
    """Whether text between two forms has a conditional that is not about a form in it."""
    conditionals = data = depth = 0
    for kind, _, _ in lexemes(text):
        if kind == "feature":
            conditionals += 1
        elif kind != "quote":
            depth += (kind == "open") - (kind == "close")
            data += depth == 0
    return data != 2 * conditionals


def insertion(other: ProjectText, package: str) -> tuple[int, str]:
    """Where a form of a package goes in a file, and the package that forms are read in there.

    That is after the last form that is read in the package, or else at the end. Raises RefactorError.
    """
    if not other.forms:
        raise RefactorError(f"{other.path} has no forms, so its package is not known")
    same = [one for one in other.forms if one.package == package]
    last = same[-1] if same else other.forms[-1]
    end = other.text.find("\n", last.toplevel.node.end)
    at = end if end >= 0 else len(other.text)
    rest = other.text[last.toplevel.node.end : at].strip()
    if rest and not rest.startswith(";"):
        raise RefactorError(
            f"in {other.path}, the package's last form shares its line with other text: move that text"
        )
    return at, last.package


def removal(text: str, start: int, end: int) -> Edit:
    """Remove lines, and also the blank line after them if another blank line precedes them."""
    end = min(end + 1, len(text))
    if text[end : end + 1] == "\n" and text[max(0, start - 2) : start] in ("", "\n\n"):
        end += 1
    return Edit(start, end, "")
