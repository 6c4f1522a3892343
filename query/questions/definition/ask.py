"""definition: the text of all definitions of a name, from the source lines in the index."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice, takewhile
from typing import NamedTuple

from oblist.indexer.names import operator_name, split_package

from ...index import sql as index_sql
from ...index.finding.resolve import PackageRow, Resolved, find_package, resolve, symbol_read
from ...index.finding.setf_names import belongs_to, no_such_function
from ...index.kinds import CLASSES
from ...index.not_found import NotFound
from ...index.place import Place
from ...index.reading import Reading
from ...index.shown import shown_name
from ...index.written import printed, printed_name, written
from ...syntax.lexemes import lexemes, symbols
from ..paging import page
from . import sql
from .answer import DefinitionPlace, DefinitionTextAnswer
from .methods import Wanted
from .placeholder import placeholder
from .rebuilt import rebuilt
from .sql import DefinitionPlaceRow

_SBCL = "sbcl"  # the root of SBCL's own sources, which belong to no system
_IN_PACKAGE = ("in-package", "cl:in-package", "common-lisp:in-package")
_DESIGNATORS = ("symbol", "uninterned", "string")

_MANY = 512
"""So many definitions of a symbol are read whole; of a symbol with more, those that are shown."""
_AT_ONCE = 64
_MORE = 4  # times as many, when these are not enough

_Extent = tuple[int | None, int | None, int | None]


class _Passage(NamedTuple):
    """A text, and the definitions that it contains."""

    text: str
    from_source: bool
    rows: list[DefinitionPlaceRow]


def definition(
    index: Reading,
    name: str,
    package: str,
    *,
    max_length: int,
    package_details: bool,
    specializers: str | None = None,
    offset: int = 0,
) -> DefinitionTextAnswer | NotFound:
    """Answer definition from ``index``; the arguments are those of Index.definition."""
    found = resolve(index, name, package)
    if isinstance(found, NotFound):
        return found
    operator = found.typed.operator
    ((total,),) = index.rows(index_sql.DEFINITIONS_TOTAL, symbol=found.symbol)
    if total > _MANY and max_length and operator is None and specializers is None:
        texts = _texts_of_many(index, found, max_length, offset)
        return _answer(index, found, texts, _Asked(max_length, package_details, offset), total)
    rows = [DefinitionPlaceRow.of(row) for row in index.rows(sql.DEFINITION_PLACES, symbol=found.symbol)]
    if operator is not None:
        rows = [row for row in rows if belongs_to(row.operator, row.documentation_type, operator)]
        if not rows:
            return no_such_function(index, found)
    note = None
    if specializers is not None:
        methods = [row for row in rows if row.kind == "method"]
        rows = list(filter(Wanted.typed(specializers, index.fold).has, methods))
        if not rows:
            note = f"none of its {len(methods)} methods has the specializers {shown_name(specializers)}"
    texts = _Texts.of(index, found, rows[offset:])
    return _answer(index, found, texts, _Asked(max_length, package_details, offset, note), len(rows))


class _Asked(NamedTuple):
    """How much of the texts was asked for, and a remark on what was found."""

    max_length: int
    package_details: bool
    offset: int
    note: str | None = None


def _texts_of_many(index: Reading, found: Resolved, length: int, offset: int) -> _Texts:
    """The texts of so many of a symbol's definitions that they have more than ``length`` characters."""
    wanted = _AT_ONCE
    while True:
        bounds = page(wanted, offset)
        rows = index.rows(sql.DEFINITION_PLACES_FROM, symbol=found.symbol, **bounds)
        texts = _Texts.of(index, found, [DefinitionPlaceRow.of(row) for row in rows])
        if len(texts.text) > length or len(rows) < wanted:
            return texts
        wanted *= _MORE


