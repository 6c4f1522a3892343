"""The toplevel forms around places in indexed sources, read."""

from __future__ import annotations

from collections.abc import Iterator

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

    def around(self, source: AskedSource, at: int) -> Iterator[tuple[Toplevel, AtomNames]]:
        """Yield the toplevel form around an offset in a source, with what its atoms name.

        The whole file is read only if the index does not know that form, or the file may change how it is
        read. A form that could not be read to its end is left out.
        """
        alone = next(toplevel_forms(source, source.lines.place(at)[0]), None)
        if alone is None or self._index.rows(sql.READTABLES, file=source.file.number):
            alone = source.text, first_package(source.path)
        forms = read_forms(*alone, self._features, self.meanings, self._tokens, between=(at, at + 1))
        for toplevel, names in forms:
            if toplevel.closed:
                names.tell(toplevel.node)
                yield toplevel, names
