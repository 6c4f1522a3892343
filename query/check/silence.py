"""Silencing findings: by a comment in the file, or with a baseline."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from oblist.indexer.target import TargetError, target
from oblist.lisp.unfinished import replace_file

from ..syntax.lexemes import comments
from .errors import CheckError
from .findings import SourceFinding
from .rules.table import RULES
from .rules.text.unknown_rule import UnknownRule
from .settings import Settings

_MARK = "oblist: ignore"
# A comment that begins with the directive; the reason for it may follow, after a mark.
_DIRECTIVE = r"""\s*+oblist:\ ignore(?P<file>-file)?(?:\[(?P<rules>[^\]\n]*)\])?
                 (?=\s*(?:\|\#|-->|$)|\s+[-–—(]|[:;,.])"""
_LISP = re.compile(rf"(?:;++|\#\|){_DIRECTIVE}", re.VERBOSE)
_PROSE = re.compile(rf"(?:<!--|\#|;++|\#\|){_DIRECTIVE}", re.VERBOSE)
_BEFORE_PROSE = re.compile(r"\s*(?:<!--|\#(?!\|))")
_COMMENT_LINE = re.compile(r"\s*(?:;|<!--|$)")
_FENCE = re.compile(r"\s*(?:```|~~~|#\+begin_)", re.IGNORECASE)
# A block also ends where another begins.
_FENCE_END = re.compile(r"\s*(?:```|~~~|#\+(?:end|begin)_)", re.IGNORECASE)
_VERSION = 1


def _unknown(rules: set[str], number: int, line: str) -> Iterator[UnknownRule]:
    for name in sorted(rules - RULES.keys()):
        yield UnknownRule(name, number, line.index(name, line.index(_MARK)) + 1)


class Silenced:
    """The comments of one file that silence rules: ``; oblist: ignore[rule]``.

    Only a comment that is the directive counts: not one that mentions it, and no string that has it.
    """

    def __init__(self, text: str, *, prose: bool = False) -> None:
        """``prose`` may show such a comment rather than be one."""
        self._everywhere: set[str] = set()
        self._lines: dict[int, set[str]] = {}
        self.unknown: list[UnknownRule] = []
        """The rules that do not exist, in comments that are certainly meant to silence findings."""
        if _MARK not in text:
            return
        lines = text.split("\n")
        following = _following(lines)
        below: dict[int, set[str]] = {}
        for number, column, match in _in_prose(lines) if prose else _in_lisp(text):
            line = lines[number - 1]
            rules = _rules(match["rules"])
            alone = not line[:column].strip()
            if alone or not prose:
                self.unknown += _unknown(rules, number, line)
            if match["file"]:
                self._everywhere |= rules
            elif alone:
                below.setdefault(following[number], set()).update(rules)
            else:
                self._lines.setdefault(number, set()).update(rules)
        for at, rules in below.items():
            for covered in _covered(lines, at):
                self._lines.setdefault(covered, set()).update(rules)

    def silences(self, finding: SourceFinding) -> bool:
        """Whether a comment silences the finding."""
        return finding.rule in self._everywhere or finding.rule in self._lines.get(finding.line, ())


def _in_lisp(text: str) -> Iterator[tuple[int, int, re.Match[str]]]:
    """Yield the line, the column from 0 and the directive of each comment that is one."""
    line, line_start = 1, 0
    for start, comment in comments(text):
        if match := _LISP.match(comment):
            line += text.count("\n", line_start, start)
            line_start = text.rfind("\n", 0, start) + 1
            yield line, start - line_start, match


def _in_prose(lines: list[str]) -> Iterator[tuple[int, int, re.Match[str]]]:
    """Yield the same for a document; there, a directive for the whole file in fenced code is only shown."""
    fenced = False
    for number, line in enumerate(lines, 1):
        fenced = not _FENCE_END.match(line) if fenced else bool(_FENCE.match(line))
        match = _PROSE.search(line) if _MARK in line else None
        if match is not None and not (match["file"] and (fenced or not _BEFORE_PROSE.match(line))):
            yield number, match.start(), match


def _rules(written: str | None) -> set[str]:
    if written is None:
        return set(RULES)
    return {name.strip() for name in written.split(",")}


def _following(lines: list[str]) -> list[int]:
    """For each line, counted from 0, the first line at or after it that is not a comment."""
    found = [len(lines)] * (len(lines) + 1)
    for at in range(len(lines) - 1, -1, -1):
        found[at] = found[at + 1] if _COMMENT_LINE.match(lines[at]) else at
    return found


def _covered(lines: list[str], at: int) -> range:
    """The line numbers, from 1, that a comment above ``lines[at]`` covers: that line, or its fenced block."""
    end = at + 1
    if at < len(lines) and _FENCE.match(lines[at]):
        while end < len(lines) and not _FENCE_END.match(lines[end]):
            end += 1
    return range(at + 1, end + 1)


class Baseline:
    """The known findings: a check with a baseline reports only new ones.

    Findings are compared by file, rule and message, and counted; their lines may change.
    """

    def __init__(self, known: Counter[tuple[str, str, str]]) -> None:
        self._known = known

    def new(self, findings: Iterable[SourceFinding], settings: Settings) -> list[SourceFinding]:
        """The findings that are not in the baseline, or occur more often than in it."""
        left = Counter(self._known)
        found = []
        for finding in findings:
            key = _key(finding, settings)
            if left[key] > 0:
                left[key] -= 1
            else:
                found.append(finding)
        return found


def _key(finding: SourceFinding, settings: Settings) -> tuple[str, str, str]:
    return settings.relative(finding.path), finding.rule, finding.message


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file. Raises CheckError."""
    try:
        written: Any = json.loads(path.read_text(encoding="utf-8"))
        if written["version"] != _VERSION:
            found = f"{path}: the baseline has version {written['version']}, not {_VERSION}"
            raise CheckError(f"{found}; write a new one with --write-baseline.")
        known = {(one["path"], one["rule"], one["message"]): int(one["count"]) for one in written["findings"]}
    except OSError as error:
        raise CheckError(f"{path}: the baseline cannot be read ({error.strerror}).") from error
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise CheckError(f"{path} is not a baseline; write one with --write-baseline.") from error
    return Baseline(Counter(known))


def _is_baseline(path: Path) -> bool:
    """Whether the file at ``path`` is a baseline of any version."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and {"version", "findings"} <= found.keys()


def write_baseline(
    path: Path, findings: Iterable[SourceFinding], settings: Settings, *, overwrite: bool = False
) -> int:
    """Write the findings as a baseline, and return their number.

    Raises CheckError, also if there is a file that is not a baseline, unless it may be replaced
    (``overwrite``).
    """
    counted = Counter(_key(finding, settings) for finding in findings)
    rows = [
        {"path": where, "rule": rule, "message": message, "count": count}
        for (where, rule, message), count in sorted(counted.items())
    ]
    text = json.dumps({"version": _VERSION, "findings": rows}, indent=1) + "\n"
    try:
        replace_file(target(path, "a baseline", _is_baseline, overwrite=overwrite), text.encode())
    except TargetError as error:
        raise CheckError(str(error)) from error
    except OSError as error:
        raise CheckError(f"{path}: the baseline cannot be written ({error.strerror}).") from error
    return sum(counted.values())
