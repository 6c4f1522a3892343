"""The answer of forecast, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ..index.answer_field import doc


@dataclass(frozen=True, slots=True)
class BrokenLine:
    """A line that the new version breaks, or where it says that something is deprecated."""

    path: str = doc("absolute path of the file")
    line: int = doc("line, from 1")
    column: int = doc("column, from 1")
    length: int = doc("length of the text there that is at fault")
    sort: str = doc(
        "what breaks: a rule of check, or gone, kind, type, superclass, slot, initarg, method, system, "
        "conflict"
    )
    message: str = doc("what is wrong with the line, in a sentence")
    breaking: bool = doc("false if it goes on working, as with most deprecations")
    system: str | None = doc("the system of the file")
    suggestions: list[str] = doc("names that may take the place of one that is gone")


@dataclass(frozen=True, slots=True)
class UnjudgedChange:
    """A change of something that the code uses, of which nobody can tell whether it breaks a line."""

    written: str = doc("the changed name as typed")
    change: str = doc("sort of change, as `oblist diff` has it")
    message: str = doc("the change in a sentence")
    uses: int = doc("number of places that use the name")
    path: str | None = doc("absolute path of the file with the first of them")
    line: int | None = doc("line of the first of them, from 1")


@dataclass(frozen=True, slots=True)
class ForecastAnswer:
    """Which lines of a project break when a library gets another version: the answer of forecast."""

    release: str | None = doc("the release whose code was looked at; null for that of the index")
    library: str = doc("name of the library's system, or SBCL")
    old_version: str | None = doc("its version in the index")
    new_version: str | None = doc("the version that it would get")
    old: str = doc("path of the index")
    new: str = doc("path of the index of the new version")
    breaking: int = doc("number of places that break")
    files: int = doc("number of files with code that uses the library")
    uses: int = doc("number of places that use the library")
    note: str | None = doc("a caveat about the forecast")
    lines: list[BrokenLine] = doc("the places, by file, line and column")
    unjudged: list[UnjudgedChange] = doc("changes that may break code, of names that the code uses")
