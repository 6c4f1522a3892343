"""How one terminal shows the Lisp and the places of an answer; pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ..index.not_found import NotFound, not_found_text
from ..index.shown import shown_name
from ..syntax.printed import as_typed, lower_symbols
from .styled import Line, Segment, Style, faint, plain

if TYPE_CHECKING:
    from ..index.reading import Reading

_STATUS = " (status: NIL)"


class Placed(Protocol):
    """The fields of an answer that say where something is."""

    @property
    def path(self) -> str | None:
        """Absolute path of the file."""

    @property
    def line(self) -> int | None:
        """Line, from 1."""

    @property
    def column(self) -> int | None:
        """Column, from 1."""


class View(NamedTuple):
    """Shows places below ``folder`` relative to it; ``upcase`` is that of the index, for folding names.

    ``readings`` are the indexes that have answered.
    """

    folder: Path | None = None
    upcase: Callable[[str], str] = str.upper
    readings: Sequence[Reading] = ()

    def lisp(self, text: str) -> str:
        """Printed Lisp on one line, as one writes it: in lower case, except inside pipes and strings."""
        return lower_symbols(shown_name(" ".join(text.split())), self.upcase)

    def form(self, text: str) -> str:
        """A printed form on one line, as one writes it: ``'request`` for ``(QUOTE REQUEST)``."""
        return as_typed(shown_name(" ".join(text.split())), self.upcase)

    def lambda_list(self, text: str) -> str:
        """A printed lambda list on one line, as one writes it."""
        return as_typed(shown_name(" ".join(text.split())), self.upcase, lambda_list=True)

    def at(self, one: Placed) -> Segment:
        """The place of something; empty if it is unknown."""
        return self.place(one.path, one.line, one.column)

    def place(
        self,
        path: str | None,
        line: int | None = None,
        column: int | None = None,
        recorded: str | None = None,
    ) -> Segment:
        """A place as editors and terminals open it: ``path:line:column``, with a link to the file.

        ``recorded`` is shown for a file that has no path here.
        """
        if path is None and recorded is None:
            return Segment("")
        shown, link = path or recorded, path
        if path is not None and self.folder is not None:
            link = str(self.folder / path)
            if PurePath(path).is_relative_to(self.folder):
                shown = str(PurePath(path).relative_to(self.folder))
        parts = (shown, line, column if line is not None else None)
        return Segment(":".join(str(part) for part in parts if part is not None), Style.PLACE, link)

    def anywhere(self, path: str | None, line: int | None = None, column: int | None = None) -> Segment:
        """The same, with a remark where the place is unknown."""
        return self.place(path, line, column) if path is not None else faint("place unknown")

    def web(self, address: str) -> Segment:
        """A link to a page."""
        return Segment(address, Style.PLACE, address)


def not_found_people(answer: NotFound) -> list[Line]:
    """A negative answer, without the part of its fixed text that only programs need."""
    return plain(not_found_text(answer).replace(_STATUS, "", 1))
