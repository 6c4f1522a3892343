"""definition: the text of all definitions of a name, from the source lines in the index."""

from __future__ import annotations

from itertools import islice, takewhile
from typing import NamedTuple

from oblist.indexer.names import operator_name, split_package

from ...index import sql as index_sql
from ...index.finding.resolve import FoundPackage, Resolved, find_package, resolve, symbol_read
from ...index.finding.setf_names import belongs_to, no_such_function
from ...index.kinds import CLASSES
from ...index.not_found import NotFound
from ...index.present.files import present_file
from ...index.reading import Reading
from ...index.shown import shown_name
from ...index.written import printed, printed_name, written
from ...syntax.lexemes import lexemes, symbols
from ..paging import page
from . import sql
from .answer import DefinitionTextAnswer
from .methods import WantedMethods
from .package import package_definition
from .parameters import DefinitionParameters
from .passages import Passage, place_in, source_texts, whole_text
from .placeholder import placeholder
from .rebuilt import rebuilt
from .sql import DefinitionPlaceRow

_IN_PACKAGE = ("in-package", "cl:in-package", "common-lisp:in-package")
_DESIGNATORS = ("symbol", "uninterned", "string")

_MANY = 512
"""Up to so many definitions of a symbol, all are read; of a symbol with more, those that are shown."""
_AT_ONCE = 64
_MORE = 4  # times as many, when these are not enough


def definition(index: Reading, asked: DefinitionParameters) -> DefinitionTextAnswer | NotFound:
    """Answer definition from ``index``."""
    specializers, max_length, offset = asked.specializers, asked.max_length, asked.offset
    found = resolve(index, asked.name, asked.package)
    if isinstance(found, NotFound):
        if specializers is not None:
            return found
        return package_definition(index, asked.name, asked.package, max_length, offset) or found
    operator = found.typed.operator
    ((total,),) = index.rows(index_sql.DEFINITIONS_TOTAL, symbol=found.symbol)
    if total > _MANY and max_length and operator is None and specializers is None:
        texts = _texts_of_many(index, found, max_length, offset)
        return _answer(index, found, texts, asked, total)
    rows = [DefinitionPlaceRow.of(row) for row in index.rows(sql.DEFINITION_PLACES, symbol=found.symbol)]
    if operator is not None:
        rows = [row for row in rows if belongs_to(row.operator, row.documentation_type, operator)]
        if not rows:
            return no_such_function(index, found)
    note = None
    if specializers is not None:
        methods = [row for row in rows if row.kind == "method"]
        wanted = WantedMethods.typed(specializers, index.fold, index.upcase)
        rows = list(filter(wanted.has, methods))
        if not rows and wanted.fault is not None:
            message = f'Invalid specializers "{shown_name(specializers)}"'
            return NotFound("invalid-query", message, wanted.fault, [])
        if not rows:
            note = f"it has no method with the specializers {shown_name(specializers)}"
    texts = _Texts.of(index, found, rows[offset:])
    return _answer(index, found, texts, asked, len(rows), note)


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

    passages: list[Passage]
    offsets: list[int]
    text: str
    definitions: int

    @classmethod
    def of(cls, index: Reading, found: Resolved, rows: list[DefinitionPlaceRow]) -> _Texts:
        """The texts of ``rows``."""
        passages = _passages(index, found, rows)
        text, offsets = whole_text(index, passages)
        return cls(passages, offsets, text, len(rows))


def _answer(
    index: Reading,
    found: Resolved,
    texts: _Texts,
    asked: DefinitionParameters,
    total: int,
    note: str | None = None,
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
        note="; ".join(filter(None, (found.note, note))) or None,
        offset=asked.offset,
        definitions=[
            place_in(index, row, passage, offset) for passage, offset in begun for row in passage.rows
        ],
    )


def _home_status(index: Reading, found: Resolved) -> str:
    """Return the symbol's status in its home package."""
    if found.package.name == found.home:
        return found.status
    home = index.package_numbers[found.home]
    present = index.rows(index_sql.STATUS, symbol=found.symbol, package=home)
    return str(present[0][0]) if present else "internal"


def _passages(index: Reading, found: Resolved, rows: list[DefinitionPlaceRow]) -> list[Passage]:
    """Return the texts of the definitions in order; definitions in one form share its text."""
    name = printed_name(found.name, index.upcase)
    name = f":{name}" if found.home == "KEYWORD" else name
    by_extent: dict[tuple[int | None, int | None, int | None], Passage] = {}
    passages = []
    changed = index.source_states(list({here for row in rows if (here := index.local_path(row.place.path))}))
    for indexed, stored in zip(rows, source_texts(index, rows), strict=True):
        row, source = _as_now(index, indexed, stored) if changed else (indexed, stored)
        extent = (indexed.place.file, indexed.place.offset, indexed.place.end_offset)
        if extent in by_extent:
            by_extent[extent].rows.append(row)
        elif source is None:
            passages.append(Passage(text_without_source(index, found, row, name), False, [row]))
        else:
            by_extent[extent] = Passage(source, True, [row])
            passages.append(by_extent[extent])
    return passages


def _as_now(
    index: Reading, row: DefinitionPlaceRow, source: str | None
) -> tuple[DefinitionPlaceRow, str | None]:
    """A definition at its present place, with its present text; one that is gone keeps the indexed text."""
    place, here = row.place, index.local_path(row.place.path)
    if here is None or place.line is None or place.column is None:
        return row, source
    if (file := present_file(index, here)) is None:
        return row, source
    now = file.extent(place.line, place.column)
    if now is None:
        gone = place._replace(line=None, column=None, offset=None, end_line=None, end_offset=None)
        return row._replace(place=gone), source
    moved = place._replace(
        line=now.line, column=now.column, offset=now.start, end_line=now.end_line, end_offset=now.end
    )
    return row._replace(place=moved), file.text[now.start : now.end]


def text_without_source(index: Reading, found: Resolved, row: DefinitionPlaceRow, name: str) -> str:
    """Return the substitute for missing source text: a rebuilt form for a class, else a placeholder."""
    if row.kind in CLASSES:
        form = rebuilt(index, found.symbol, row.kind, found.home)
        if form is not None:
            return form
    return placeholder(row, name)


def _packages(index: Reading, found: Resolved, passages: list[Passage]) -> dict[str, list[str]]:
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


def package_read_in(index: Reading, file: int | None, line: int | None) -> FoundPackage | None:
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