class _Texts(NamedTuple):
    """The passages of definitions, where each begins in the whole text, and that text."""

    passages: list[_Passage]
    offsets: list[int]
    text: str
    definitions: int

    @classmethod
    def of(cls, index: Reading, found: Resolved, rows: list[DefinitionPlaceRow]) -> _Texts:
        """The texts of ``rows``."""
        passages = _passages(index, found, rows)
        text, offsets = _text(index, passages)
        return cls(passages, offsets, text, len(rows))


def _answer(
    index: Reading, found: Resolved, texts: _Texts, asked: _Asked, total: int
) -> DefinitionTextAnswer:
    operator = found.typed.operator
    shown = texts.text[: asked.max_length] if asked.max_length else texts.text
    begun = takewhile(lambda one: one[1] < len(shown), zip(texts.passages, texts.offsets, strict=True))
    status = _home_status(index, found)
    whole = texts.definitions >= total - asked.offset
    return DefinitionTextAnswer(
        name=operator_name(operator, found.name),
        package=found.home,
        written=written(index, found.name, found.home, status, operator),
        heading=printed(index, found.name, found.home, status, operator),
        total=total,
        text=shown,
        characters=len(texts.text) if whole else None,
        truncated=len(shown) < len(texts.text) or not whole,
        packages=_packages(index, found, texts.passages) if asked.package_details else None,
        note="; ".join(filter(None, (found.note, asked.note))) or None,
        offset=asked.offset,
        definitions=[
            _place(index, row, passage, offset) for passage, offset in begun for row in passage.rows
        ],
    )


def _home_status(index: Reading, found: Resolved) -> str:
    """Return the symbol's status in its home package."""
    if found.package.name == found.home:
        return found.status
    home = index.package_numbers[found.home]
    present = index.rows(index_sql.STATUS, symbol=found.symbol, package=home)
    return str(present[0][0]) if present else "internal"


def _passages(index: Reading, found: Resolved, rows: list[DefinitionPlaceRow]) -> list[_Passage]:
    """Return the texts of the definitions in order; definitions in one form share its text."""
    name = printed_name(found.name, index.upcase)
    name = f":{name}" if found.home == "KEYWORD" else name
    by_extent: dict[tuple[int | None, int | None, int | None], _Passage] = {}
    passages = []
    for row, source in zip(rows, source_texts(index, rows), strict=True):
        extent = (row.place.file, row.place.offset, row.place.end_offset)
        if extent in by_extent:
            by_extent[extent].rows.append(row)
        elif source is None:
            passages.append(_Passage(text_without_source(index, found, row, name), False, [row]))
        else:
            by_extent[extent] = _Passage(source, True, [row])
            passages.append(by_extent[extent])
    return passages


def text_without_source(index: Reading, found: Resolved, row: DefinitionPlaceRow, name: str) -> str:
    """Return the substitute for missing source text: a rebuilt form for a class, else a placeholder."""
    if row.kind in CLASSES:
        form = rebuilt(index, found.symbol, row.kind, found.home)
        if form is not None:
            return form
    return placeholder(row, name)


def source_text(index: Reading, row: DefinitionPlaceRow) -> str | None:
    """Return the text of a definition's own form; None if its file or exact place is unknown."""
    return source_texts(index, [row])[0]


def source_texts(index: Reading, rows: Sequence[DefinitionPlaceRow]) -> list[str | None]:
    """Return the texts of the definitions' own forms, read all at once."""
    lines: dict[_Extent, list[str]] = {_extent(row): [] for row in rows}
    extents = list(lines)
    for number, line in index.rows(sql.SOURCE_TEXTS, extents=json.dumps(extents)):
        lines[extents[number]].append(line)
    texts = {extent: "\n".join(found) for extent, found in lines.items()}
    return [_own_form(row.place, texts[_extent(row)]) for row in rows]


def _extent(row: DefinitionPlaceRow) -> _Extent:
    """The file of a definition, its first line and its last."""
    return row.place.file, row.place.line, row.place.end_line


