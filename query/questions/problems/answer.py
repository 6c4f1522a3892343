"""The answer of problems, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc


@dataclass(frozen=True, slots=True)
class ProblemAnswer:
    """One thing that could not be loaded, read or located."""

    owner: str = doc('"project" (what was indexed by name), "dependency" or "sbcl"')
    stage: str = doc(
        "the stage at which it occurred: load, source (reading a file), location (finding a definition in a "
        "file), and others"
    )
    subject: str = doc("the system, file or definition")
    part: str = doc("what the subject is, or the part of it that is missing")
    condition: str = doc("type of the condition")
    message: str = doc("the condition's message")
    path: str | None = doc("absolute path of the file at fault")
    line: int | None = doc("line of the form at fault, from 1")


@dataclass(frozen=True, slots=True)
class ProblemsAnswer:
    """The problems of an index: those of the project first, SBCL's own last."""

    total: int = doc("number of problems, whatever the limit")
    project: int = doc("number of problems in what was indexed by name")
    dependencies: int = doc("number of problems in other systems")
    sbcl: int = doc("number of problems in SBCL's own sources; every index of that SBCL has these")
    offset: int = doc("number of problems skipped")
    problems: list[ProblemAnswer] = doc(
        "the problems, sorted by owner; for each, what did not load comes first"
    )
