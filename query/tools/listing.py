"""The tools that answer with a page of a list: as much as fits, or else counts of the whole list."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, ClassVar, Generic, TypeVar

from ..api import Index
from ..index.finding.guessed import with_guess
from ..index.not_found import NotFound
from ..index.parameters import Parameters
from .budget import budget_of, counted, fitting, left_out, most_that_fit, not_found
from .declared import asked
from .running.call import this_call
from .vocabulary import Reply

MORE = "call again with offset={offset}"
"""How to get the next page."""
_Answer = TypeVar("_Answer")


class Listing(ABC, Generic[_Answer]):
    """One call of a tool that lists items; each of these tools is a subclass.

    ``question`` is the class of the parameters of what it asks. Counts are of ``noun`` by ``counted_by``, and
    ``hint`` says how to get the list itself.
    """

    question: ClassVar[type[Parameters[Any]]]
    noun: ClassVar[str]
    hint: ClassVar[str] = "take a lower limit or a higher max_chars"
    counted_by: ClassVar[str] = "package"

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        self.arguments = arguments
        self.budget = budget_of(arguments)
        self.asked: Any = self.parameters()

    def parameters(self) -> Parameters[Any]:
        """The parameters of the question."""
        return asked(self.question, self.arguments)

    def ask(self, index: Index, parameters: Any) -> _Answer | NotFound:
        """A page of the list."""
        answer: _Answer | NotFound = this_call().ask(index, parameters)
        return answer

    @abstractmethod
    def text(self, answer: _Answer) -> str:
        """The answer as text."""

    @abstractmethod
    def subject(self, answer: _Answer) -> str:
        """The name or pattern that was asked about."""

    @abstractmethod
    def names(self, answer: _Answer) -> Sequence[str]:
        """For each item on the page, the name by which it is counted."""

    @abstractmethod
    def shorter(self, answer: _Answer, most: int) -> _Answer:
        """The answer with at most ``most`` items, and without the part that ``lacking`` names."""

    def lacking(self, _: _Answer) -> str:
        """The part that a shorter answer leaves out, with its verb; empty if it is not worth a note."""
        return "Documentation was"

    def heading(self, answer: _Answer) -> str:
        """The first line of the counts."""
        return self.text(answer).split("\n")[0]

    def length(self, answer: _Answer) -> int:
        """The number of items on the page."""
        return len(self.names(answer))

    def notes(self, _: _Answer, __: _Answer) -> Iterable[str]:
        """The notes of the second answer, which may be a shorter form of the first."""
        return ()

    def reply(self) -> Reply:
        """The first form of the answer that fits."""
        with this_call().index() as index:
            answer = self.ask(index, self.asked)
            if isinstance(answer, NotFound):
                return not_found(answer, self.budget, self.arguments.get("name", ""))
            return fitting([*self.grades(answer), partial(self._counts, index, answer)], self.budget)

    def grades(self, answer: _Answer) -> Sequence[Callable[[], Reply]]:
        """The whole answer, then a shorter one, then one with fewer items.

        A list whose text is too long is not shown in part, since counts say more about the rest.
        """
        length = self.length(answer)
        bare = cache(partial(self.bare, answer))

        def fewer() -> Reply:
            reply = bare(length)
            if len(reply.text) > self.budget:
                return reply
            return most_that_fit(bare, length, self.budget, least=1)

        return [partial(self.show, answer, answer), partial(bare, length), fewer]

    def show(self, answer: _Answer, shown: _Answer) -> Reply:
        """The reply that shows ``shown``, which is ``answer`` or a shorter form of it."""
        return Reply(with_guess(answer, self.text(shown)), shown, list(self.notes(answer, shown)))

    def bare(self, answer: _Answer, most: int) -> Reply:
        """The reply with a shorter answer, and a note that says what was left out."""
        reply = self.show(answer, self.shorter(answer, most))
        lacking = self.lacking(answer)
        return replace(reply, notes=[*reply.notes, left_out(lacking, self.budget)]) if lacking else reply

    def counts(self, index: Index) -> Counter[str]:
        """The numbers of items of the whole list, by the name by which they are counted."""
        everything = self.ask(index, self.whole())
        assert not isinstance(everything, NotFound)
        return Counter(self.names(everything))

    def whole(self) -> Any:
        """The parameters for the whole list."""
        return replace(self.asked, limit=0, offset=0)

    def _counts(self, index: Index, answer: _Answer) -> Reply:
        return counted(
            with_guess(answer, self.heading(answer)),
            self.subject(answer),
            self.noun,
            self.counted_by,
            self.counts(index),
            self.hint,
            self.budget,
        )
