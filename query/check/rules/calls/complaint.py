"""A fault in a call, and what the rules about lambda lists have in common."""

from __future__ import annotations

from dataclasses import dataclass

from ....syntax.nodes import Atom
from ..walked import WalkFault, WalkRule


@dataclass(frozen=True, slots=True)
class Complaint:
    """A fault in a call; ``at`` is the argument at fault, None for the call itself.

    If it is ``sure``, it is a fault whatever macro is around the form: a macro may add arguments, but no more
    than that.
    """

    rule: WalkRule
    message: str
    at: Atom | None = None
    sure: bool = False


class LambdaListRule(WalkRule):
    """A rule whose messages show the lambda list that the arguments do not fit."""

    def message(self, fault: WalkFault) -> str:
        """The operator, what is wrong, and the lambda list."""
        calls = fault.operators.meaning(fault.symbol).calls
        shown = f"; its lambda list is {fault.nearest.lambda_list(calls.text)}" if calls is not None else ""
        return f"{fault.name}: {fault.detail}{shown}"
