"""The answer of problems, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc


@dataclass(frozen=True, slots=True)
class ProblemAnswer:
    """One thing that could not be loaded, read or placed."""

    owner: str = doc('"project" (what was indexed by name), "dependency" or "sbcl"')
    stage: str = doc("when: load, source (reading a file), location (finding a definition in it), and others")
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
    project: int = doc("number of problems of what was indexed by name")
    dependencies: int = doc("number of problems of other systems")
    sbcl: int = doc("number of problems of SBCL's own sources, which every index of it has")
    offset: int = doc("number of problems skipped")
    problems: list[ProblemAnswer] = doc("the problems: by owner, then what did not load, then in order")
