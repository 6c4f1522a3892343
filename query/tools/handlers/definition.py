"""The handler of symbol_definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from ...api import Index
from ...catalog.elsewhere import with_elsewhere
from ...index.finding.guessed import with_guess
from ...index.not_found import NotFound
from ...index.parameters import LONGEST
from ...index.shown import shown_name
from ...index.standpoint.seen_from import seen_lines
from ...questions.definition.answer import DefinitionTextAnswer
from ...questions.definition.names import split_at_commas
from ...questions.definition.parameters import DefinitionParameters
from ...questions.definition.text import definition_text
from ..answer import DefinitionsAnswer
from ..budget import budget_of, shortened, shortened_negative
from ..declared import asked
from ..listing import MORE
from ..results import json_bytes
from ..running.call import this_call
from ..vocabulary import Reply

ANSWERS = (DefinitionsAnswer, NotFound)
_NAME_SHOWN = 80  # characters of a name that appears twice in an answer
_ENVELOPE = 100  # characters of structured content around the answers


def symbol_definition(arguments: Mapping[str, Any]) -> Reply | tuple[None, str]:
    """Answer symbol_definition for one name after the other, as long as the answers fit."""
    given = arguments["symbols"]
    names = [
        name for part in ([given] if isinstance(given, str) else given) for name in split_at_commas(part)
    ]
    if not names:
        return None, "Parameter symbols: give names such as mapcar,alexandria:flatten."
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
    found = [answer for answer in answers if isinstance(answer, DefinitionTextAnswer)]
    notes = [f"{answer.note}." for answer in found if answer.note]
    notes += [note for answer in found if (note := _how_to_get_the_rest(answer))]
    notes += [line for answer in found for line in seen_lines(answer.seen_from)]
    notes += _digests(found)
    incomplete = next((answer.incomplete for answer in answers if answer.incomplete), None)
    outdated = "; ".join(dict.fromkeys(answer.outdated for answer in found if answer.outdated)) or None
    missing = names[len(answers) :]
    named = list(takewhile(room.take_name, missing))
    if missing:
        more = f" and {len(missing) - len(named)} more" if len(named) < len(missing) else ""
        shown = ", ".join(shown_name(name) for name in named)
        notes.append(
            f"Left out to stay within max_chars={budget}, ask for them in another call: {shown}{more}."
        )
    return Reply(
        "\n\n".join(texts), DefinitionsAnswer(answers, len(missing), named, incomplete, outdated), notes
    )


def _digests(answers: Sequence[DefinitionTextAnswer]) -> list[str]:
    """The note with the digests of the forms that may be edited, if there are any."""
    places = (
        f"{Path(one.path).name}:{one.line} {one.digest}"
        for answer in answers
        for one in answer.definitions
        if one.digest is not None and one.path is not None
    )
    digests = ", ".join(dict.fromkeys(places))
    return [f"Digests for edit_form: {digests}."] if digests else []


def _how_to_get_the_rest(answer: DefinitionTextAnswer) -> str | None:
    """How to go on after a text that was cut; None if nothing is missing."""
    if not answer.truncated:
        return None
    ends = [one.text_offset + one.text_length for one in answer.definitions]
    whole = sum(end <= len(answer.text) for end in ends)
    following = answer.offset + whole
    if not whole:
        return f"{shown_name(answer.written)}: for the rest of this definition, use a higher max_length."
    more = answer.total - following
    rest = f"for {more} more of its {answer.total} definitions, {MORE.format(offset=following)}"
    return f"{shown_name(answer.written)}: {rest}."


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
    wanted = asked(DefinitionParameters, arguments, name=name)
    most = max(1, min(wanted.max_length, room.text) if wanted.max_length else room.text)
    answer = this_call().ask(index, replace(wanted, max_length=most))
    if isinstance(answer, NotFound):
        answer = with_elsewhere(answer, name)
    contexts = arguments.get("contexts", False)

    def shown(answer: DefinitionTextAnswer | NotFound, name: str) -> str:
        return with_guess(answer, definition_text(answer, name, contexts=contexts))

    text = shown(answer, name)
    if isinstance(answer, NotFound) and not room.holds(text, answer):
        answer = shortened_negative(answer)
        text = shown(answer, shortened(name, _NAME_SHOWN))
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
        text = shown(answer, name)
    return text, answer
