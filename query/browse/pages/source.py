"""The page of a source file: its text with links from uses to definitions, and its definitions."""

from __future__ import annotations

from ...index.not_found import NotFound
from ...syntax.printed import lower_symbols
from .. import sql
from ..names import not_found
from ..page_request import Page, PageRequest
from .highlighting import highlighted
from .source_links import SourceLinks

# Nearly all longer files are tables of character codes.
_PAGE = 2000


def source(request: PageRequest) -> Page:
    """The page of the source file that the URL names, around the line that it names."""
    index = request.index
    root, path = request.segments["root"], request.segments["path"]
    file = index.file_at(root, path)
    if file is None:
        reason = "This index has no source file with this path below this root."
        return not_found(request, NotFound("file-not-found", f"File {path} not found", reason, []))
    line = request.number("line")
    last = index.rows(sql.LAST_LINE, file=file.number)[0][0] or 0
    first = max(0, min(line, last) - 1) // _PAGE * _PAGE + 1
    lines, links = SourceLinks(request).of_lines(file.number, first, first + _PAGE - 1)
    ((local,),) = index.rows(sql.FILE_PATH, file=file.number)
    definitions = _definitions(request, file.number)
    answer = {
        "root": file.root,
        "relative_path": file.relative_path,
        "system": file.system,
        "path": index.local_path(local),
        "lines": last,
        "definitions": [{"name": text, "kind": kind, "line": at} for text, kind, at, _ in definitions],
    }
    context = {
        "title": path,
        "answer": answer,
        "file": file,
        "stale": index.source_changed(file.number),
        "line": line,
        "first": first,
        "lines": highlighted("\n".join(lines), links),
        "definitions": definitions,
        "pages": [(start, request.links.source(root, path, start)) for start in range(1, last + 1, _PAGE)],
    }
    return Page("source", context, answer=answer)


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
