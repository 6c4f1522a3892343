"""The page of a source file: its text with links from uses to definitions, and its definitions."""

from __future__ import annotations

from collections.abc import Iterator

from ...index.not_found import NotFound
from ...syntax.printed import lower_symbols
from .. import sql
from ..names import not_found
from ..page_request import Page, PageRequest
from .highlighting import highlighted
from .source_links import SourceLinks

# A page ends with whichever comes first. Nearly all files with longer lines are tables of data.
_MOST_LINES, _MOST_CHARACTERS = 2000, 200_000
_LONGEST_LINE = 10_000


def source(request: PageRequest) -> Page:
    """The page of the source file that the URL names, around the line that it names."""
    index = request.index
    root, path = request.segments["root"], request.segments["path"]
    file = index.file_at(root, path)
    if file is None:
        reason = "This index has no source file with this path below this root."
        return not_found(request, NotFound("file-not-found", f"File {path} not found", reason, []))
    line = request.number("line")
    sources = SourceLinks(request)
    lines = sources.lines(file.number)
    starts = list(_pages(lines))
    first = max((start for start in starts if start <= line), default=1)
    last = next((start - 1 for start in starts if start > first), len(lines))
    shown = lines[first - 1 : last]
    linked = max(map(len, shown), default=0) <= _LONGEST_LINE and sources.are_links_in(lines)
    links = sources.of_lines(file.number, lines, first, last) if linked else []
    ((local,),) = index.rows(sql.FILE_PATH, file=file.number)
    definitions = _definitions(request, file.number)
    answer = {
        "root": file.root,
        "relative_path": file.relative_path,
        "system": file.system,
        "path": index.local_path(local),
        "lines": len(lines),
        "definitions": [{"name": text, "kind": kind, "line": at} for text, kind, at, _ in definitions],
    }
    context = {
        "title": path,
        "answer": answer,
        "file": file,
        "stale": index.source_changed(file.number),
        "line": line,
        "first": first,
        "lines": highlighted("\n".join(map(_cut, shown)), links),
        "linked": linked,
        "definitions": definitions,
        "pages": [(start, request.links.source(root, path, start)) for start in starts],
    }
    return Page("source", context, answer=answer)


def _pages(lines: list[str]) -> Iterator[int]:
    """The number of the first line of each page."""
    characters, first = 0, 1
    for number, line in enumerate(lines, 1):
        shown = min(len(line), _LONGEST_LINE)
        if number == 1 or number - first == _MOST_LINES or characters + shown > _MOST_CHARACTERS:
            yield number
            characters, first = 0, number
        characters += shown


def _cut(line: str) -> str:
    if len(line) <= _LONGEST_LINE:
        return line
    return f"{line[:_LONGEST_LINE]} ... ({len(line):,} characters)"


def _definitions(request: PageRequest, file: int) -> list[tuple[str, str, int, str | None]]:
    """The definitions in a file, in order: name, kind, line and page; each name and line once."""
    found: dict[tuple[object, ...], tuple[str, str, int, str | None]] = {}
    rows = request.index.rows(sql.DEFINITIONS_IN_FILE, file=file)
    for row in map(sql.DefinitionInFileRow._make, rows):
        name = request.symbol(row.symbol, row.operator)
        parts = filter(None, (row.qualifiers, row.specializers))
        distinguishing = [lower_symbols(part, request.index.upcase) for part in parts]
        text = " ".join([name.text, *distinguishing])
        found.setdefault((text, row.line), (text, row.kind, row.line, name.link))
    return list(found.values())
