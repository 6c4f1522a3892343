"""The answer of export, as a frozen dataclass."""

from __future__ import annotations

from dataclasses import dataclass

from ..index.answer_field import doc


@dataclass(frozen=True, slots=True)
class ExportAnswer:
    """The answer of export: where it wrote, and how much."""

    format: str = doc("ctags, etags, scip or dash")
    path: str = doc("the file, or the folder of a docset")
    files: int = doc("number of source files, or of pages in a docset")
    definitions: int = doc("number of definitions, or of entries in a docset")
    references: int | None = doc("number of uses; null for formats that have none")
    without_text: int = doc("number of source files whose text the format needs and the index lacks")