def _own_form(place: Place, lines: str) -> str | None:
    if place.column is None or place.offset is None or place.end_offset is None:
        return None
    start, length = place.column - 1, place.end_offset - place.offset
    text = lines[start : start + length]
    if len(text) != length or not text:
        return None
    return text.replace("\r\n", "\n").removesuffix("\r")


def _text(index: Reading, passages: list[_Passage]) -> tuple[str, list[int]]:
    """Return the whole text, each passage below one comment line per definition, and where passages begin."""
    pieces: list[str] = []
    offsets: list[int] = []
    length = 0
    for passage in passages:
        comments = "".join(f"{_comment(index, row)}\n" for row in passage.rows)
        offset = length + len(comments)
        offsets.append(offset)
        pieces.append(comments + passage.text)
        length = offset + len(passage.text) + 2  # the blank line between passages
    return "\n\n".join(pieces), offsets


def _comment(index: Reading, row: DefinitionPlaceRow) -> str:
    """Make the line ``;;; kind, system version, path:line``, as far as these are known."""
    parts = [row.kind]
    system, version = _origin(index, row)
    if system:
        parts.append(" ".join(part for part in (system, version) if part))
    place = row.place.relative_path or index.local_path(row.place.path) or row.place.recorded
    if place:
        parts.append(place if row.place.line is None else f"{place}:{row.place.line}")
    return f";;; {shown_name(', '.join(parts))}"


def _origin(index: Reading, row: DefinitionPlaceRow) -> tuple[str | None, str | None]:
    """Return the system of a definition and its version; ``sbcl`` for SBCL's own definitions."""
    if row.place.system is None and row.place.root == _SBCL:
        return _SBCL, index.facts["sbcl"]
    return row.place.system, row.place.system_version


def _place(index: Reading, row: DefinitionPlaceRow, passage: _Passage, offset: int) -> DefinitionPlace:
    system, version = _origin(index, row)
    return DefinitionPlace(
        kind=row.kind,
        qualifiers=row.qualifiers,
        specializers=row.specializers,
        defined_by=row.defined_by,
        system=system,
        system_version=version,
        path=index.local_path(row.place.path),
        recorded_path=row.place.recorded,
        root=row.place.root,
        relative_path=row.place.relative_path,
        line=row.place.line,
        column=row.place.column,
        end_line=row.place.end_line,
        from_source=passage.from_source,
        text_offset=offset,
        text_length=len(passage.text),
    )


def _packages(index: Reading, found: Resolved, passages: list[_Passage]) -> dict[str, list[str]]:
    """Return the symbols that source texts name, sorted, by home package."""
    named: dict[str, set[str]] = {}
    for passage in passages:
        if not passage.from_source:
            continue
        first = passage.rows[0].place
        own = split_package(f'"{found.home}"', index.upcase)
        where = package_read_in(index, first.file, first.line) or find_package(index, own)
        if where is None:
            continue
        for text in symbols(passage.text):
            if (read := symbol_read(index, text, where)) is not None:
                symbol, package = read
                home = package.name if symbol.home is None else index.package_names[symbol.home]
                named.setdefault(home, set()).add(symbol.name)
    return {package: sorted(names) for package, names in sorted(named.items())}


def package_read_in(index: Reading, file: int | None, line: int | None) -> PackageRow | None:
    """Find the package of the nearest ``in-package`` form at or before a line of a source file."""
    for (text,) in index.rows(sql.IN_PACKAGE_LINES, file=file, line=line):
        if (token := in_package(text)) is not None:
            return find_package(index, split_package(token, index.upcase))
    return None


def in_package(line: str) -> str | None:
    """Return the package named by an ``in-package`` form on this line, as written; None without one."""
    opening, operator, name = [*islice(lexemes(line), 3), None, None, None][:3]
    if opening is None or operator is None or name is None:
        return None
    entering = opening.kind == "open" and operator.text.lower() in _IN_PACKAGE
    return name.text if entering and name.kind in _DESIGNATORS else None
