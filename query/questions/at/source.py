"""The text of a source file that a question is about."""

from __future__ import annotations

from ...index.finding.sql import CalledFileRow
from ...index.not_found import NotFound
from ...index.present.carried import PresentFile
from ...index.present.files import present_file
from ...index.present.lines import TextLines
from ...index.reading import Reading
from ...index.shown import shown_name
from ...index.sql import SOURCE_TEXT
from ..xref.answer import ReferenceAnswer


class AskedSource:
    """A source file as it is now, or as it was indexed if that is all that is known."""

    def __init__(self, index: Reading, file: CalledFileRow, *, as_indexed: bool = False) -> None:
        """With ``as_indexed``, its text is that of the index even if the file has changed."""
        self.index, self.file = index, file
        self.path = index.local_path(file.path) or file.path
        self.present: PresentFile | None = None if as_indexed else present_file(index, self.path)
        if self.present is not None:
            self.text = self.present.text
        else:
            self.text = "\n".join(text for (text,) in index.rows(SOURCE_TEXT, file=file.number))
        self.lines = TextLines(self.text)

    def fault(self, line: int) -> NotFound | None:
        """Why nothing can be said about a line."""
        shown = shown_name(self.path)
        if not self.text:
            reason = (
                "The index was built with --no-sources, or when the file was missing or saved meanwhile. "
                "Build it again."
            )
            return NotFound("no-text", f"The text of {shown} is not available", reason, [])
        if line > len(self.lines):
            last = f"Its last line is {len(self.lines)}."
            return NotFound("line-not-found", f"{shown} has no line {line}", last, [])
        return None

    def line(self, number: int) -> str:
        """The text of a line."""
        end = self.lines.start(number + 1) - 1 if number < len(self.lines) else len(self.text)
        return self.text[self.lines.start(number) : end].removesuffix("\r")

    def now(self, use: ReferenceAnswer) -> tuple[int, int | None] | None:
        """The line and column of a use in the present text; None if it is gone."""
        if use.line is None or self.present is None:
            return None if use.line is None else (use.line, use.column)
        extent = self.present.extent(use.line, use.column)
        return None if extent is None else (extent.line, None if use.column is None else extent.column)
