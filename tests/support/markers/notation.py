"""Lisp files with markers: questions to the language server, and its answers, in comments below the lines.

    (defun area (shape) (* (width shape) 2))
    ;@                      ^ definition: (defun «width» (shape)

``;@`` asks about the line of Lisp above it, at the caret or at a text in quotes, or about the whole file. The
answer follows the colon; a longer one stands below, on lines that begin with ``;=``. Three sorts of markers
are no questions:

    ;@      ^^^^^ error[rule]: message     what the server finds by itself, below the line that it is in
    ;@ was: (defun area (form)             the line above when the index was made; if empty, there was none
    ;@ CRLF                                every line of the file ends with CR and LF
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ASKS, ANSWERS = ";@", ";="
APART = " | "
"""What is between the lines of an answer that may stand on one line, if there is room."""
_INDENTED = f"{ANSWERS}   "
_WIDTH = 110
_CRLF = f"{ASKS} CRLF"
_QUESTION = re.compile(
    rf"""(?P<asked>{ASKS}(?:[ ]*(?P<caret>\^)|[ ]*"(?P<words>[^"]*)")?
         [ ]+(?P<request>[a-z][a-z ]*?)(?:[ ]"(?P<argument>[^"]*)")?:)(?:[ ](?P<answer>.*))?""",
    re.VERBOSE,
)
_FINDING = re.compile(rf'{ASKS} *(?:\^+|"[^"]*") (?:error|warning|information)\[[a-z-]+\]: .*')
Answers = Mapping[int, Sequence[str]]


class MarkerError(ValueError):
    """A marker that cannot be read; the message names its file and line."""

    def __init__(self, path: Path, number: int, why: str) -> None:
        super().__init__(f"{path}:{number}: {why}")


@dataclass(frozen=True)
class Question:
    """A marker that asks: the line and column of the present text that it is about, both from 0.

    ``column`` is None when the question is about the file; ``number`` is the marker's own line, from 1.
    """

    number: int
    asked: str
    request: str
    argument: str | None
    line: int
    column: int | None


@dataclass(frozen=True)
class Finding:
    """A diagnostic: its extent in a line of the present text, and what it says."""

    line: int
    column: int
    length: int
    told: str


class MarkedFile:
    """A file with markers, taken apart."""

    def __init__(self, path: Path, requests: Mapping[str, bool]) -> None:
        """``requests`` says which ones there are, and whether each is about a place or about the file.

        Raises MarkerError for a marker that is not understood.
        """
        self.path = path
        self._requests = requests
        self.marked = path.read_bytes().decode("utf-8")
        self.questions: list[Question] = []
        self._findings = 0
        self._parts: list[str | Question | _Was] = []
        self._lines: list[str] = []
        self._indexed: list[str] = []
        self._end = "\n"
        self._read(self.marked.split("\n"))

    @property
    def present(self) -> str:
        """The Lisp alone, as it is open in the editor."""
        return self._end.join(self._lines)

    @property
    def indexed(self) -> str:
        """The Lisp as it was when the index was made."""
        return self._end.join(self._indexed)

    @property
    def expectations(self) -> int:
        """How many markers there are that the server may contradict."""
        return len(self.questions) + self._findings

    def _read(self, lines: list[str]) -> None:
        at = 0
        while at < len(lines):
            below = at + 1
            while below < len(lines) and lines[below].startswith(ANSWERS):
                below += 1
            if lines[at].startswith(ASKS):
                self._marker(at + 1, lines[at], lines[at + 1 : below])
            elif below > at + 1:
                raise MarkerError(self.path, at + 2, f"an answer ({ANSWERS}) without a question ({ASKS})")
            else:
                self._parts.append(lines[at])
                self._lines.append(lines[at])
                self._indexed.append(lines[at])
            at = below

    def _marker(self, number: int, line: str, below: list[str]) -> None:
        if line == _CRLF:
            self._end = "\r\n"
            self._parts.append(line)
        elif line.startswith(f"{ASKS} was:"):
            self._was(line, below)
        elif _FINDING.fullmatch(line):
            self._findings += 1
        else:
            question = self._question(number, line)
            self.questions.append(question)
            self._parts.append(question)

    def _was(self, line: str, below: list[str]) -> None:
        before = [line.partition("was: ")[2], *(one.removeprefix(_INDENTED) for one in below)]
        self._indexed[-1:] = before[1:] if not before[0] else before
        self._parts.append(_Was([line, *below]))

    def _question(self, number: int, line: str) -> Question:
        match = _QUESTION.fullmatch(line)
        if match is None:
            raise MarkerError(self.path, number, f"not a marker: {line}")
        request, argument = match["request"], match["argument"]
        if request not in self._requests:
            known = ", ".join(sorted(self._requests))
            raise MarkerError(self.path, number, f"there is no request {request!r}, only {known}")
        column = self._column(number, match)
        if (column is not None) != self._requests[request]:
            why = (
                "the file, not a place"
                if column is not None
                else "a place: put a caret or quoted text before it"
            )
            raise MarkerError(self.path, number, f"{request} is about {why}")
        return Question(number, match["asked"], request, argument, len(self._lines) - 1, column)

    def _column(self, number: int, match: re.Match[str]) -> int | None:
        above = self._lines[-1] if self._lines else ""
        if match["caret"]:
            if match.start("caret") >= len(above):
                raise MarkerError(self.path, number, "the caret is below nothing")
            return match.start("caret")
        words = match["words"]
        if words is None:
            return None
        if above.count(words) != 1:
            why = f"{words!r} must be in the line above once, and is there {above.count(words)} times"
            raise MarkerError(self.path, number, why)
        return above.index(words)

    def told(self, answers: Answers, findings: Sequence[Finding]) -> str:
        """The file with other answers, by the numbers of the questions' lines, and findings."""
        return "\n".join(self._told(answers, findings))

    def _told(self, answers: Answers, findings: Sequence[Finding]) -> Iterator[str]:
        line = -1
        for part in self._parts:
            if isinstance(part, Question):
                yield from _laid_out(part.asked, answers.get(part.number, ()))
            elif isinstance(part, _Was):
                yield from part.lines
            else:
                yield part
                if part != _CRLF:
                    line += 1
                    for one in (one for one in findings if one.line == line):
                        yield f"{_below(part, one)} {one.told}"


@dataclass(frozen=True)
class _Was:
    """A marker that says how the text was, as it is written."""

    lines: list[str]


def _laid_out(asked: str, answer: Sequence[str]) -> list[str]:
    """A question and its answer: on one line if there is room, else on lines below."""
    beside = f"{asked} {answer[0]}" if len(answer) == 1 else ""
    if beside and len(beside) <= _WIDTH:
        return [beside]
    below = answer[0].split(APART) if len(answer) == 1 else answer
    return [asked, *(f"{_INDENTED}{one}".rstrip() for one in below)]


def _below(line: str, finding: Finding) -> str:
    """Carets below the extent of a finding; where the marker itself is in the way, its text in quotes."""
    end = min(finding.column + finding.length, len(line))
    if finding.column < len(ASKS):
        return f'{ASKS} "{line[finding.column : end]}"'
    return ASKS.ljust(finding.column) + "^" * max(1, end - finding.column)
