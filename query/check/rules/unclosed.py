"""The rules unclosed and unmatched-parenthesis: parentheses and quotes that do not match."""

from __future__ import annotations

from collections.abc import Iterator

from ...index.present.lines import Lines
from ...syntax.nodes import Fault, Faults
from ..findings import SourceFinding

_UNCLOSED = {
    "(": "the form that begins here is not closed",
    "#(": "the vector that begins here is not closed",
    '"': "the string that begins here is not closed",
    "|": "the name that begins with a bar here is not closed",
    "#|": "the comment that begins here is not closed",
}
# After one of these, the rest of the text may be misread.
_LAST = frozenset({'"', "|"})


def fault_findings(faults: Faults, path: str, lines: Lines) -> Iterator[SourceFinding]:
    """The findings for ``faults`` in the file ``path``; none if custom syntax may explain them."""
    for fault in faults.found if faults.certain else ():
        rule = "unmatched-parenthesis" if fault.kind == ")" else "unclosed"
        line, column = lines.place(fault.start)
        yield SourceFinding(path, line, column, rule, _said(fault, lines), length=len(fault.kind))
        if fault.kind in _LAST:
            return


def _said(fault: Fault, lines: Lines) -> str:
    if fault.kind == ")":
        return "this parenthesis closes nothing"
    said = _UNCLOSED.get(fault.kind, f"the file ends after {fault.kind}, which needs a form")
    if fault.margin is not None:
        said += f", so the one on line {lines.place(fault.margin)[0]} is part of it"
    return said
