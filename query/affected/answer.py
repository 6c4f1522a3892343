"""What a change affects, as data."""

from __future__ import annotations

from dataclasses import dataclass

from ..index.answer_field import doc


@dataclass(frozen=True, slots=True)
class ChangedForm:
    """A toplevel form that differs."""

    what: str = doc("changed, added or removed")
    names: list[str] = doc(
        "the names that it defines, as they stand in the text; the beginning of its text if it defines none"
    )
    path: str = doc("path of its file, relative to the folder of the project")
    line: int | None = doc("line where it begins in the new text, from 1; in the old text if it is gone")


@dataclass(frozen=True, slots=True)
class ReachedForm:
    """A toplevel form that the change can reach."""

    name: str = doc("the beginning of the form: its operator, and the name that it defines, if any")
    path: str = doc("path of its file, relative to the folder of the project")
    line: int = doc("line where it began when the index was built, from 1")
    distance: int = doc("number of steps from the change")
    why: list[str] = doc(
        "the chain of uses back to the change: the form that this one uses, then the form that that one "
        "uses, and so on"
    )
    test: str | None = doc("the framework, if it is a test")
    runs: list[str] = doc(
        "the names of the tests that the form defines, as the framework's runner takes them"
    )
    sure: bool = doc("false if a step is code that looks up names at run time, and so may use anything")


@dataclass(frozen=True, slots=True)
class AffectedAnswer:
    """What a change affects: the answer of affected."""

    changed: list[ChangedForm] = doc("the forms that differ")
    everything: list[str] = doc("why the change may affect everything; empty if there is no reason")
    looked_up: list[str] = doc("code that looks up names at run time, and so may use anything")
    tests_total: int = doc("number of tests that the project has")
    tests: list[ReachedForm] = doc("the tests that the change can reach, the nearest first")
    reached_total: int = doc("number of other forms that the change can reach")
    reached: list[ReachedForm] = doc("these forms, the nearest first, as many as were asked for")
    systems: list[str] = doc("the systems with code that the change can reach")
