"""The toplevel forms around places in indexed sources, read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...index.meanings import IndexMeanings
from ...index.reading import Reading
from ...syntax.current_package import first_package
from ...syntax.features import Features
from ...syntax.nodes import Toplevel
from ...syntax.tokens import Tokens
from ...syntax.walk.files import read_forms
from ...syntax.walk.nodes import AtomNames
from . import sql
from .around import toplevel_forms
from .source import AskedSource


class ToplevelReader:
    """Reads toplevel forms of the files of one build of an index."""

    def __init__(self, index: Reading) -> None:
        self._index = index
        self.meanings = IndexMeanings(index)
        self._tokens = Tokens(index.upcase)
        self._features = Features(index.facts.get("features", ""), self._tokens)
        self._whole: tuple[int, list[tuple[Toplevel, AtomNames]]] | None = None
        self._changing: dict[int, bool] = {}

    def around(self, source: AskedSource, at: int) -> Iterator[tuple[Toplevel, AtomNames]]:
        """Yield the toplevel form around an offset in a source, with what its atoms name.

        The whole file is read, once, only if the index does not know that form, or the file may change how it
        is read. A form that could not be read to its end is left out.
        """
        alone = next(toplevel_forms(source, source.lines.place(at)[0]), None)
        if alone is None or self._may_change(source.file.number):
            forms: Iterable[tuple[Toplevel, AtomNames]] = self._all(source)
        else:
            forms = self._read(*alone, between=(at, at + 1))
        for toplevel, names in forms:
            if toplevel.closed and toplevel.node.start <= at < toplevel.node.end:
                names.tell(toplevel.node)
                yield toplevel, names

    def _may_change(self, file: int) -> bool:
        """Whether a file may change how it is read: it has to do with readtables."""
        if file not in self._changing:
            self._changing[file] = bool(self._index.rows(sql.READTABLES, file=file))
        return self._changing[file]

    def _all(self, source: AskedSource) -> list[tuple[Toplevel, AtomNames]]:
        """All toplevel forms of a source; those of the last one are kept."""
        if self._whole is None or self._whole[0] != source.file.number:
            forms = list(self._read(source.text, first_package(source.path)))
            self._whole = source.file.number, forms
        return self._whole[1]

    def _read(
        self, text: str, package: str, between: tuple[int, int] | None = None
    ) -> Iterator[tuple[Toplevel, AtomNames]]:
        return read_forms(text, package, self._features, self.meanings, self._tokens, between=between)
