"""catalog search: the exported symbols of all releases by words or by signature.

Search does the work; in a catalog it also looks at what releases and packages are called and are for. A
symbol that several versions of a release export is one match, with the newest of them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from oblist.indexer.names import words

from ...index.finding.phrases import any_of
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...questions.search.ask import ranked, search_match
from ...questions.search.by_words import RankedMatch
from ...questions.search.parameters import SearchParameters
from ...questions.search.vocabulary import concepts
from ...syntax.signature import split_query
from ..release_names import label
from . import sql
from .answer import CatalogMatch, CatalogSearchAnswer
from .parameters import CatalogSearchParameters
from .sql import AboutRow, ReleaseOfRow

_MOST_RELEASES, _MOST_VERSIONS = 3, 20
_FEW_WORDS = 2


@dataclass(slots=True)
class Group:
    """The matches that are one symbol in several versions of a release, the newest first."""

    match: RankedMatch
    release: ReleaseOfRow | None
    others: list[ReleaseOfRow] = field(default_factory=list)


def search(catalog: Reading, asked: CatalogSearchParameters) -> CatalogSearchAnswer | NotFound:
    """Answer catalog search."""
    query, limit, offset = asked.query, asked.limit, asked.offset
    found = ranked(catalog, SearchParameters(query))
    if isinstance(found, NotFound):
        return found
    groups = by_version(catalog, found.matches)
    page = groups[offset : offset + limit] if limit else groups[offset:]
    matches = [_answer(catalog, one) for one in page]
    return CatalogSearchAnswer(
        query, found.understood, len(groups), offset, releases_about(catalog, query), matches
    )


def releases_about(catalog: Reading, query: str) -> list[str]:
    """The releases that are called what is asked, or are about it; those that did not load, too."""
    if split_query(query) is not None:
        return []
    asked = concepts(words(catalog.fold(query)).split())
    forms = [any_of((one.word, *one.others)) for one in asked]
    questions = [" AND ".join(f"({one})" for one in forms)]
    if len(forms) > _FEW_WORDS:
        questions.append(" OR ".join(forms))
    for match in questions:
        rows = map(AboutRow._make, catalog.rows(sql.RELEASES_ABOUT, match=match, limit=_MOST_VERSIONS))
        if found := [label(row.name, row.version) for row in rows if row.newest]:
            return found[:_MOST_RELEASES]
    return []


def by_version(catalog: Reading, matches: list[RankedMatch]) -> list[Group]:
    """The matches, best first, each with the releases of one name that export it."""
    numbers = json.dumps([one.row.symbol for one in matches])
    releases = {
        row.symbol: row for row in map(ReleaseOfRow._make, catalog.rows(sql.RELEASES_OF, symbols=numbers))
    }
    groups: dict[tuple[object, ...], Group] = {}
    for match in matches:
        release = releases.get(match.row.symbol)
        key = (release.name if release else None, match.row.package, match.row.name, match.row.type)
        group = groups.get(key)
        if group is None:
            groups[key] = Group(match, release)
        elif release is not None:
            if release.newest and group.release is not None:
                group.others.append(group.release)
                group.match, group.release = match, release
            else:
                group.others.append(release)
    return list(groups.values())


def _answer(catalog: Reading, group: Group) -> CatalogMatch:
    found = search_match(catalog, group.match)
    release = group.release
    return CatalogMatch(
        name=found.name,
        package=found.package,
        written=found.written,
        type=found.type,
        release=label(release.name, release.version) if release else "",
        other_versions=[label(one.name, one.version) for one in group.others],
        match=found.match,
        summary=found.summary,
        signature=found.signature,
        why=found.why,
    )
