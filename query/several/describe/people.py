"""The answer of describe from several indexes for people at a terminal; pure."""

from __future__ import annotations

from ...questions.describe.people import describe_people
from ...questions.styled import Line, plain
from ...questions.view import View
from .answer import SeveralDescribeAnswer
from .text import from_and_also


def several_describe_people(answer: SeveralDescribeAnswer, view: View) -> list[Line]:
    """The description, and a last line with the index that it is from and the others."""
    return [*describe_people(answer, view), *plain(from_and_also(answer))]
