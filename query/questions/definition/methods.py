"""Choosing methods by their qualifiers and specializers, as one types them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ...syntax.objects.atoms import ObjectKey
from ...syntax.objects.eql import fault_in, is_eql, printed_object, typed_objects
from ...syntax.printed import items
from ...syntax.tokens import Tokens


class QualifiedMethod(Protocol):
    """The fields by which a method is chosen."""

    @property
    def qualifiers(self) -> str | None:
        """Its qualifiers, as printed."""

    @property
    def specializers(self) -> str | None:
        """Its specializers, as a printed list."""


@dataclass(frozen=True, slots=True)
class _Specializer:
    """A specializer as typed: its folded text, and the objects that it may mean if it is an EQL one."""

    text: str
    objects: frozenset[ObjectKey]

    def is_printed(self, text: str, fold: Callable[[str], str], tokens: Tokens) -> bool:
        """Whether the specializer of a method printed as ``text`` is this one."""
        if self.text == "_":
            return True
        if self.objects and (found := printed_object(text, tokens)) is not None:
            return found in self.objects
        return self.text == fold(text)


@dataclass(frozen=True, slots=True)
class WantedMethods:
    """The methods with certain qualifiers and specializers, such as ``(circle t)`` or ``:around circle``.

    The specializers are the first of a method's, after its qualifiers, if any are typed; ``_`` stands for any
    specializer. EQL specializers may be typed as sources write them, ``(eql 'car)``, or as they are printed.
    Packages are ignored: specializers are printed without them. ``fault`` says why the text cannot be read.
    """

    text: str
    qualifiers: list[str]
    specializers: list[_Specializer]
    fold: Callable[[str], str]
    tokens: Tokens
    fault: str | None

    @classmethod
    def typed(cls, text: str, fold: Callable[[str], str], upcase: Callable[[str], str]) -> WantedMethods:
        """Those that ``text`` names; ``fold`` and ``upcase`` are those of the index."""
        tokens = Tokens(upcase)
        text = text.strip()
        if not text.startswith("(") or is_eql(text, tokens):
            text = f"({text})"
        typed = items(text)
        classes = [one for one in typed if not one.startswith(":")]
        return cls(
            fold(text),
            [fold(one) for one in typed if one.startswith(":")],
            [
                _Specializer(fold(one), typed_objects(one, tokens))
                if one.startswith("(")
                else _Specializer(fold(one).rpartition(":")[2], frozenset())
                for one in classes
            ],
            fold,
            tokens,
            fault_in(text),
        )

    def has(self, method: QualifiedMethod) -> bool:
        """Whether ``method`` is one of them."""
        if self.fault is not None:  # what is printed of an object need not be readable
            return self.text == self.fold(method.specializers or "")
        own = items(method.specializers or "")
        if self.qualifiers and self.qualifiers != self.fold(method.qualifiers or "").split():
            return False
        return len(self.specializers) <= len(own) and all(
            wanted.is_printed(one, self.fold, self.tokens)
            for wanted, one in zip(self.specializers, own, strict=False)
        )
