"""What a walk reports to its followers.

A walk calls these methods as it comes to each place, while its scope is that of the place. Here they do
nothing: a class that needs an event overrides its method.
"""

from __future__ import annotations

from functools import cache

from ..nodes import Form, Node
from .results import BLOCK, Binding, LeveledBinding


@cache
def _somewhere(kind: str) -> Binding:
    """A local name of which only the kind matters."""
    return Binding(0, 0, "", kind, 0, 0)


class Events:
    """The events of a walk."""

    # What is evaluated

    def calls(self, form: Form, head: Node, arguments: list[Node]) -> None:
        """A list that is evaluated, or may be; ``head`` names a global operator.

        Its arguments have not been walked yet.
        """

    def names_function(self, node: Node, form: Node) -> None:
        """The name of a global function, in ``form``: ``#'name``, ``(function name)``."""

    def evaluates(self, node: Node) -> None:
        """A symbol that is evaluated as a variable, and is bound nowhere around it."""

    def sets(self, node: Node) -> None:
        """The same for one that is set."""

    def changes(self, place: Form, form: Node) -> None:
        """A place with an operator that is written to in ``form``; it is not called as it stands there."""

    def defines_function(self, node: Node) -> None:
        """The name of a function that the form defines; its lambda list and body come after."""

    # What names something

    def note(self, node: Node | None, relation: str, operator: str | None = None) -> None:
        """A node that, if it is a symbol, names something global."""

    def note_if_certain(self, node: Node, relation: str) -> None:
        """The same, where the relation may not be certain."""

    def note_accessor(self, head: Node, *, changed: bool) -> None:
        """The accessor of a place that is written to; one that is ``changed`` is read first: a call."""

    def note_slot(self, node: Node | None) -> None:
        """The name of a slot."""

    def note_initarg(self, node: Node) -> None:
        """An initarg."""

    def note_designated(self, node: Node, package: str | None, relation: str) -> None:
        """A symbol of any kind, or a string, that designates a symbol of a package."""

    def note_datum(self, node: Node) -> None:
        """A symbol that is a part of data."""

    def skip(self, node: Node | None) -> None:
        """A node that names nothing global."""

    # Local names

    def bound(self, node: Node, kind: str, form: Node) -> Binding:
        """The place where ``form`` binds a local name."""
        return _somewhere(kind)

    def bound_implicitly(self, node: Node, form: Node) -> Binding:
        """The place of a global definition's name, which is also that of a block."""
        return _somewhere(BLOCK)

    def use(self, node: Node, entry: LeveledBinding | None) -> None:
        """A use of a local name; without an entry, its binding is unknown."""

    def sets_local(self, node: Node) -> None:
        """A local variable that is set; the call that reports it as used follows."""

    def doubt(self, node: Node) -> None:
        """A name that may or may not be one that is bound outside of a macro."""

    # What turns out to be something else

    def told(self) -> tuple[int, ...]:
        """How much has been reported that ``untell`` can take back."""
        return ()

    def untell(self, told: tuple[int, ...]) -> None:
        """The names reported as local since then are not local: the form is not what it seemed to be."""

    def forget(self, first: tuple[int, ...], last: tuple[int, ...], form: Node) -> None:
        """What was told between two moments means what it means elsewhere.

        Nobody knows which bindings its local names mean, if ``form`` has bound these names until the second
        moment, or anything has since.
        """
