"""The answers of xref as text for people; pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from ...index.shown import counted, shown_name
from ..from_line import from_line
from ..other_names import other_name_line
from ..paging import rest_line
from .answer import ReferenceAnswer, XrefAnswer, XrefNode, XrefTreeAnswer

_WIDER = "--companions"
EDIT_SITES = "--edit-sites"
TESTS = "--tests only, --tests without"
_FURTHER = "--beyond"


def xref_text(answer: XrefAnswer, more: str = "--offset {offset}") -> str:
    """Return a heading with the counts, also by relation, then the uses, grouped by caller or by callee.

    If a limit cut the list, a last line says how many more there are; ``more`` says how to get
    them, with ``{offset}`` for the next offset.
    """
    lines = _beginning(answer, _WIDER, EDIT_SITES)
    asked = answer.written if answer.direction == "callers" else None
    if 0 < answer.in_tests < answer.total:
        lines.append(f"{in_tests_line(answer)} ({TESTS})")
    for other, uses in groupby(answer.references, key=lambda use: _other_side(answer, use)):
        lines += ["", shown_name(other), *(f"  {_use(use, asked)}" for use in uses)]
    return "\n".join([*lines, *_end(answer, more), *_of_several(answer)])


def xref_compact_text(answer: XrefAnswer, more: str, wider: str, edit_sites: str) -> str:
    """Return the same with each file once, each caller once in a file, and no line that only has the name.

    ``wider`` says how to get the callees of all code, ``edit_sites`` how to get calls of the next method.
    """
    lines = _beginning(answer, wider, edit_sites)
    asked = answer.written if answer.direction == "callers" else None
    if 0 < answer.in_tests < answer.total:
        lines.append(in_tests_line(answer))
    by_path: dict[str | None, dict[str, list[ReferenceAnswer]]] = {}
    for use in answer.references:
        by_path.setdefault(use.path, {}).setdefault(_other_side(answer, use), []).append(use)
    for path, others in by_path.items():
        lines.append(shown_name(path or "place unknown"))
        for other, uses in others.items():
            first, *rest = [_use(use, asked, placed=True) for use in uses]
            lines.append(f"  {shown_name(other)}  {first}")
            lines += (f"    {line}" for line in rest)
    return "\n".join([*lines, *_end(answer, more)])


def _beginning(answer: XrefAnswer, wider: str, edit_sites: str) -> list[str]:
    lines = [_heading(answer)]
    if len(answer.relations) > 1:
        lines.append(", ".join(f"{relation} {total}" for relation, total in answer.relations.items()))
    if answer.reason:
        lines.append(answer.reason)
    lines += [other_name_line(name, number) for name, number in answer.other_names.items()]
    if answer.next_methods:
        lines.append(f"{next_methods_line(answer)} ({edit_sites} lists the calls with arguments)")
    if answer.left_out:
        more = counted(answer.left_out, "reference")
        lines.append(f"Left out: {more} from its compiler macros, transforms and the like ({wider})")
    return lines


def _end(answer: XrefAnswer, more: str) -> list[str]:
    lines = ["", f"Note: {answer.note}."] if answer.note else []
    if rest := rest_line(answer.references, answer.total, answer.offset, more):
        lines += ["", *rest]
    return lines


def _of_several(answer: Any) -> Iterator[str]:
    """Yield the releases in the catalog that use the name, and the counts by index."""
    if releases := getattr(answer, "releases", None):
        yield from ("", releases_heading(answer.releases_total))
        yield from (f"  {shown_name(one.release)}  {counted(one.uses, 'use')}" for one in releases)
        yield from rest_line(releases, answer.releases_total, 0, "--limit 0")
    yield from (line for last in from_line(answer) for line in ("", last))


def releases_heading(total: int) -> str:
    """Return the line above the releases that use the name."""
    return "1 release in the catalog uses it" if total == 1 else f"{total} releases in the catalog use it"


def in_tests_line(answer: XrefAnswer) -> str:
    """Return the line that says how many uses are in test systems."""
    are = "is" if answer.in_tests == 1 else "are"
    return f"{answer.in_tests} of them {are} in tests"


def next_methods_line(answer: XrefAnswer) -> str:
    """Return the line that says how often its methods call the next one."""
    return f"Its methods also call the next method {counted(answer.next_methods, 'time')}"


def _heading(answer: XrefAnswer) -> str:
    what = f" ({answer.relation})" if answer.relation else ""
    name = shown_name(answer.written)
    references = counted(answer.total, "reference")
    callers = f", {counted(answer.callers, 'caller')}" if answer.callers else ""
    if answer.callees is not None:
        return f"{references} from {name}{what}, {counted(answer.callees, 'callee')}"
    return f"{references} to {name}{what}{callers}"


def _other_side(answer: XrefAnswer, use: ReferenceAnswer) -> str:
    if answer.direction == "callers":
        return _named(use.caller, use.caller_kind)
    return _named(use.callee, use.callee_kind)


def _named(name: str, kind: str | None) -> str:
    """Return the name, with the kind unless the name includes it."""
    return f"{name} [{kind}]" if kind and not name.startswith(f"({kind} ") else name


def use_facts(use: ReferenceAnswer, asked: str | None) -> list[str]:
    """Return the relation, unless it is calls, and ``setf`` if the setf function of ``asked`` is used."""
    facts = [] if use.relation == "calls" else [use.relation]
    is_setf = asked is not None and use.callee != asked and use.callee.startswith("(setf ")
    return [*facts, "setf"] if is_setf else facts


def _use(use: ReferenceAnswer, written: str | None, *, placed: bool = False) -> str:
    """Format ``path:line:column  text``, then the relation unless it is calls, and the expansion.

    A use that is ``placed`` has its path above it.
    """
    parts = (None if placed else use.path, use.line, use.column)
    place = ":".join(str(part) for part in parts if part is not None)
    facts = use_facts(use, written)
    if use.in_expansion_of:
        facts.append(f"in expansion of {use.in_expansion_of}")
    if use.in_template:
        facts.append("in a template")
    if use.in_tests:
        facts.append("test")
    text = (use.text or "").strip()
    if placed and _is_bare(text, use):
        text = ""
    shown = [place or "place unknown", text, f"[{', '.join(facts)}]" if facts else ""]
    return shown_name("  ".join(part for part in shown if part))


def _is_bare(text: str, use: ReferenceAnswer) -> bool:
    """Whether the text of a line says no more than the name of what is used."""
    base = use.callee.rpartition(":")[2]
    return text.strip("()'#,@` ").rpartition(":")[2].casefold() == base.casefold()


def xref_tree_text(answer: XrefTreeAnswer, further: str = _FURTHER) -> str:
    """Return the tree, one node per line, indented by depth; ``further`` says how to go on at the border."""
    what = f" ({answer.relation})" if answer.relation else ""
    lines = [f"{answer.direction.capitalize()} of {shown_name(answer.written)}{what}, {answer.nodes} shown"]
    if answer.reason:
        lines.append(answer.reason)
    if answer.outside:
        lines.append(f"Not followed, because outside the project: {answer.outside} ({further})")
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
