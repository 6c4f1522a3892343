"""Findings as text for people: the summary comes last, where the eye is when the command ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..findings import CheckOutcome, SourceFinding
from ..rules.table import RULES
from .lines import line, on_a_line

_WORDS = {"error": "errors", "warning": "warnings", "info": "remarks"}
_FIRST = 3
_MANY = 6
# What keeps a file from being read comes before what fails when it is run.
_URGENCY = {rule: place for place, rule in enumerate(RULES)}


def text_report(outcome: CheckOutcome, *, statistics: bool) -> str:
    """The findings, then what was not checked, what to fix first, the counts by rule, and the summary."""
    return "\n".join(_lines(outcome, statistics=statistics))


def by_rule(outcome: CheckOutcome) -> dict[str, int]:
    """The numbers of findings, the rule with most of them first."""
    return dict(Counter(one.rule for one in outcome.findings).most_common())


def _lines(outcome: CheckOutcome, *, statistics: bool) -> Iterator[str]:
    yield from before_findings(outcome)
    yield from map(line, outcome.findings)
    yield from after_findings(outcome, statistics=statistics)


def before_findings(outcome: CheckOutcome) -> Iterator[str]:
    """What limits the findings as a whole."""
    if outcome.project_failed:
        yield "The project did not load, so only rules that need no knowledge of it were applied."


def after_findings(outcome: CheckOutcome, *, statistics: bool) -> Iterator[str]:
    """What was not checked, what to fix first, the counts by rule, and the summary."""
    yield from (f"not checked: {on_a_line(one.message)}" for one in outcome.not_checked)
    if len(outcome.findings) >= _MANY:
        yield "fix first: " + ", ".join(_place(one) for one in _worst(outcome))
    counts = by_rule(outcome)
    if statistics:
        yield from _statistics(outcome, counts)
    elif len(counts) > 1:
        yield "by rule: " + ", ".join(f"{rule} {number}" for rule, number in counts.items())
    if counts:
        yield f"More about a rule: oblist check --explain {next(iter(counts))}"
    yield _summary(outcome)


def _worst(outcome: CheckOutcome) -> list[SourceFinding]:
    """The findings most likely to break something, no two of the same rule in the same file."""
    ranked = sorted(outcome.findings, key=lambda one: (list(_WORDS).index(one.severity), _URGENCY[one.rule]))
    first: dict[tuple[str, str], SourceFinding] = {}
    for one in ranked:
        first.setdefault((one.path, one.rule), one)
    return list(first.values())[:_FIRST]


def _place(finding: SourceFinding) -> str:
    return f"{on_a_line(finding.path)}:{finding.line} ({finding.rule})"


def _statistics(outcome: CheckOutcome, counts: dict[str, int]) -> Iterator[str]:
    width = max(map(len, (*counts, "symbols with a prefix")))
    yield from (f"{rule:{width}} {number:>9,}" for rule, number in counts.items())
    judged = {
        "files": outcome.files,
        "characters": outcome.characters,
        "calls": outcome.calls,
        "symbols with a prefix": outcome.symbols,
        "files not checked": sum(len(one.files) for one in outcome.not_checked),
        "silenced": outcome.suppressed,
    }
    yield from (f"{what:{width}} {number:>9,}" for what, number in judged.items())


def _summary(outcome: CheckOutcome) -> str:
    counts = [
        (word, sum(one.severity == severity for one in outcome.findings)) for severity, word in _WORDS.items()
    ]
    counted = (
        ", ".join(f"{count} {word if count != 1 else word[:-1]}" for word, count in counts if count)
        or "no findings"
    )
    files = "1 file" if outcome.files == 1 else f"{outcome.files} files"
    silenced = f" ({outcome.suppressed} silenced)" if outcome.suppressed else ""
    return f"{counted} in {files}{silenced}"
