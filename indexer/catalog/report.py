"""The report of a build: what became of the releases, which took longest, and why some failed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .graph import Work

_MOST_SHOWN = 5
_MOST_OF_A_REASON = 3
_CONDITION = re.compile(r"[A-Z][A-Z0-9-]*(?=: )")
_DEPENDS = "DEPENDENCY-NOT-LOADED"


@dataclass(frozen=True, slots=True)
class ReleaseReport:
    """What became of one release; ``seconds`` and ``bytes`` are those of its slice, whenever made."""

    name: str
    place: str
    state: str
    cached: bool
    seconds: float
    bytes: int
    problems: dict[str, str]


@dataclass(frozen=True, slots=True)
class Reason:
    """A condition that kept systems from loading: how many, and some of the releases."""

    condition: str
    systems: int
    releases: list[str]


@dataclass(frozen=True, slots=True)
class BuildReport:
    """The report of a build: ``path`` is the catalog, ``seconds`` the time that the build took."""

    path: str
    seconds: float
    made: int
    cached: int
    states: dict[str, int]
    slowest: list[ReleaseReport]
    largest: list[ReleaseReport]
    reasons: list[Reason]
    releases: list[ReleaseReport]

    @classmethod
    def of(cls, path: Path, seconds: float, releases: list[ReleaseReport]) -> BuildReport:
        """The report on ``releases``."""
        cached = sum(one.cached for one in releases)
        sound = [one for one in releases if one.bytes]
        return cls(
            str(path),
            round(seconds, 1),
            len(releases) - cached,
            cached,
            dict(Counter(one.state for one in releases)),
            sorted(sound, key=lambda one: (-one.seconds, one.place))[:_MOST_SHOWN],
            sorted(sound, key=lambda one: (-one.bytes, one.place))[:_MOST_SHOWN],
            _reasons(releases),
            releases,
        )


def build_report(path: Path, seconds: float, works: Sequence[Work]) -> BuildReport:
    """The report on ``works``."""
    return BuildReport.of(path, seconds, [_release(one) for one in works if one.outcome is not None])


def _release(work: Work) -> ReleaseReport:
    assert work.outcome is not None
    report = work.outcome.report
    return ReleaseReport(
        work.release.name,
        work.name,
        report.state,
        work.outcome.cached,
        report.seconds,
        report.size,
        report.failures,
    )


def _reasons(releases: Sequence[ReleaseReport]) -> list[Reason]:
    """The conditions, most frequent first; what only depends on what failed comes last."""
    found: dict[str, list[str]] = {}
    for release in releases:
        for problem in release.problems.values():
            said = _CONDITION.match(problem)
            found.setdefault(said[0] if said else "other", []).append(release.name)
    reasons = [
        Reason(condition, len(names), list(dict.fromkeys(names))) for condition, names in found.items()
    ]
    return sorted(reasons, key=lambda one: (one.condition == _DEPENDS, -one.systems, one.condition))


def report_text(report: BuildReport) -> str:
    """The report for people."""
    lines = [
        f"{counted_releases(len(report.releases))} in {duration(report.seconds)}: "
        f"{report.made:,} indexed, {report.cached:,} taken from the store"
    ]
    if report.made:
        shown = ", ".join(f"{one.name} {one.seconds:.1f} s" for one in report.slowest)
        lines.append(f"slowest: {shown}" if shown else "")
        shown = ", ".join(f"{one.name} {one.bytes / 1e6:.1f} MB" for one in report.largest)
        lines.append(f"largest: {shown}" if shown else "")
    if report.reasons:
        lines.append("did not load:")
        lines += [f"  {_reason_text(one)}" for one in report.reasons]
    return "\n".join(line for line in lines if line)


def _reason_text(reason: Reason) -> str:
    named = ", ".join(reason.releases[:_MOST_OF_A_REASON])
    more = len(reason.releases) - _MOST_OF_A_REASON
    systems = "1 system" if reason.systems == 1 else f"{reason.systems:,} systems"
    return f"{reason.condition}: {systems}, in {named}{f' and {more:,} more' if more > 0 else ''}"


def counted_releases(number: int) -> str:
    """A number of releases: ``1 release``, ``2,000 releases``."""
    return f"{number:,} release{'' if number == 1 else 's'}"


def duration(seconds: float) -> str:
    """A time for people: 45 s, 12 min, 3.5 h."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
