"""A file that asks the server: requests about it, and how it shows what comes back."""

from __future__ import annotations

from typing import Any

from lsprotocol.types import Position, Range

from support.editors.language_client import Conversation
from support.editors.texts import Texts
from support.markers.notation import Question
from support.markers.shown import Shown


class Asking:
    """One open file of a situation."""

    def __init__(self, talk: Conversation, texts: Texts, uri: str) -> None:
        self.talk = talk
        self.uri = uri
        self.shown = Shown(texts, uri)
        self._texts = texts

    def about(self, method: str, **more: Any) -> Any:
        """The answer to a request about the whole file. Raises ResponseFailedError."""
        return self.talk.request(method, {"textDocument": {"uri": self.uri}, **more})

    def at(self, question: Question, method: str, **more: Any) -> Any:
        """The answer to a request about the place of a question. Raises ResponseFailedError."""
        position = self.position(question)
        return self.talk.at(method, self.uri, position.line, position.character, **more)

    def position(self, question: Question) -> Position:
        """The place of a question as the server counts it."""
        assert question.column is not None, f"line {question.number}: {question.request} needs a place"
        return self._texts.in_line(self.uri, question.line, question.column)

    def columns(self, range_: dict[str, Any]) -> tuple[int, int]:
        """Where a range on one line of the file begins and ends, in characters from 0.

        One that goes on below ends at the end of the line.
        """
        start, end = self._texts.columns(
            self.uri, Range(Position(**range_["start"]), Position(**range_["end"]))
        )
        line = range_["start"]["line"]
        return start, end if range_["end"]["line"] == line else len(self._texts.lines(self.uri)[line])
