"""xref of several indexes: the uses in all of them, each once, and the releases that use the name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from ...catalog.release_names import label
from ...catalog.sql import USERS_OF, UserRow
from ...index.not_found import NotFound
from ...index.present.carried import PresentFile, carried
from ...index.present.files import present_file
from ...index.present.outdated import outdated_text
from ...index.reading import Reading
from ...index.shown import shown_name
from ...index.tests import files_of_tests
from ..merging import extended, missing, none_has
from .answer import ReferenceAnswer
from .ask import ask, calls_of_next_methods, uses_of_other_names, why_none, written_form
from .parameters import XrefParameters
from .several_answer import ReleaseUses, SeveralReferenceAnswer, SeveralXrefAnswer
from .sql import UseRow
from .union import AskedIndex, Use, callees_of, callers_of, union


def xref_of_several(readings: Sequence[Reading], wanted: XrefParameters) -> SeveralXrefAnswer | NotFound:
    """Answer xref from all ``readings``."""
    relation, callees, limit, offset = wanted.relation, wanted.callees, wanted.limit, wanted.offset
    indexes = [one for one in readings if not one.is_catalog]
    questions = [(one, ask(one, wanted, both=True)) for one in indexes]
    asked = [AskedIndex(one, that) for one, that in questions if not isinstance(that, NotFound)]
    if not asked:
        return none_has([(one, that) for one, that in questions if isinstance(that, NotFound)])
    uses = _in_tests_or_not(wanted.tests, union(asked))
    first = asked[0].question
    counts = Counter(str(one.index.path) for use in uses for one in use.having)
    catalog = next((one for one in readings if one.is_catalog), None)
    releases = _releases(catalog, asked[0]) if catalog and not callees and relation is None else []
    references, outdated = _as_now(
        asked, _references(uses[offset : offset + limit] if limit else uses[offset:])
    )
    return SeveralXrefAnswer(
        name=first.name,
        package=first.found.home,
        written=written_form(asked[0].index, first),
        relation=relation,
        direction=first.direction,
        total=len(uses),
        callers=None if callees else callers_of([use for use in uses if use.relation in first.counted]),
        callees=callees_of(uses) if callees else None,
        offset=offset,
        relations=dict(Counter(use.relation for use in uses)),
        other_names={} if callees or relation else uses_of_other_names(asked[0].index, first),
        next_methods=calls_of_next_methods(asked[0].index, first),
        in_tests=0 if callees else len(_in_tests_or_not("only", uses)),
        left_out=_left_out(asked, uses) if wanted.tests is None else 0,
        indexes={str(one.path): counts[str(one.path)] for one in indexes},
        reason=None if uses else _reason(asked),
        note=_note(asked),
        references=references,
        catalog=str(catalog.path) if catalog else None,
        releases_total=len(releases),
        releases=releases[:limit] if limit else releases,
        incomplete=missing(((one, None) for one in indexes), of_uses=True),
        outdated=outdated,
    )


def _in_tests_or_not(tests: str | None, uses: list[Use]) -> list[Use]:
    """The uses that ``tests`` asks for: those by code of test systems, or all others."""
    if tests is None:
        return uses
    files = {one.asked: files_of_tests(one.asked.index) for one in uses}
    return [one for one in uses if (one.row.file in files[one.asked]) == (tests == "only")]


def _as_now(
    asked: Sequence[AskedIndex], references: list[SeveralReferenceAnswer]
) -> tuple[list[ReferenceAnswer], str | None]:
    """The references where they are now, and which files have changed since their indexes were built."""
    readings = {str(one.index.path): one.index for one in asked}
    paths: dict[str, Reading] = {
        one.path: readings[one.indexes[0]] for one in references if one.path is not None
    }
    states: dict[str, str] = {}
    for path, reading in paths.items():
        states |= reading.source_states([path])
    if not states:
        return [*references], None

    def present(path: str) -> PresentFile | None:
        return present_file(paths[path], path)

    now = [carried(one, present) for one in references]
    return [one.answer for one in now], outdated_text(
        list(paths), states, present, sum(one.gone for one in now)
    )


def _left_out(asked: Sequence[AskedIndex], uses: Sequence[Use]) -> int:
    """The number of callees' uses that are not by the name's own code."""
    if all(one.question.companions is None for one in asked):
        return 0
    return len(union([AskedIndex(one.index, one.question._replace(companions=None)) for one in asked])) - len(
        uses
    )


def _releases(catalog: Reading, asked: AskedIndex) -> list[ReleaseUses]:
    """The releases that use the symbol, those that use it most first."""
    found = asked.question.found
    rows = map(UserRow._make, catalog.rows(USERS_OF, package=found.home, name=found.name))
    return [ReleaseUses(label(row.release, row.version), row.uses) for row in rows]


def _references(uses: Sequence[Use]) -> list[SeveralReferenceAnswer]:
    """The answers for uses, in order; each index makes its own all at once."""
    rows: defaultdict[AskedIndex, list[UseRow]] = defaultdict(list)
    for use in uses:
        rows[use.asked].append(use.row)
    answers = {asked: iter(asked.answers(its)) for asked, its in rows.items()}
    return [
        extended(
            SeveralReferenceAnswer,
            next(answers[use.asked]),
            indexes=[str(one.index.path) for one in use.having],
        )
        for use in uses
    ]


def _reason(asked: Sequence[AskedIndex]) -> str:
    """Why there are no uses in any index that has the name."""
    return "\n".join(f"{_path(one)}: {why_none(one.index, one.question)}" for one in asked)


def _note(asked: Sequence[AskedIndex]) -> str | None:
    """The remark about the name as typed, and what else it names in another index."""
    first = asked[0]
    written = written_form(first.index, first.question)
    notes = [first.question.found.note]
    for one in asked[1:]:
        there = written_form(one.index, one.question)
        if (one.question.found.home, one.question.name) != (first.question.found.home, first.question.name):
            notes.append(f"in {_path(one)}, the name is not {written} but {there}")
    return "; ".join(filter(None, notes)) or None


def _path(asked: AskedIndex) -> str:
    return shown_name(str(asked.index.path))
