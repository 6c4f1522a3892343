"""The Python API of several indexes, and a catalog beside them: open them, and ask them as if they were one.

from oblist.query.indexes import open_indexes

with open_indexes(["mine.db", "theirs.db"]) as indexes:
    print(indexes.describe("flatten", package="ALEXANDRIA").index)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar, cast

from oblist.indexer.names import split_name, split_package

from .api import Index, open_index
from .asking import Asking, answered, with_methods
from .catalog.api import Catalog, open_catalog
from .errors import RootsError
from .index import sql
from .index.damage import blaming, raise_damage
from .index.finding.guess import guess
from .index.finding.guessed import with_guesses
from .index.finding.resolve import is_bare
from .index.not_found import NotFound
from .index.reading import Reading
from .index.written import written

if TYPE_CHECKING:
    from .asking import Method
    from .catalog.provides.parameters import SeveralProvidesParameters
    from .check.audit.parameters import AuditParameters
    from .index.parameters import Parameters
    from .index.value_source import ValueSource
    from .questions.apropos.parameters import AproposParameters
    from .questions.describe.parameters import DescribeParameters
    from .questions.search.parameters import SearchParameters
    from .questions.xref.parameters import XrefParameters

_Path = str | os.PathLike[str]
_Answer = TypeVar("_Answer")

QUESTIONS_TO_SEVERAL = {
    "apropos": "questions.apropos.parameters:AproposParameters",
    "audit": "check.audit.parameters:AuditParameters",
    "describe": "questions.describe.parameters:DescribeParameters",
    "provides": "catalog.provides.parameters:SeveralProvidesParameters",
    "search": "questions.search.parameters:SearchParameters",
    "xref": "questions.xref.parameters:XrefParameters",
}
"""The questions whose answers of several indexes are merged, by the names of their methods."""


def open_indexes(
    paths: Iterable[_Path] = (),
    *,
    catalog: _Path | Literal[True] | None = None,
    roots: Mapping[str, _Path] | None = None,
    values: Callable[[str], ValueSource] | None = None,
    guess: bool = False,
) -> Indexes:
    """Open the indexes at ``paths``, in this order, or the default one if there are none.

    ``catalog`` is the path of a catalog to ask too; True means the one that is found by default. ``roots``
    and ``values`` are as for open_index; each root must belong to at least one index. With ``guess``, a name
    without a package that none of them finds is taken for the only symbol that it plausibly means, if those
    that have one agree. A file that is named twice, also by a link, is asked once. Raises what open_index and
    open_catalog raise.
    """
    moved = {name: os.fspath(folder) for name, folder in (roots or {}).items()}
    with ExitStack() as opened:
        indexes: dict[tuple[int, int], Index] = {}
        known: set[str] = set()
        named: list[_Path | None] = [*paths]
        for path in named or [None]:
            index = opened.enter_context(_opened(path, moved, values, known))
            status = index.path.stat()
            if indexes.setdefault((status.st_dev, status.st_ino), index) is not index:
                index.close()
        if unknown := sorted(set(moved) - known):
            theirs = _listed(indexes.values())
            raise RootsError(f"No index has a root {unknown[0]!r}; the roots are: {theirs}.")
        found = opened.enter_context(open_catalog(None if catalog is True else catalog)) if catalog else None
        opened.pop_all()
    return Indexes(list(indexes.values()), found, guess=guess)


def _opened(
    path: _Path | None,
    moved: Mapping[str, str],
    values: Callable[[str], ValueSource] | None,
    known: set[str],
) -> Index:
    """Open an index with those of the roots that it has, and add these to the ``known`` ones."""
    if not moved:
        return open_index(path, values=values)
    with open_index(path) as index:
        own = moved.keys() & _root_names(index)
    known |= own
    return open_index(index.path, roots={name: moved[name] for name in own}, values=values)


def _root_names(index: Reading) -> set[str]:
    return {name for name, _ in index.rows(sql.ROOTS)}


def _listed(indexes: Iterable[Reading]) -> str:
    return ", ".join(sorted(set().union(*map(_root_names, indexes)))) or "none"


@with_methods(QUESTIONS_TO_SEVERAL)
class Indexes(Asking):
    """Several indexes, and perhaps a catalog, that answer as one. Only one thread at a time may use them.

    Each answer of each index comes from a single build. How answers are merged: docs/several.md.
    """

    def __init__(
        self, indexes: Sequence[Index], catalog: Catalog | None = None, *, guess: bool = False
    ) -> None:
        self.indexes = tuple(indexes)
        self.catalog = catalog
        self._guesses = guess

    if TYPE_CHECKING:
        apropos = Method(AproposParameters)
        audit = Method(AuditParameters)
        describe = Method(DescribeParameters)
        provides = Method(SeveralProvidesParameters)
        search = Method(SearchParameters)
        xref = Method(XrefParameters)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        """Close all files; raises IndexDamagedError instead of an error that the rows of one have caused."""
        try:
            if error is not None:
                raise_damage(self.readings, error)
        finally:
            self.close()

    def close(self) -> None:
        """Close all files; a later question reopens them."""
        for reading in self.readings:
            reading.close()

    def limit(self, seconds: float) -> None:
        """Let each question take ``seconds`` at most with each index, from now on."""
        for reading in self.readings:
            reading.limit(seconds)

    @property
    def readings(self) -> list[Reading]:
        """All that are asked, the catalog last."""
        return [*self.indexes, *([self.catalog] if self.catalog is not None else [])]

    @property
    def upcase(self) -> Callable[[str], str]:
        """Upcases as the first index does."""
        return self.indexes[0].upcase

    def ask(self, parameters: Parameters[_Answer]) -> _Answer:
        """The answer of all to the question with these ``parameters``; as for Index.ask."""
        readings = self.readings
        for reading in readings:
            reading.reopen_if_replaced()
        with blaming(readings):
            return self._asked(parameters, readings)

    def _asked(self, parameters: Parameters[_Answer], readings: Sequence[Reading]) -> _Answer:
        answer = answered(parameters, readings)
        if self._guesses and isinstance(answer, NotFound) and answer.error == "symbol-not-found":
            return cast(_Answer, self._guessed(parameters, readings, answer))
        return answer

    def _guessed(self, parameters: Any, readings: Sequence[Reading], answer: NotFound) -> Any:
        """The answer about the symbol that a name is taken for; ``answer`` if there is none."""
        if (package := getattr(parameters, "package", None)) is None:
            return answer
        upcase = self.indexes[0].upcase
        typed, where = split_name(parameters.name, upcase), split_package(package, upcase)
        found = guess(self.indexes, typed.symbol.spellings) if is_bare(typed, where) else None
        if found is None:
            return answer
        row = found.row
        name = written(found.reading, row.name, row.home, row.status, typed.operator)
        instead = answered(replace(parameters, name=name), readings)
        told = f"{answer.message}: {found.phrase}"
        return instead if isinstance(instead, NotFound) else with_guesses(instead, [told])
