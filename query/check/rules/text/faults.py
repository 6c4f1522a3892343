"""Parentheses and quotes that do not match: the findings of unclosed and unmatched-parenthesis."""

from __future__ import annotations

from collections.abc import Iterator

from ....index.present.lines import TextLines
from ....syntax.nodes import Faults
from ...findings import SourceFinding
from . import unclosed, unmatched_parenthesis

# After one of these, the rest of the text may be misread.
_LAST = frozenset({'"', "|"})


def fault_findings(faults: Faults, path: str, lines: TextLines) -> Iterator[SourceFinding]:
    """The findings for ``faults`` in the file ``path``; none if custom syntax may explain them."""
    for fault in faults.found if faults.certain else ():
        if fault.kind == ")":
            rule, message = unmatched_parenthesis.RULE, unmatched_parenthesis.MESSAGE
        else:
            rule, message = unclosed.RULE, unclosed.message(fault, lines)
        line, column = lines.place(fault.start)
        yield SourceFinding(path, line, column, rule.name, message, length=len(fault.kind))
        if fault.kind in _LAST:
            return
