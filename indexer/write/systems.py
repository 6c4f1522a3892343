"""Records about systems -> rows of their tables."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Table

from ..records import System
from ..schema import systems as tables
from ..schema.columns import Row


def system_rows(systems: list[System]) -> Iterator[tuple[Table, list[Row]]]:
    """The rows of all systems, table by table."""
    numbers = {system.name: system.id for system in systems}
    for system in systems:
        facts = (system.version, system.licence, system.author, system.description)
        yield tables.systems, [(system.id, system.name, int(system.asked), *facts, system.definition)]
        yield (
            tables.system_dependencies,
            [
                (system.id, place, relation, name, numbers.get(name))
                for place, (relation, name) in enumerate(system.dependencies)
            ],
        )
