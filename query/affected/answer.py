"""What a change touches, as data."""

from __future__ import annotations

from dataclasses import dataclass

from ..index.answer_field import doc


@dataclass(frozen=True, slots=True)
class ChangedForm:
    """A toplevel form that differs."""

    what: str = doc("changed, added or removed")
    names: list[str] = doc("What it defines, as one types it; what its text begins with, if that is nothing")
    path: str = doc("Its file, from the folder of the project on")
    line: int | None = doc("The line where it begins in the new text, from 1; in the old text if it is gone")


@dataclass(frozen=True, slots=True)
class ReachedForm:
    """A toplevel form that the change can reach."""

    name: str = doc("What it defines, as one types it; what its text begins with, if that is nothing")
    path: str = doc("Its file, from the folder of the project on")
    line: int = doc("The line where it began when the index was built, from 1")
    distance: int = doc("How many steps it is away from the change")
    why: list[str] = doc("The path of uses, from what uses the changed code to what this form uses")
    test: str | None = doc("The framework, if it is a test")
    runs: list[str] = doc("The names that the framework's runner takes, of what a test's form defines")
    sure: bool = doc("False if a step is code that looks names up at run time, and so may use anything")


@dataclass(frozen=True, slots=True)
class AffectedAnswer:
    """What a change touches."""

    changed: list[ChangedForm] = doc("The forms that differ")
    everything: list[str] = doc("Why the change may reach everything; empty if it does not")
    looked_up: list[str] = doc("The code that looks up names at run time, which may use anything")
    tests_total: int = doc("Number of tests that the project has")
    tests: list[ReachedForm] = doc("The tests that the change can reach, the nearest first")
    reached_total: int = doc("Number of other forms that the change can reach")
    reached: list[ReachedForm] = doc("These forms, the nearest first, as many as were asked for")
    systems: list[str] = doc("The systems with code that the change can reach")
