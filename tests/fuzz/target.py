"""What the fuzzer tries: a part of the product that takes what others write, and cases for it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis.strategies import SearchStrategy

Check = Callable[[Any], None]
"""Tries one case; whatever it raises is a find."""


@dataclass(frozen=True, slots=True, repr=False)
class Target:
    """A part of the product, by its name.

    ``cases`` draws values that JSON can hold, so that a find can be kept as text. ``opened`` makes ready what
    they need, below a folder that cases may write to, and gives the function that tries one. ``short`` is
    the number of cases that each run of the tests tries; they may start the programs ``starts``.
    """

    name: str
    cases: SearchStrategy[Any]
    opened: Callable[[Path], AbstractContextManager[Check]]
    short: int = 60
    starts: tuple[str, ...] = ()
