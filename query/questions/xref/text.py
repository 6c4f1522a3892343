"""The answers of xref as text for people; pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ...index.shown import shown_name
from ..paging import rest_line
from .answer import ReferenceAnswer, XrefAnswer, XrefNode, XrefTreeAnswer

_PLURALS = {"caller": "callers", "callee": "callees", "reference": "references"}


def xref_text(answer: XrefAnswer, more: str = "--offset {offset}") -> str:
    """Return a heading with the counts, also by relation, then the uses, grouped by caller or by callee.

    If a limit cut the list, a last line says how many more there are; ``more`` says how to get
    them, with ``{offset}`` for the next offset.
    """
    lines = [_heading(answer)]
    if len(answer.relations) > 1:
        lines.append(", ".join(f"{relation} {total}" for relation, total in answer.relations.items()))
    if answer.reason:
        lines.append(answer.reason)
    for other, uses in groupby(answer.references, key=lambda use: _other_side(answer, use)):
        lines += ["", shown_name(other), *(f"  {_use(use)}" for use in uses)]
    if answer.note:
        lines += ["", f"Note: {answer.note}."]
    if rest := rest_line(answer.references, answer.total, answer.offset, more):
        lines += ["", *rest]
    return "\n".join(lines)


def _heading(answer: XrefAnswer) -> str:
    what = f" ({answer.relation})" if answer.relation else ""
    name = shown_name(answer.written)
    references = _counted(answer.total, "reference")
    if answer.callees is not None:
        return f"{references} from {name}{what}, {_counted(answer.callees, 'callee')}"
    return f"{references} to {name}{what}, {_counted(answer.callers or 0, 'caller')}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else _PLURALS[noun]}"


def _other_side(answer: XrefAnswer, use: ReferenceAnswer) -> str:
    if answer.direction == "callers":
        return _named(use.caller, use.caller_kind)
    return _named(use.callee, use.callee_kind)


def _named(name: str, kind: str | None) -> str:
    """Return the name, with the kind unless the name includes it."""
    return f"{name} [{kind}]" if kind and not name.startswith(f"({kind} ") else name


def _use(use: ReferenceAnswer) -> str:
    """Format ``path:line:column  text``, then the relation unless it is calls, and the expansion."""
    place = ":".join(str(part) for part in (use.path, use.line, use.column) if part is not None)
    facts = [] if use.relation == "calls" else [use.relation]
    if use.in_expansion_of:
        facts.append(f"in expansion of {use.in_expansion_of}")
    parts = [place or "place unknown", (use.text or "").strip(), f"[{', '.join(facts)}]" if facts else ""]
    return shown_name("  ".join(part for part in parts if part))


def xref_tree_text(answer: XrefTreeAnswer) -> str:
    """Return the tree, one node per line, indented by depth."""
    what = f" ({answer.relation})" if answer.relation else ""
    lines = [f"{answer.direction.capitalize()} of {shown_name(answer.written)}{what}, {answer.nodes} shown"]
    if answer.reason:
        lines.append(answer.reason)
    lines += _tree_lines(answer.children, answer.cut, "  ")
    return "\n".join(lines)


def _tree_lines(nodes: list[XrefNode], cut: int | None, indent: str) -> Iterator[str]:
    for node in nodes:
        place = ":".join(str(part) for part in (node.path, node.line) if part is not None)
        facts = [f"{node.uses} uses"] if node.uses > 1 else []
        facts += ["cycle"] if node.cycle else []
        parts = [_named(node.name, node.kind), place, f"({', '.join(facts)})" if facts else ""]
        yield indent + shown_name("  ".join(part for part in parts if part))
        yield from _tree_lines(node.children, node.cut, indent + "  ")
    if cut:
        yield f"{indent}... and {cut} more"
