"""The answer of describe for people at a terminal; pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from ...index.kinds import CLASSES, COMPANIONS, unusual_macro
from ...index.sentence import first_sentence
from ...index.shown import counted, shown_name
from ...syntax.printed import bare_standard, items
from ..styled import (
    BLANK,
    Line,
    Part,
    fact,
    faint,
    joined,
    kind,
    label,
    line,
    listed,
    name,
    paragraphs,
    plain_line,
)
from ..view import View
from .answer import DefinitionAnswer, DescribeAnswer
from .further import made_unusually
from .text import from_and_also

_MOST_PACKAGES = 12
_FUNCTIONS = {"setf-function", "generic-function"}


def describe_people(answer: DescribeAnswer, view: View) -> list[Line]:
    """Return what the name is, how it is called, its documentation and place, then all else that is known."""
    lines = [line(name(answer.written), _what(answer))]
    if answer.arglist is not None:
        lines.append(line(_form(answer, answer.arglist, view), indent=2, hang=4))
    lines += _otherwise(answer, view)
    if answer.value is not None:
        first, *others = answer.value.split("\n")
        lines += [fact("Value", first), *paragraphs("\n".join(others))] if others else [fact("Value", first)]
    if answer.documentation is not None:
        lines += [BLANK, *paragraphs(answer.documentation), BLANK]
    if answer.path is not None or answer.recorded_path is not None:
        lines.append(
            line(view.place(answer.path, answer.line, answer.column, answer.recorded_path), indent=2)
        )
    return [*lines, *_further(answer, view), *map(plain_line, from_and_also(answer))]


def _form(answer: DescribeAnswer, arglist: str, view: View) -> str:
    if answer.written.startswith("(setf "):
        return _setf_call(answer.written, arglist, answer, view)
    return _call(answer.written, arglist, view)


def _what(answer: DescribeAnswer) -> Part:
    kinds = [one for one in answer.kinds if one not in COMPANIONS] or answer.kinds or [answer.type]
    return kind(f"{', '.join(kinds)}, {'exported' if answer.exported_from else 'internal'}")


def _call(written: str, arglist: str, view: View) -> str:
    """A form as one writes it: ``(flatten tree)``."""
    lisp = view.lambda_list(arglist)
    inner = lisp[1:-1] if lisp.startswith("(") else f". {lisp}"
    called = written.rpartition(":")[2] if "|" not in written and not written.startswith("(") else written
    return f"({' '.join(filter(None, (called, inner)))})"


def _setf_call(written: str, arglist: str, answer: DescribeAnswer, view: View) -> str:
    """The form for ``(setf foo)``: ``(setf (foo thing) new-value)``; a function takes the value first."""
    place = bare_standard(written).removeprefix("(setf ").removesuffix(")")
    parameters = items(arglist)
    if _FUNCTIONS.isdisjoint(answer.kinds) or not parameters:
        return f"(setf {_call(place, arglist, view)} value)"
    value, *others = parameters
    called = _call(place, f"({' '.join(others)})", view)
    return f"(setf {called} {view.lisp(value)})"


def _otherwise(answer: DescribeAnswer, view: View) -> Iterator[Line]:
    """The lambda lists and expansions of what is not called: types, symbol macros, method combinations."""
    for one in answer.definitions:
        if one.kind in ("type", "method-combination") and one.arglist not in (None, answer.arglist):
            yield Line(
                joined(label(f"{one.kind}:"), " ", _call(answer.written, one.arglist or "", view)), 2, 4
            )
        if one.kind in ("type", "symbol-macro") and one.value is not None:
            yield fact("Stands for", view.form(one.value))


def _further(answer: DescribeAnswer, view: View) -> Iterator[Line]:
    if answer.ftype:
        yield fact("Typed", view.lisp(answer.ftype))
    if any(package != answer.package for package in answer.exported_from):
        more = len(answer.exported_from) - _MOST_PACKAGES
        packages = ", ".join(view.lisp(one) for one in answer.exported_from[:_MOST_PACKAGES])
        yield fact("Exported from", f"{packages}{f' and {more} more' if more > 0 else ''}")
    if answer.uses:
        used = [f"{relation} {number:,}" for relation, number in answer.uses.items()]
        used += [f"{answer.in_tests:,} of these in tests"] if answer.in_tests else []
        yield fact("Used", listed(used))
    if answer.definitions_total == 1 and (maker := made_unusually(answer.definitions)):
        yield fact("Defined by", view.lisp(maker))
    if answer.definitions_total > 1 or any(one.deprecated for one in answer.definitions):
        yield line(label(counted(answer.definitions_total, "definition")), indent=2)
        yield from (_definition(one, answer, view) for one in answer.definitions)
    if not CLASSES.isdisjoint(answer.kinds):
        yield fact("Slots and methods", f"oblist class {shlex.quote(bare_standard(answer.written))}")
    if answer.see_also:
        yield fact("See also", listed(name(shown_name(one)) for one in answer.see_also))
    if answer.manual:
        yield fact("Manual", joined(view.web(answer.manual)))


def _definition(one: DefinitionAnswer, answer: DescribeAnswer, view: View) -> Line:
    """A definition: its kind, what it does not share with the name, and its place."""
    parts: list[str] = [view.lisp(one.name)] if one.name != answer.name else []
    parts += [view.lisp(part) for part in (one.qualifiers, one.specializers) if part]
    if one.kind != "method" and one.arglist not in (None, answer.arglist):
        parts.append(view.lambda_list(one.arglist or ""))
    if one.value is not None and answer.value is None and one.kind not in ("type", "symbol-macro"):
        parts.append(view.form(one.value))
    if maker := unusual_macro(one.kind, one.defined_by):
        parts.append(f"by {view.lisp(maker)}")
    if one.deprecated:
        instead = f", use {one.replacement}" if one.replacement else ""
        parts.append(f"[deprecated: {one.deprecated}{instead}]")
    about = ""
    if one.documentation and one.documentation != answer.documentation:
        about = " ".join((first_sentence(one.documentation) or "").split())
    place = view.place(one.path, one.line, one.column, one.recorded_path)
    return line(joined(kind(one.kind), *(f" {part}" for part in parts)), place, faint(about), indent=4)
