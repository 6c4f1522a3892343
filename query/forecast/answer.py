"""The answer of forecast, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ..index.answer_field import doc


@dataclass(frozen=True, slots=True)
class BrokenLine:
    """A line that the new version breaks, or that uses something that it deprecates."""

    path: str = doc("absolute path of the file")
    line: int = doc("line, from 1")
    column: int = doc("column, from 1")
    length: int = doc("length of the text at fault")
    sort: str = doc(
        "what breaks: a rule of check, or gone, kind, type, superclass, slot, initarg, method, system, "
        "conflict"
    )
    message: str = doc("what is wrong with the line, in a sentence")
    breaking: bool = doc("false if the line goes on working, as with most deprecations")
    system: str | None = doc("the system of the file")
    suggestions: list[str] = doc("names that could replace one that is gone")


@dataclass(frozen=True, slots=True)
class UnjudgedChange:
    """A change to something that the code uses; it cannot be told whether it breaks a line."""

    written: str = doc("the changed name as typed")
    change: str = doc("sort of change, as `oblist diff` reports it")
    message: str = doc("the change in a sentence")
    uses: int = doc("number of places that use the name")
    path: str | None = doc("absolute path of the file with the first of these places")
    line: int | None = doc("line of the first of these places, from 1")


@dataclass(frozen=True, slots=True)
class ForecastAnswer:
    """Which lines of a project break when a library gets another version: the answer of forecast."""

    release: str | None = doc("the release whose code was examined; null for the code in the index")
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
    unjudged: list[UnjudgedChange] = doc("changes to names that the code uses, which may break it")
