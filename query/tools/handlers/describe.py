"""The handler of describe_symbol."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

from ...api import Index
from ...index.not_found import NotFound
from ...index.sentence import first_sentence
from ...index.shown import shown_name
from ...questions.describe.answer import DefinitionAnswer, DescribeAnswer
from ...questions.describe.text import describe_text
from ..answer import CountsAnswer
from ..budget import most_that_fit
from ..limits import DEFINITIONS_LIMIT, PACKAGE
from ..listing import MORE, Listing
from ..vocabulary import Reply

ANSWERS = (DescribeAnswer, CountsAnswer, NotFound)
_MOST_PACKAGES = 12


class _Definitions(Listing[DescribeAnswer]):
    limit = DEFINITIONS_LIMIT
    noun = "definitions"
    counted_by = "kind"

    def ask(self, index: Index, limit: int, offset: int) -> DescribeAnswer | NotFound:
        name, package = self.arguments["name"], self.arguments.get("package", PACKAGE)
        return index.describe(name, package, limit=limit, offset=offset)

    def text(self, answer: DescribeAnswer) -> str:
        return "\n".join([describe_text(answer), *further_lines(answer)])

    def notes(self, _: DescribeAnswer, shown: DescribeAnswer) -> Iterator[str]:
        return describe_notes(shown)

    def subject(self, answer: DescribeAnswer) -> str:
        return answer.written

    def names(self, answer: DescribeAnswer) -> list[str]:
        return [one.kind for one in answer.definitions]

    def shorter(self, answer: DescribeAnswer, most: int) -> DescribeAnswer:
        definitions = [replace(one, documentation=None) for one in answer.definitions[:most]]
        return replace(answer, documentation=None, definitions=definitions)

    def grades(self, answer: DescribeAnswer) -> list[Callable[[], Reply]]:
        def first(most: int) -> Reply:
            # Where no definition fits, documentation comes before a link.
            link = answer.manual if most else None
            return self.show(answer, replace(answer, definitions=answer.definitions[:most], manual=link))

        length = self.length(answer)
        fewer = [
            partial(most_that_fit, grade, length, self.budget, least=0)
            for grade in (first, partial(self.bare, answer))
        ]
        return [partial(self.show, answer, answer), *fewer]


def describe_symbol(arguments: Mapping[str, Any]) -> Reply:
    """Answer describe_symbol; with ``on``, about the methods that a call reaches."""
    if "on" in arguments:
        from .methods import reached_methods  # few calls need it

        return reached_methods(arguments)
    return _Definitions(arguments).reply()


def further_lines(answer: DescribeAnswer) -> Iterator[str]:
    """What a model needs to know besides the text of describe, whose form is fixed."""
    if answer.ftype:
        yield f"  Typed: {_one_line(answer.ftype)}"
    if any(package != answer.package for package in answer.exported_from):
        more = len(answer.exported_from) - _MOST_PACKAGES
        packages = ", ".join(map(shown_name, answer.exported_from[:_MOST_PACKAGES]))
        yield f"  Exported from: {packages}{f' and {more} more' if more > 0 else ''}"
    if answer.uses:
        yield f"  Used: {', '.join(f'{relation} {number}' for relation, number in answer.uses.items())}"
    if answer.definitions_total > 1 or any(one.deprecated for one in answer.definitions):
        yield f"  Definitions: {answer.definitions_total}"
        for path, group in groupby(answer.definitions, key=lambda one: one.path or one.recorded_path):
            if path is not None:
                yield f"    {shown_name(path)}"
            yield from (f"    {_definition(one, answer)}" for one in group)
    if answer.see_also:
        yield f"  See also: {', '.join(map(shown_name, answer.see_also))}"
    if answer.manual:
        yield f"  Manual: {answer.manual}"


def _definition(one: DefinitionAnswer, answer: DescribeAnswer) -> str:
    """The line of a definition: where it begins, its kind, and what it does not share with the name."""
    parts = ["" if one.line is None else f"  {one.line}", one.kind]
    if one.name != answer.name:
        parts.append(one.name)
    parts += [part for part in (one.qualifiers, one.specializers) if part]
    if one.kind != "method" and one.arglist not in (None, answer.arglist):
        parts.append(one.arglist or "")
    if one.value is not None and answer.value is None:
        parts.append(one.value)
    if one.deprecated:
        instead = f", use {one.replacement}" if one.replacement else ""
        parts.append(f"[deprecated: {one.deprecated}{instead}]")
    if one.documentation and one.documentation != answer.documentation:
        parts.append(f" {first_sentence(one.documentation)}")
    return _one_line(" ".join(part for part in parts if part))


def _one_line(text: str) -> str:
    indent = len(text) - len(text.lstrip())
    return shown_name(text[:indent] + " ".join(text.split()))


def describe_notes(answer: DescribeAnswer) -> Iterator[str]:
    """The remarks on a description."""
    if answer.note:
        yield f"{answer.note}."
    if answer.value_note:
        yield f"{answer.value_note}."
    if answer.stale_reason:
        yield f"{shown_name(answer.stale_reason)}."
    shown = answer.definitions_offset + len(answer.definitions)
    more = answer.definitions_total - shown
    if more > 0 and not answer.definitions:
        yield f"None of its {answer.definitions_total} definitions are shown: take a higher max_chars."
    elif more > 0:
        yield f"{more} more of its {answer.definitions_total} definitions: {MORE.format(offset=shown)}."
