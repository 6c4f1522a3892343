"""The answers of xref for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from ...index.shown import counted, shown_name
from ...syntax.printed import bare_standard
from ..from_line import from_line
from ..other_names import around_other_name
from ..styled import (
    BLANK,
    Line,
    Part,
    Segment,
    Style,
    faint,
    joined,
    kind,
    label,
    line,
    listed,
    name,
    plain_line,
    rest,
)
from ..view import View
from .answer import ReferenceAnswer, XrefAnswer, XrefNode, XrefTreeAnswer
from .text import EDIT_SITES, TESTS, in_tests_line, next_methods_line, releases_heading, use_facts


def xref_people(answer: XrefAnswer, view: View) -> Iterator[Line]:
    """A heading with the counts, also by relation, then the uses, grouped by caller or by callee."""
    yield _heading(answer)
    if len(answer.relations) > 1:
        yield line(
            listed(f"{relation} {number:,}" for relation, number in answer.relations.items()), indent=2
        )
    if 0 < answer.in_tests < answer.total:
        yield line(faint(f"{in_tests_line(answer)} ({TESTS})"), indent=2)
    if answer.reason:
        yield line(answer.reason)
    for other, number in answer.other_names.items():
        before, after = around_other_name(number)
        yield line(joined(before, name(other), after))
    if answer.next_methods:
        yield line(f"{next_methods_line(answer)} ({EDIT_SITES} lists the calls with arguments)")
    if answer.left_out:
        more = counted(answer.left_out, "reference")
        yield line(f"Left out: {more} from its compiler macros, transforms and the like (--companions)")
    asked = answer.written if answer.direction == "callers" else None
    for _, uses in groupby(answer.references, key=lambda use: _other_side(answer, use)):
        group = list(uses)
        yield BLANK
        yield _named(*_other_side(answer, group[0]))
        yield from (_use(use, asked, view) for use in group)
    if answer.note:
        yield from (BLANK, line(f"Note: {answer.note}."))
    further = list(rest(answer.references, answer.total, answer.offset, indent=0))
    yield from [BLANK, *further] if further else ()
    yield from _of_several(answer)


def _of_several(answer: Any) -> Iterator[Line]:
    """The releases in the catalog that use the name, and the counts by index."""
    if releases := getattr(answer, "releases", None):
        yield BLANK
        yield line(label(releases_heading(answer.releases_total)))
        for one in releases:
            yield line(shown_name(one.release), faint(counted(one.uses, "use")), indent=2)
        yield from rest(releases, answer.releases_total, 0, "--limit 0", indent=0)
    for last in from_line(answer):
        yield from (BLANK, plain_line(last))


def _heading(answer: XrefAnswer) -> Line:
    what = f" ({answer.relation})" if answer.relation else ""
    of = joined(name(answer.written), what)
    if answer.callees is not None:
        number, direction, others = answer.callees, "from", "callee"
    else:
        number, direction, others = answer.callers or 0, "to", "caller"
    by = f", {counted(number, others)}" if number or answer.callees is not None else ""
    references = counted(answer.total, "reference")
    return Line(joined(f"{references} {direction} ", of, by))


def _other_side(answer: XrefAnswer, use: ReferenceAnswer) -> tuple[str, str | None]:
    if answer.direction == "callers":
        return use.caller, use.caller_kind
    return use.callee, use.callee_kind


def _named(named: str, what: str | None) -> Line:
    """The name of a definition, with its kind unless the name includes it."""
    return line(_name(named, what), kind(what or "") if what and not named.startswith(f"({what} ") else "")


def _name(named: str, what: str | None) -> Part:
    """The name; a description such as that of a toplevel form is not one."""
    return name(shown_name(named)) if what else shown_name(named)


def _use(use: ReferenceAnswer, asked: str | None, view: View) -> Line:
    """The place of a use and its line of text, then the relation unless it is calls, and the expansion."""
    facts = use_facts(use, asked)
    if use.in_expansion_of:
        facts.append(f"in expansion of {bare_standard(use.in_expansion_of)}")
    if use.in_template:
        facts.append("in a template")
    if use.in_tests:
        facts.append("test")
    about = faint(f"[{', '.join(facts)}]") if facts else ""
    return line(view.anywhere(use.path, use.line, use.column), list(_text(use)), about, indent=2, hang=4)


def _text(use: ReferenceAnswer) -> Iterator[Segment]:
    """The text of a line; what names the callee in it stands out, if it is where it is recorded to be."""
    text = (use.text or "").expandtabs(1)
    begin = (use.column or 0) - 1
    end = begin + (use.length or 0)
    base = use.callee.rstrip(")").rpartition(":")[2].rpartition(" ")[2]
    if begin < 0 or not base or base.casefold() not in text[begin:end].casefold():
        yield Segment(text.strip())
        return
    yield Segment(text[:begin].lstrip())
    yield Segment(text[begin:end], Style.MATCH)
    yield Segment(text[end:].rstrip())


def xref_tree_people(answer: XrefTreeAnswer, view: View) -> Iterator[Line]:
    """The tree, one node a line, indented by depth."""
    what = f" ({answer.relation})" if answer.relation else ""
    yield Line(
        joined(
            f"{answer.direction.capitalize()} of ", name(answer.written), f"{what}, {answer.nodes:,} shown"
        )
    )
    if answer.reason:
        yield line(answer.reason)
    if answer.outside:
        yield line(f"Not followed, because outside the project: {answer.outside:,} (--beyond)")
    yield from _nodes(answer.children, answer.cut, 2, view)


def _nodes(nodes: list[XrefNode], cut: int | None, indent: int, view: View) -> Iterator[Line]:
    for node in nodes:
        facts = [counted(node.uses, "use")] if node.uses > 1 else []
        facts += ["cycle"] if node.cycle else []
        what = node.kind if node.kind and not node.name.startswith(f"({node.kind} ") else ""
        yield line(
            _name(node.name, node.kind),
            kind(what or ""),
            view.place(node.path, node.line),
            faint(f"({', '.join(facts)})" if facts else ""),
            indent=indent,
            hang=4,
        )
        yield from _nodes(node.children, node.cut, indent + 2, view)
    if cut:
        yield line(faint(f"... and {cut:,} more"), indent=indent)
