"""What is known of a name besides the text of describe, whose form is fixed; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from ...index.kinds import unusual_macro
from ...index.sentence import first_sentence
from ...index.shown import shown_name
from .answer import DefinitionAnswer, DescribeAnswer

_MOST_PACKAGES = 12


def further_lines(answer: DescribeAnswer, lisp: Callable[[str], str] = str) -> Iterator[str]:
    """The types, the packages that export it, its uses and definitions, and where to look next.

    ``lisp`` writes printed Lisp otherwise, such as in lower case.
    """
    if answer.ftype:
        yield f"  Typed: {lisp(_one_line(answer.ftype))}"
    if any(package != answer.package for package in answer.exported_from):
        more = len(answer.exported_from) - _MOST_PACKAGES
        packages = ", ".join(lisp(shown_name(one)) for one in answer.exported_from[:_MOST_PACKAGES])
        yield f"  Exported from: {packages}{f' and {more} more' if more > 0 else ''}"
    if answer.uses:
        used = [f"{relation} {number}" for relation, number in answer.uses.items()]
        used += [f"{answer.in_tests} of these in tests"] if answer.in_tests else []
        yield f"  Used: {', '.join(used)}"
    if answer.definitions_total == 1 and (maker := made_unusually(answer.definitions)):
        yield f"  Defined by: {lisp(maker)}"
    if answer.definitions_total > 1 or any(one.deprecated for one in answer.definitions):
        yield f"  Definitions: {answer.definitions_total}"
        for path, group in groupby(answer.definitions, key=lambda one: one.path or one.recorded_path):
            if path is not None:
                yield f"    {shown_name(path)}"
            yield from (f"    {_definition(one, answer, lisp)}" for one in group)
    if answer.see_also:
        yield f"  See also: {', '.join(map(shown_name, answer.see_also))}"
    if answer.manual:
        yield f"  Manual: {answer.manual}"


def made_unusually(definitions: Sequence[DefinitionAnswer]) -> str | None:
    """The macro that makes the first of some definitions, unless it is the usual one for its kind."""
    return unusual_macro(definitions[0].kind, definitions[0].defined_by) if definitions else None


def _definition(one: DefinitionAnswer, answer: DescribeAnswer, lisp: Callable[[str], str]) -> str:
    """The line of a definition: where it begins, its kind, and what it does not share with the name."""
    parts = ["" if one.line is None else f"  {one.line}", one.kind]
    if one.name != answer.name:
        parts.append(lisp(one.name))
    parts += [lisp(part) for part in (one.qualifiers, one.specializers) if part]
    if one.kind != "method" and one.arglist not in (None, answer.arglist):
        parts.append(lisp(one.arglist or ""))
    if one.value is not None and answer.value is None:
        parts.append(one.value)
    if maker := unusual_macro(one.kind, one.defined_by):
        parts.append(f"by {lisp(maker)}")
    if one.deprecated:
        instead = f", use {one.replacement}" if one.replacement else ""
        parts.append(f"[deprecated: {one.deprecated}{instead}]")
    if one.documentation and one.documentation != answer.documentation:
        parts.append(f" {first_sentence(one.documentation)}")
    return _one_line(" ".join(part for part in parts if part))


def _one_line(text: str) -> str:
    indent = len(text) - len(text.lstrip())
    return shown_name(text[:indent] + " ".join(text.split()))
