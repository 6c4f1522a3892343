"""Which methods apply to arguments of given classes, and in which order (CLHS 7.6.6.1); pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...syntax.printed import items

ROLES = ("around", "before", "primary", "after")
_ROLES = {":AROUND": "around", ":BEFORE": "before", ":AFTER": "after"}
_OPTION = ":argument-precedence-order"
_FIRST = -1  # the rank of an EQL specializer, which is before that of all classes


@dataclass(frozen=True, slots=True)
class Specializer:
    """A specializer: the number of its class's symbol; or a printed EQL object, with that of its own class.

    ``eql_class`` is None if it is not known.
    """

    symbol: int | None
    eql: str | None
    eql_class: int | None = None


@dataclass(frozen=True, slots=True)
class Argument:
    """What is known of an argument: the classes that it belongs to, most specific first, and its values.

    ``may_be`` tells whether the argument can be the object of an EQL specializer.
    """

    classes: Sequence[int]
    may_be: Callable[[Specializer], bool]


@dataclass(frozen=True, slots=True)
class CalledMethod:
    """A method by its number, with its qualifiers and specializers."""

    number: int
    qualifiers: str | None
    specializers: Sequence[Specializer]

    @property
    def role(self) -> str:
        """Its role in a call; with qualifiers of other method combinations, it counts as primary."""
        return _ROLES.get(self.qualifiers or "", "primary")

    @property
    def has_eql(self) -> bool:
        """Whether it has an EQL specializer, so that classes alone do not decide."""
        return any(one.eql is not None for one in self.specializers)


def reached(
    methods: Sequence[CalledMethod], arguments: Sequence[Argument], order: Sequence[int]
) -> list[CalledMethod]:
    """Return the methods that apply, by role, the most specific of each role first.

    ``order`` has the positions of the required arguments, in their order of precedence.
    """
    ranks = [{symbol: rank for rank, symbol in enumerate(one.classes)} for one in arguments]

    def rank(method: CalledMethod, position: int) -> int | None:
        one = method.specializers[position]
        if one.eql is not None:
            return _FIRST if arguments[position].may_be(one) else None
        return None if one.symbol is None else ranks[position].get(one.symbol)

    found: list[tuple[int, list[int], CalledMethod]] = []
    for method in methods:
        if len(method.specializers) != len(order):
            continue
        own = [rank(method, position) for position in order]
        known = [one for one in own if one is not None]
        if len(known) == len(own):
            found.append((ROLES.index(method.role), known, method))
    return [method for _, _, method in sorted(found, key=lambda one: one[:2])]


def argument_order(text: str, parameters: Sequence[str], fold: Callable[[str], str]) -> list[int]:
    """Return the positions of the required arguments in order of precedence, from the form ``text``."""
    plain = list(range(len(parameters)))
    own = [fold(one) for one in parameters]
    for option in items(text):
        parts = [fold(one) for one in items(option)]
        if parts[:1] == [_OPTION]:
            named = [own.index(name) for part in parts[1:] if (name := part.rpartition(":")[2]) in own]
            return named if sorted(named) == plain else plain
    return plain
