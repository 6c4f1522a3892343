"""The tools that answer with a page of a list: as much as fits, or else counts of the whole list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, ClassVar, Generic, TypeVar

from ..api import Index
from ..asking import beside
from ..index.finding.guessed import with_guess
from ..index.not_found import NotFound
from ..index.parameters import Parameters
from .budget import budget_of, counts_reply, fitting, left_out, most_that_fit, not_found, shortened
from .declared import asked
from .running.call import this_call
from .vocabulary import Reply

MORE = "call again with offset={offset}"
"""How to get the next page."""
_Answer = TypeVar("_Answer")


class Listing(Generic[_Answer]):
    """One call of a tool that lists items; each of these tools is a subclass.

    ``question`` is the class of the parameters of what it asks. Of the answer, ``items`` is the field with
    the list, and ``subject`` that of what was asked about. A shorter answer lacks the fields ``omitted``, its
    items ``omitted_of_items``, and texts that it ``repeats`` are shortened. Counts are of ``noun`` by the
    field ``counted_by`` of items, with ``nowhere`` for None, and ``hint`` says how to get the list itself.
    ``pages`` are further arguments of the function that makes the text: how to get the next page. ``next``
    says in one sentence what is usually asked next.
    """

    question: ClassVar[type[Parameters[Any]]]
    noun: ClassVar[str]
    items: ClassVar[str]
    hint: ClassVar[str] = "use a lower limit or a higher max_chars"
    subject: ClassVar[str] = "written"
    counted_by: ClassVar[str] = "package"
    nowhere: ClassVar[str] = "no package"
    omitted: ClassVar[tuple[str, ...]] = ()
    omitted_of_items: ClassVar[tuple[str, ...]] = ()
    repeats: ClassVar[tuple[str, ...]] = ()
    pages: ClassVar[tuple[str, ...]] = (MORE,)
    next: ClassVar[str] = ""

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

    def text(self, answer: _Answer) -> str:
        """The answer as text."""
        text: str = beside(self.question, self.question.text_by[0])(answer, *self.pages)
        return text

    def names(self, answer: _Answer) -> Sequence[str]:
        """For each item on the page, the name by which it is counted."""
        return [getattr(one, self.counted_by) or self.nowhere for one in getattr(answer, self.items)]

    def shorter(self, answer: Any, most: int) -> Any:
        """The answer with at most ``most`` items, and without the part that ``lacking`` names."""
        bare = dict.fromkeys(self.omitted_of_items)
        items = [replace(one, **bare) if bare else one for one in getattr(answer, self.items)[:most]]
        repeated = {one: shortened(getattr(answer, one)) for one in self.repeats}
        return replace(answer, **dict.fromkeys(self.omitted), **repeated, **{self.items: items})

    def lacking(self, _: _Answer) -> str:
        """The part that a shorter answer leaves out, with its verb; empty if it is not worth a note."""
        return "Documentation was" if self.omitted or self.omitted_of_items else ""

    def heading(self, answer: _Answer) -> str:
        """The first line of the counts."""
        return self.text(answer).split("\n")[0]

    def length(self, answer: _Answer) -> int:
        """The number of items on the page."""
        return len(self.names(answer))

    def notes(self, _: _Answer, shown: _Answer) -> Iterable[str]:
        """The notes of the second answer, which may be a shorter form of the first."""
        return [f"{note}."] if (note := getattr(shown, "note", None)) else []

    def following(self, answer: _Answer) -> str:
        """A sentence that says what is usually asked after this answer; empty if nothing is."""
        return self.next if self.length(answer) else ""

    @classmethod
    def answered(cls, arguments: Mapping[str, Any]) -> Reply:
        """The first form of the answer that fits; the handler of the tool."""
        return cls(arguments).reply()

    def reply(self, *, alone: bool = True) -> Reply:
        """The first form of the answer that fits; one that stands ``alone`` ends with what to ask next."""
        with this_call().index() as index:
            answer = self.ask(index, self.asked)
            if isinstance(answer, NotFound):
                return not_found(answer, self.budget, self.arguments.get("name", ""))
            reply = fitting([*self.grades(answer), partial(self._counts, index, answer)], self.budget)
            if alone and (following := self.following(answer)):
                return replace(reply, notes=[*reply.notes, following])
            return reply

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
        return replace(self.asked, **{one: 0 for one in ("limit", "offset") if hasattr(self.asked, one)})

    def _counts(self, index: Index, answer: _Answer) -> Reply:
        return counts_reply(
            with_guess(answer, self.heading(answer)),
            getattr(answer, self.subject),
            self.noun,
            self.counted_by,
            self.counts(index),
            self.hint,
            self.budget,
        )
