"""Handlers of the tools about one symbol: description, definitions, references, class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Any

from ...api import Index
from ...catalog.elsewhere import with_elsewhere
from ...index.not_found import NotFound
from ...index.shown import shown_name
from ...questions.classes.answer import ClassAnswer
from ...questions.classes.text import class_text
from ...questions.definition.answer import MAX_LENGTH, DefinitionTextAnswer
from ...questions.definition.text import definition_text
from ...questions.describe.answer import DescribeAnswer
from ...questions.describe.text import describe_text
from ...questions.examples.answer import ExamplesAnswer
from ...questions.examples.text import examples_text
from ...questions.xref.answer import XrefAnswer
from ...questions.xref.text import xref_text, xref_tree_text
from ..answer import DefinitionsAnswer
from ..budget import (
    budget_of,
    fitting,
    left_out,
    most_that_fit,
    not_found,
    shortened,
    shortened_negative,
)
from ..listing import MORE, Listing
from ..results import json_bytes
from ..running.call import this_call
from ..vocabulary import Reply

PACKAGE = "CL-USER"
DEFINITIONS_LIMIT = 20
REFERENCES_LIMIT = 50
TREE_LIMIT = 10
EXAMPLES_LIMIT = 5
MOST_CONTEXT = 100  # lines
CLASS_LIMIT = 50
LONGEST = 1_000  # negative answers repeat the name
_NAME_SHOWN = 80  # characters of a name that appears twice in an answer
_ENVELOPE = 100  # characters of structured content around the answers


class _Definitions(Listing[DescribeAnswer]):
    limit = DEFINITIONS_LIMIT
    noun = "definitions"
    counted_by = "kind"

    def ask(self, index: Index, limit: int, offset: int) -> DescribeAnswer | NotFound:
        name, package = self.arguments["name"], self.arguments.get("package", PACKAGE)
        return index.describe(name, package, limit=limit, offset=offset)

    def text(self, answer: DescribeAnswer) -> str:
        return describe_text(answer)

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
            return self.show(answer, replace(answer, definitions=answer.definitions[:most]))

        # The text does not list the definitions, so fewer of them do not change it.
        length = self.length(answer)
        fewer = [
            partial(most_that_fit, grade, length, self.budget, least=0)
            for grade in (first, partial(self.bare, answer))
        ]
        return [partial(self.show, answer, answer), *fewer]


def describe_symbol(arguments: Mapping[str, Any]) -> Reply:
    """Answer describe_symbol."""
    return _Definitions(arguments).reply()


class _Examples(Listing[ExamplesAnswer]):
    limit = EXAMPLES_LIMIT
    noun = "examples"
    counted_by = "system"

    def ask(self, index: Index, limit: int, _: int) -> ExamplesAnswer | NotFound:
        asked = self.arguments
        package, context = asked.get("package", PACKAGE), min(asked.get("context", 0), MOST_CONTEXT)
        return index.examples(asked["name"], package, limit=limit, context=context)

    def text(self, answer: ExamplesAnswer) -> str:
        return examples_text(answer)

    def subject(self, answer: ExamplesAnswer) -> str:
        return answer.written

    def names(self, answer: ExamplesAnswer) -> list[str]:
        return [one.system or "SBCL" for one in answer.examples]

    def shorter(self, answer: ExamplesAnswer, most: int) -> ExamplesAnswer:
        return replace(answer, examples=[replace(one, context=None) for one in answer.examples[:most]])

    def lacking(self, answer: ExamplesAnswer) -> str:
        return "Some context was" if self.arguments.get("context") and answer.examples else ""


def usage_examples(arguments: Mapping[str, Any]) -> Reply:
    """Answer usage_examples."""
    return _Examples(arguments).reply()


def describe_notes(answer: DescribeAnswer) -> Iterator[str]:
    """The facts that the text of describe, whose form is fixed, does not mention."""
    if answer.note:
        yield f"{answer.note}."
    if answer.value_note:
        yield f"{answer.value_note}."
    if answer.stale:
        yield f"{shown_name(answer.path or '')} changed since the index was built; line numbers may be off."
    if answer.stale_reason:
        yield f"{shown_name(answer.stale_reason)}."
    shown = answer.definitions_offset + len(answer.definitions)
    more = answer.definitions_total - shown
    if more > 0 and not answer.definitions:
        yield f"None of its {answer.definitions_total} definitions are shown: take a higher max_chars."
    elif more > 0:
        yield f"{more} more of its {answer.definitions_total} definitions: {MORE.format(offset=shown)}."


def symbol_definition(arguments: Mapping[str, Any]) -> Reply | tuple[None, str]:
    """Answer symbol_definition for one name after the other, as long as the answers fit."""
    from ...questions.definition.names import split_at_commas

    asked = arguments["symbols"]
    names = [
        name for part in ([asked] if isinstance(asked, str) else asked) for name in split_at_commas(part)
    ]
    if not names:
        return None, "Parameter symbols has no names. Give names such as mapcar,alexandria:flatten."
    if (longest := max(map(len, names))) > LONGEST:
        message = f"a name must have at most {LONGEST:,} characters, not {longest:,}."
        return None, f"Parameter symbols: {message}"
    budget = budget_of(arguments)
    room = _Room(budget, 2 * budget - _ENVELOPE)
    answers: list[DefinitionTextAnswer | NotFound] = []
    texts: list[str] = []
    with this_call().index() as index:
        for name in names:
            text, answer = _definition(index, name, arguments, room)
            if answers and not room.holds(text, answer):
                break
            room.take(text, answer)
            texts.append(text)
            answers.append(answer)
    notes = [
        f"{answer.note}." for answer in answers if isinstance(answer, DefinitionTextAnswer) and answer.note
    ]
    incomplete = next((answer.incomplete for answer in answers if answer.incomplete), None)
    missing = names[len(answers) :]
    named = list(takewhile(room.take_name, missing))
    if missing:
        more = f" and {len(missing) - len(named)} more" if len(named) < len(missing) else ""
        shown = ", ".join(shown_name(name) for name in named)
        notes.append(
            f"Left out to stay within max_chars={budget}, ask for them in another call: {shown}{more}."
        )
    return Reply("\n\n".join(texts), DefinitionsAnswer(answers, len(missing), named, incomplete), notes)


class _Room:
    """The characters left for the text and for the structured content."""

    def __init__(self, text: int, structured: int) -> None:
        self.text = text
        self.structured = structured

    def holds(self, text: str, answer: object) -> bool:
        return len(text) <= self.text and len(json_bytes(answer)) <= self.structured

    def take(self, text: str, answer: object) -> None:
        self.text = max(0, self.text - len(text) - len("\n\n"))
        self.structured = max(0, self.structured - len(json_bytes(answer)) - len(","))

    def take_name(self, name: str) -> bool:
        """Whether there is room to mention that ``name`` was left out."""
        self.structured -= len(json_bytes(name)) + len(",")
        return self.structured >= 0


def _definition(
    index: Index, name: str, arguments: Mapping[str, Any], room: _Room
) -> tuple[str, DefinitionTextAnswer | NotFound]:
    """The text and the answer for one name, within ``room`` as far as the headings allow."""
    max_length = arguments.get("max_length", MAX_LENGTH)
    answer = index.definition(
        name,
        arguments.get("package", PACKAGE),
        max_length=max(1, min(max_length, room.text) if max_length else room.text),
        package_details=arguments.get("include_package_details", False),
    )
    if isinstance(answer, NotFound):
        answer = with_elsewhere(answer, name)
    text = definition_text(answer, name)
    if isinstance(answer, NotFound) and not room.holds(text, answer):
        answer = shortened_negative(answer)
        text = definition_text(answer, shortened(name, _NAME_SHOWN))
    while isinstance(answer, DefinitionTextAnswer) and not room.holds(text, answer):
        # Headings, fences and places take room too, so whole lines of text are dropped to make room.
        over = max(len(text) - room.text, (len(json_bytes(answer)) - room.structured) // 2, 1)
        kept = answer.text[: max(0, len(answer.text) - over)].rpartition("\n")[0]
        if kept == answer.text == "":
            if answer.packages is None:
                break
            answer = replace(answer, packages=None)
        places = [place for place in answer.definitions if place.text_offset < len(kept)]
        answer = replace(answer, text=kept, truncated=True, definitions=places)
        text = definition_text(answer, name)
    return text, answer


class _References(Listing[XrefAnswer]):
    limit = REFERENCES_LIMIT
    noun = "references"
    hint = "name a relation, take a lower limit, or a higher max_chars"

    def ask(self, index: Index, limit: int, offset: int) -> XrefAnswer | NotFound:
        asked = self.arguments
        package, relation = asked.get("package", PACKAGE), asked.get("relation")
        callees = asked.get("callees", False)
        return index.xref(
            asked["name"], package, relation=relation, callees=callees, limit=limit, offset=offset
        )

    def text(self, answer: XrefAnswer) -> str:
        return xref_text(answer, MORE)

    def subject(self, answer: XrefAnswer) -> str:
        return answer.written

    def names(self, answer: XrefAnswer) -> list[str]:
        callees = self.arguments.get("callees", False)
        packages = (use.callee_package if callees else use.caller_package for use in answer.references)
        return [package or "no package" for package in packages]

    def counts(self, index: Index) -> Counter[str]:
        asked = self.arguments
        counts = index.xref_by_package(
            asked["name"],
            asked.get("package", PACKAGE),
            relation=asked.get("relation"),
            callees=asked.get("callees", False),
        )
        return Counter({package or "no package": number for package, number in counts.items()})

    def shorter(self, answer: XrefAnswer, most: int) -> XrefAnswer:
        return replace(answer, references=[replace(use, text=None) for use in answer.references[:most]])

    def lacking(self, _: XrefAnswer) -> str:
        return "The source lines were"


def find_references(arguments: Mapping[str, Any]) -> Reply | tuple[None, str]:
    """Answer find_references."""
    relation, callees = arguments.get("relation"), arguments.get("callees", False)
    if relation == "specializes" and "depth" in arguments:
        return None, "With relation=specializes, leave out depth: nothing specializes on methods."
    if "depth" in arguments:
        return _tree(arguments, relation, callees)
    return _References(arguments).reply()


def _tree(arguments: Mapping[str, Any], relation: str | None, callees: bool) -> Reply | tuple[None, str]:
    if "offset" in arguments:
        return None, "With depth, leave out offset: it is for lists."
    budget = budget_of(arguments)
    with this_call().index() as index:
        # A tree that is too long is asked for again, with fewer children per node.
        limit = arguments.get("limit", TREE_LIMIT)

        def grown(most: int) -> Reply:
            answer = index.xref_tree(
                arguments["name"],
                arguments.get("package", PACKAGE),
                relation=relation,
                callees=callees,
                depth=arguments["depth"],
                limit=most,
            )
            if isinstance(answer, NotFound):
                return not_found(answer, budget, arguments["name"])
            notes = [] if most == limit else [f"Shortened to limit={most} to stay within max_chars."]
            return Reply(xref_tree_text(answer), answer, notes)

        limits = [limit, *(most for most in (5, 3, 2, 1) if most < (limit or 6))]
        return fitting([partial(grown, most) for most in limits], budget)


class _Class(Listing[ClassAnswer]):
    limit = CLASS_LIMIT
    noun = "methods on it"

    def ask(self, index: Index, limit: int, offset: int) -> ClassAnswer | NotFound:
        name, package = self.arguments["name"], self.arguments.get("package", PACKAGE)
        return index.class_(name, package, limit=limit, offset=offset)

    def text(self, answer: ClassAnswer) -> str:
        return class_text(answer, MORE)

    def notes(self, answer: ClassAnswer, shown: ClassAnswer) -> Iterator[str]:
        if shown.note:
            yield f"{shown.note}."
        if others := len(answer.slots) - len(shown.slots):
            yield left_out(f"{others} of its {len(answer.slots)} slots were", self.budget)

    def subject(self, answer: ClassAnswer) -> str:
        return answer.written

    def names(self, answer: ClassAnswer) -> list[str]:
        return [method.package or "no package" for method in answer.methods]

    def length(self, answer: ClassAnswer) -> int:
        return max(len(answer.slots), len(answer.subclasses), len(answer.methods))

    def shorter(self, answer: ClassAnswer, most: int) -> ClassAnswer:
        return replace(
            answer,
            documentation=None,
            slots=[replace(slot, documentation=None) for slot in answer.slots[:most]],
            subclasses=answer.subclasses[:most],
            methods=answer.methods[:most],
        )


def describe_class(arguments: Mapping[str, Any]) -> Reply:
    """Answer describe_class."""
    return _Class(arguments).reply()
