"""search of several indexes: the matches of all of them, each symbol once.

Each index's own order is kept. Between indexes the kind of match decides, then the place in its own index's
answer, then the order of the indexes. A match counts as no better than those before it in its own index:
search puts an internal name below exported ones that match slightly worse, and that must hold here too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ...catalog.release_names import label
from ...catalog.search.ask import Group, by_version, releases_about
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.shown import shown_name
from ...index.written import written
from ..merging import extended, missing, none_has
from .ask import Ranked, ranked, search_match
from .by_words import MATCHES, RankedMatch
from .parameters import SearchParameters
from .several_answer import SeveralSearchAnswer, SeveralSearchMatch

_STEPS = {kind: step for step, kind in enumerate(MATCHES)}


class _Entry(NamedTuple):
    """A match of one index, after its sort key: its step, its place, and the place of its index."""

    step: int
    place: int
    number: int
    reading: Reading
    group: Group


def search_in_several(readings: Sequence[Reading], asked: SearchParameters) -> SeveralSearchAnswer | NotFound:
    """Answer search from all ``readings``."""
    query, offset = asked.words, asked.offset
    answers = [(one, ranked(one, asked)) for one in readings]
    found = [(one, answer) for one, answer in answers if not isinstance(answer, NotFound)]
    refusals = [(one, answer) for one, answer in answers if isinstance(answer, NotFound)]
    if not found:
        return none_has(refusals)
    symbols = _union(_entries(found))
    page = symbols[offset : offset + asked.limit if asked.limit else None]
    counts = Counter(path for entries in symbols for path in _paths(entries))
    catalog = next((one for one in readings if one.is_catalog), None)
    reasons = [f"{shown_name(str(one.path))}: {answer.message}" for one, answer in refusals]
    return SeveralSearchAnswer(
        query=query,
        understood=_understood([answer for _, answer in found]),
        total=len(symbols),
        offset=offset,
        indexes={str(one.path): counts[str(one.path)] for one in readings},
        catalog=str(catalog.path) if catalog else None,
        releases=releases_about(catalog, query) if catalog else [],
        matches=[_match(entries) for entries in page],
        note="; ".join(reasons) or None,
        incomplete=None if symbols else missing((one, None) for one in readings),
    )


def _entries(found: Sequence[tuple[Reading, Ranked]]) -> list[_Entry]:
    """The matches of all, in the order of the answer."""
    entries = []
    for number, (reading, answer) in enumerate(found):
        step = 0
        for place, group in enumerate(_groups(reading, answer.matches)):
            step = max(step, _step(group.match))
            entries.append(_Entry(step, place, number, reading, group))
    return sorted(entries, key=lambda entry: entry[:3])


def _groups(reading: Reading, matches: list[RankedMatch]) -> list[Group]:
    """The matches of one of them; in a catalog, the versions of a release that have one are together."""
    return by_version(reading, matches) if reading.is_catalog else [Group(one, None) for one in matches]


def _step(match: RankedMatch) -> int:
    """The place of its kind on the ladder; those by signature are all of one kind."""
    return _STEPS.get(match.kind, 0)


def _union(entries: Sequence[_Entry]) -> list[list[_Entry]]:
    """The entries of each symbol, the best first."""
    symbols: dict[tuple[str, str], list[_Entry]] = {}
    for one in entries:
        row = one.group.match.row
        status = "external" if row.exported else "internal"
        key = written(one.reading, row.name, row.package, status), row.type
        symbols.setdefault(key, []).append(one)
    return list(symbols.values())


def _paths(entries: Sequence[_Entry]) -> list[str]:
    """The paths of the indexes of one symbol; in a catalog, several releases may have it."""
    return list(dict.fromkeys(str(one.reading.path) for one in entries))


def _understood(answers: Sequence[Ranked]) -> str:
    """How the query was interpreted where it found the best kind of match.

    Elsewhere it may be said that nothing matches all of the words.
    """

    def best(answer: Ranked) -> int:
        return min((_step(one) for one in answer.matches), default=len(_STEPS))

    return min(answers, key=best).understood


def _match(entries: Sequence[_Entry]) -> SeveralSearchMatch:
    first = entries[0]
    releases = [
        label(one.name, one.version)
        for entry in entries
        for one in (entry.group.release, *entry.group.others)
        if one is not None
    ]
    return extended(
        SeveralSearchMatch,
        search_match(first.reading, first.group.match),
        indexes=_paths(entries),
        releases=list(dict.fromkeys(releases)),
    )
