"""The Python API of several indexes: open them, and ask them together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Literal, Self, TypeVar

from ..api import Index, open_index
from ..catalog.api import Catalog, open_catalog
from ..errors import RootsError
from ..index import sql
from ..index.reading import Reading

if TYPE_CHECKING:
    from ..index.not_found import NotFound
    from ..index.value_source import ValueSource
    from .apropos.answer import SeveralAproposAnswer
    from .describe.answer import SeveralDescribeAnswer
    from .provides.answer import SeveralProvidesAnswer
    from .search.answer import SeveralSearchAnswer
    from .xref.answer import SeveralXrefAnswer

_Path = str | os.PathLike[str]
_Answer = TypeVar("_Answer")


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
            raise RootsError(f"No index has a root {unknown[0]!r}; they have: {_listed(indexes.values())}.")
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
    index = open_index(path, values=values)
    own = moved.keys() & _root_names(index) if moved else set()
    if not own:
        return index
    known |= own
    index.close()
    return open_index(index.path, roots={name: moved[name] for name in own}, values=values)


def _root_names(index: Reading) -> set[str]:
    return {name for name, _ in index.rows(sql.ROOTS)}


def _listed(indexes: Iterable[Reading]) -> str:
    return ", ".join(sorted(set().union(*map(_root_names, indexes)))) or "none"


class Indexes:
    """Several indexes, and perhaps a catalog, that answer as one. Only one thread at a time may use them.

    Each answer of each index comes from a single build. How answers are merged: docs/several.md.
    """

    def __init__(
        self, indexes: Sequence[Index], catalog: Catalog | None = None, *, guess: bool = False
    ) -> None:
        self.indexes = tuple(indexes)
        self.catalog = catalog
        self._guesses = guess

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all files; a later question reopens them."""
        for reading in self._all():
            reading.close()

    def _all(self) -> list[Reading]:
        return [*self.indexes, *([self.catalog] if self.catalog is not None else [])]

    def _readings(self) -> list[Reading]:
        """All that are asked, the catalog last, each with its newest build."""
        readings = self._all()
        for reading in readings:
            reading.reopen_if_replaced()
        return readings

    def apropos(
        self,
        pattern: str,
        package: str | None = None,
        type: str | None = None,  # noqa: A002 - the contract's word
        *,
        scope: str = "accessible",
        limit: int = 0,
        offset: int = 0,
    ) -> SeveralAproposAnswer | NotFound:
        """The symbols whose names contain ``pattern`` in any of the indexes; as for Index.apropos.

        The catalog has exported symbols only.
        """
        from .apropos.ask import apropos

        return apropos(self._readings(), pattern, package, type, scope=scope, limit=limit, offset=offset)

    def describe(
        self, name: str, package: str = "CL-USER", *, limit: int = 0, offset: int = 0
    ) -> SeveralDescribeAnswer | NotFound:
        """Describe ``name`` as the first index that has it does; as for Index.describe."""
        from .describe.ask import describe

        readings = self._readings()
        return self._answered(name, package, lambda name: describe(readings, name, package, limit, offset))

    def search(
        self,
        query: str,
        *,
        type: str = "",  # noqa: A002 - the contract's word
        package: str = "",
        system: str = "",
        exported: bool = False,
        own: bool = False,
        limit: int = 20,
        offset: int = 0,
    ) -> SeveralSearchAnswer | NotFound:
        """The symbols of all indexes that match ``query``, best match first; as for Index.search."""
        from ..questions.search.choice import Choice
        from .search.ask import search

        choice = Choice(type, package, system, exported, own)
        return search(self._readings(), query, limit=limit, offset=offset, choice=choice)

    def xref(
        self,
        name: str,
        package: str = "CL-USER",
        *,
        relation: str | None = None,
        callees: bool = False,
        companions: bool = False,
        limit: int = 200,
        offset: int = 0,
    ) -> SeveralXrefAnswer | NotFound:
        """The uses of ``name`` in all indexes, each once; as for Index.xref.

        The catalog says which releases use it.
        """
        from .xref.ask import xref

        readings = self._readings()
        return self._answered(
            name,
            package,
            lambda name: xref(
                *(readings, name, package),
                relation=relation,
                callees=callees,
                companions=companions,
                limit=limit,
                offset=offset,
            ),
        )

    def _answered(
        self, name: str, package: str, ask: Callable[[str], _Answer | NotFound]
    ) -> _Answer | NotFound:
        """What ``ask`` answers for ``name``, or for what it is taken for."""
        if not self._guesses:
            return ask(name)
        from .guessing import answered

        return answered(self.indexes, name, package, ask)

    def provides(self, name: str, *, limit: int = 0, offset: int = 0) -> SeveralProvidesAnswer | NotFound:
        """The indexes that have a symbol, package or system called ``name``, and the catalog's releases."""
        from .provides.ask import provides

        return provides(self._readings(), name, limit=limit, offset=offset)
