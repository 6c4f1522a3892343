"""Where SBCL's compiler finds variables bound: the oracle of the walk's local bindings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from oblist.lisp.sbcl import Sbcl
from support.live import read_lines, run_script, write_lines

_SECONDS = 1500


@dataclass(frozen=True, order=True)
class Place:
    """A place that names a symbol, in a toplevel form of a file that is read in a package."""

    path: str
    form: int
    start: int
    package: str


@dataclass(frozen=True)
class Verdict:
    """Whether the compiler met a bound, free or no variable (unmet) there, or could not be asked (unread)."""

    kind: str
    bound: int | None
    """Where a symbol of the text binds it."""


def bound_places(
    sbcl: Sbcl, systems: Sequence[str], places: Sequence[Place], folder: Path
) -> dict[Place, Verdict]:
    """Ask the compiler of an image with ``systems`` about each place."""
    asked, answered = folder / "binding-questions", folder / "binding-answers"
    in_order = sorted(places)
    write_lines(asked, [(one.path, one.package, str(one.form), str(one.start)) for one in in_order])
    script = "binding_oracle.lisp"
    run_script(sbcl, script, systems=systems, seconds=_SECONDS, questions=asked, answers=answered)
    answers = {}
    for place, (kind, bound) in zip(in_order, read_lines(answered), strict=True):
        assert kind is not None
        answers[place] = Verdict(kind, int(bound) if bound is not None else None)
    return answers
