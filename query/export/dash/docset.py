"""A docset for Dash and Zeal (kapeli.com/docsets): pages, a search index, and properties."""

from __future__ import annotations

import plistlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from oblist.indexer.names import piped

from ...index.not_found import NotFound
from ...index.reading import Reading
from ...questions.describe.answer import DescribeAnswer
from ...questions.describe.ask import describe
from ...questions.describe.parameters import DescribeParameters
from .. import sql as export_sql
from ..output import Destination, new_docset
from ..selection import Selection
from . import sql
from .pages import STYLE, DocsetEntry, index_page, package_page, page_name

_KEYWORDS = "KEYWORD"  # every keyword is external, and none has a meaning to document

DocsetProgress = Callable[[Iterable[tuple[int, str, str | None]]], Iterable[tuple[int, str, str | None]]]


def write_docset(
    index: Reading, chosen: Selection, destination: Destination, title: str, progress: DocsetProgress
) -> tuple[int, int]:
    """Write the docset and return the numbers of pages and entries. Raises ExportError."""
    packages = [
        (row.id, row.name, row.documentation)
        for row in map(export_sql.ExportedPackageRow._make, index.rows(export_sql.PACKAGES))
        if row.name != _KEYWORDS and chosen.has(row.system, row.id)
    ]
    entries: list[DocsetEntry] = []
    written: list[str] = []
    with new_docset(destination) as folder:
        documents = folder / "Contents" / "Resources" / "Documents"
        documents.mkdir(parents=True)
        for number, name, documentation in progress(packages):
            answers = list(_answers(index, number, name))
            if not answers:
                continue
            page, found = package_page(index, name, documentation, answers)
            (documents / f"{page_name(name)}.html").write_text(page, encoding="utf-8", errors="replace")
            entries += found
            written.append(name)
        (documents / "style.css").write_text(STYLE, encoding="utf-8")
        (documents / "index.html").write_text(
            index_page(index, title, written), encoding="utf-8", errors="replace"
        )
        _write_search_index(documents.parent / "docSet.dsidx", entries)
        (folder / "Contents" / "Info.plist").write_bytes(plistlib.dumps(_properties(title)))
    return len(written) + 1, len(entries)


def _answers(index: Reading, package: int, name: str) -> Iterator[DescribeAnswer]:
    """The answer of describe for each symbol that the package exports."""
    quoted = f'"{name}"'
    for _, symbol in index.rows(export_sql.EXPORTS, package=package):
        answer = describe(index, DescribeParameters(piped(symbol), quoted))
        if not isinstance(answer, NotFound):
            yield answer


def _properties(title: str) -> dict[str, str | bool]:
    return {
        "CFBundleIdentifier": title.lower(),
        "CFBundleName": title,
        "DocSetPlatformFamily": "lisp",
        "isDashDocset": True,
        "dashIndexFilePath": "index.html",
        "DashDocSetFamily": "dashtoc",
    }


def _write_search_index(path: Path, entries: list[DocsetEntry]) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(sql.TABLE)
        connection.execute(sql.UNIQUE)
        connection.executemany(sql.INSERT, entries)
