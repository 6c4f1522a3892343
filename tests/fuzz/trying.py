"""Trying cases of a target, and keeping the smallest ones that something is wrong with."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzz.guarded import guarded
from fuzz.target import Check, Target
from hypothesis import HealthCheck, Phase, given, seed, settings

FINDS = Path(__file__).with_name("finds")
_ROUND = 250  # cases between two looks at the clock


@dataclass
class Tried:
    """How many cases were tried, and what is wrong: the smallest case, and what was raised."""

    cases: int = 0
    find: Any = None
    error: Exception | None = None


def finds_of(target: Target, folder: Path = FINDS) -> list[Any]:
    """The cases that something was wrong with once."""
    path = folder / f"{target.name}.json"
    return list(json.loads(path.read_text())) if path.exists() else []


def keep(target: Target, case: Any, folder: Path = FINDS) -> Path:
    """Add a case to those of its target; return the file that has it."""
    path = folder / f"{target.name}.json"
    every = [json.dumps(one) for one in [*finds_of(target, folder), case]]
    path.write_text("[\n  {}\n]\n".format(",\n  ".join(dict.fromkeys(every))))
    return path


def tried(
    target: Target,
    check: Check,
    folder: Path,
    cases: int,
    *,
    chance: int | None = None,
    waiting: bool = False,
) -> Tried:
    """Try so many cases, the same ones each time unless there is a ``chance``, until one is a find."""
    done = Tried()

    @settings(
        max_examples=cases,
        deadline=None,
        database=None,
        derandomize=chance is None,
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(target.cases)
    def one(case: Any) -> None:
        done.cases += 1
        try:
            with guarded(folder, target.starts, waiting=waiting):
                check(case)
        except Exception as error:
            done.find, done.error = case, error  # at last those of the smallest case
            raise

    try:
        (one if chance is None else seed(chance)(one))()
    except Exception as error:  # noqa: BLE001 - that of a case, or that of Hypothesis
        done.error = done.error or error
    return done


def fuzzed(
    target: Target, folder: Path, seconds: float, chance: int, tell: Callable[[int, float], None]
) -> Tried:
    """Try cases for so many seconds, or until one is a find; ``tell`` is told cases and seconds meanwhile."""
    began, total = time.monotonic(), Tried()
    with target.opened(folder) as check:
        while total.error is None and (spent := time.monotonic() - began) < seconds:
            tell(total.cases, spent)
            done = tried(target, check, folder, _ROUND, chance=chance, waiting=True)
            total = Tried(total.cases + done.cases, done.find, done.error)
            chance += 1
    return total
