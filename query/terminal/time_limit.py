"""How long a question from a command may take."""

from __future__ import annotations

import math
import os

import click

from ..asking import ANSWER_SECONDS

VARIABLE = "OBLIST_TIMEOUT"


def answer_seconds() -> float:
    """The seconds that an answer may take: $OBLIST_TIMEOUT, else what tools have. Raises UsageError."""
    text = os.environ.get(VARIABLE, "")
    if not text:
        return ANSWER_SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not seconds > 0:
        raise click.UsageError(f"{VARIABLE} must be a number of seconds above 0, not {text!r}.")
    return seconds
