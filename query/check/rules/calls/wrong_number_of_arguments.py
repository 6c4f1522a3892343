"""The rule wrong-number-of-arguments."""

from __future__ import annotations

from ...world.call_shape import CallShape
from .complaint import Complaint, LambdaListRule

RULE = LambdaListRule("wrong-number-of-arguments", "error", __file__)
WITHOUT_VALUE = Complaint(RULE, "a keyword has no value")


def complaint(shape: CallShape, given: int) -> Complaint | None:
    """The complaint about ``given`` arguments; None if a call of this shape takes them."""
    if given < shape.required or (given > shape.positional and not shape.unlimited):
        return Complaint(RULE, f"{_number(given)} given, {_expected(shape)} expected")
    return None


def _number(count: int) -> str:
    return "1 argument" if count == 1 else f"{count or 'no'} arguments"


def _expected(shape: CallShape) -> str:
    if shape.unlimited:
        return f"at least {shape.required}"
    if shape.optional:
        return f"{shape.required} to {shape.positional}"
    return f"{shape.required or 'none'}"
