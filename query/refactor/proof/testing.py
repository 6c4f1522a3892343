"""The tests of a project's systems, run in a copy of it by an SBCL of their own, and what they said."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from oblist.lisp.sbcl import SbclError, find_sbcl, lisp_string, run_sbcl

from ..errors import RefactorError

_SECONDS = 1_800.0
_WORDS = r"\b(?:pass|fail|error|check|test|ok|assert|success|skip)\w*"
_TELLING = re.compile(rf"\d.*{_WORDS}|{_WORDS}.*\d", re.IGNORECASE)
_TIME = re.compile(r"\d[\d.,]*(?:e-?\d+)?\s*(?:m?s|(?:sec|milli|micro)\w*|bytes|cycles)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TestRun:
    """How the tests of a system ended, and how often they printed each line that tells what they found."""

    __test__ = False  # pytest takes it for a test
    status: int
    lines: Counter[str]


def tested(
    copy: Path, systems: Sequence[str], fasls: Path, put_back: Callable[[str], str]
) -> dict[str, TestRun]:
    """Run ``asdf:test-system`` of each of the systems in a folder, with names put back in what they print.

    They are compiled into the folder ``fasls``; after a change, it must be another folder, since ASDF
    compares times in seconds. This runs the project's code. Raises RefactorError if they do not end.
    """
    here, there = lisp_string(f"{copy}/"), lisp_string(f"{fasls}/")
    setup = [
        "(require :asdf)",
        f"(asdf:initialize-source-registry '(:source-registry (:tree {here}) :inherit-configuration))",
        "(asdf:initialize-output-translations"
        f" '(:output-translations ({here} {there}) :inherit-configuration))",
    ]
    runs = {}
    for system in systems:
        forms = [*setup, f"(asdf:test-system {lisp_string(system)})", "(sb-ext:exit)"]
        try:
            status, printed = run_sbcl(find_sbcl(), forms, _SECONDS, os.environ, copy)
        except SbclError as error:
            raise RefactorError(f"the tests of {system} cannot be run: {error}") from error
        # Messages of the compiler have the names of folders and of what it makes there.
        printed_lines = (line.strip() for line in printed.splitlines() if not line.startswith(";"))
        told = (_TIME.sub("", put_back(line)) for line in printed_lines)
        runs[system] = TestRun(
            status, Counter(line for line in told if _TELLING.search(line) and str(copy) not in line)
        )
    return runs


def differences_of_tests(before: dict[str, TestRun], after: dict[str, TestRun]) -> Iterator[str]:
    """Yield what tests did differently."""
    for system, old in before.items():
        new = after[system]
        if old.status != new.status:
            ended = f"ended with code {new.status}, but with {old.status} before the change"
            yield f"the tests of {system} {ended}"
        for sign, lines in (("gone from", old.lines - new.lines), ("new in", new.lines - old.lines)):
            for line in lines:
                yield f"{sign} the test output of {system}: {line}"
