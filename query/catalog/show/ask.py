"""catalog show: a release, what it needs, and what needs it."""

from __future__ import annotations

from ...index.not_found import NotFound
from ...index.reading import Reading
from ..release_names import label, releases_called
from . import sql
from .answer import ReleaseAnswer, ReleaseDependency, ReleaseProblem, ReleaseSystem
from .parameters import ShowParameters
from .sql import ReleaseDependencyRow, ReleaseSystemRow


def show(catalog: Reading, asked: ShowParameters) -> ReleaseAnswer | NotFound:
    """Answer catalog show."""
    found = releases_called(catalog, asked.release)
    if isinstance(found, NotFound):
        return found
    row = found[0]
    all_versions = releases_called(catalog, row.name)
    assert not isinstance(all_versions, NotFound)
    return ReleaseAnswer(
        release=label(row.name, row.version),
        name=row.name,
        version=row.version,
        versions=[label(one.name, one.version) for one in all_versions],
        state=row.state,
        licence=row.licence,
        author=row.author,
        description=row.description,
        place=row.place,
        slice=row.slice,
        packages=[name for (name,) in catalog.rows(sql.PACKAGES_OF, release=row.id)],
        exports=row.exports,
        definitions=row.definitions,
        systems=[
            _system(ReleaseSystemRow._make(one)) for one in catalog.rows(sql.SYSTEMS_OF, release=row.id)
        ],
        dependencies=_dependencies(catalog, sql.NEEDED_BY, row.id),
        dependents=_dependencies(catalog, sql.NEEDING, row.id),
        problems=[ReleaseProblem(*one) for one in catalog.rows(sql.PROBLEMS_OF, release=row.id)],
    )


def _system(row: ReleaseSystemRow) -> ReleaseSystem:
    return ReleaseSystem(row.name, row.version, row.state)


def _dependencies(catalog: Reading, statement: str, release: int) -> list[ReleaseDependency]:
    rows = map(ReleaseDependencyRow._make, catalog.rows(statement, release=release))
    return [
        ReleaseDependency(
            row.system, row.relation, label(row.release, row.version) if row.release else None, row.uses
        )
        for row in rows
    ]
