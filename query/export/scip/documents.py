"""A SCIP index: definitions, uses, documentation and signatures, for code hosts and editors."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from ...index.kinds import kind
from ...index.reading import Reading
from ...index.relations import RELATIONS
from ...syntax.printed import lower_symbols
from .. import sql
from ..output import Destination, new_file
from ..sources import SourceFile, place_of_name, shown
from ..sql import PlacedRow
from .schema import CHARACTERS, DEFINITION, LANGUAGE, UTF8, message
from .symbols import ScipSymbols

_MOST_METADATA_BYTES = 1000


class WrittenScip(NamedTuple):
    """The numbers of files, definitions and references in a SCIP index, and of files without text."""

    files: int
    definitions: int
    references: int
    without_text: int


def write_scip(
    index: Reading, files: Iterable[SourceFile], destination: Destination, root: str | None
) -> WrittenScip:
    """Write the SCIP index for the project in the folder ``root``.

    The default root is the common folder of all files. Files outside it are left out, as SCIP cannot name
    them. Raises ExportError.
    """
    chosen = list(files)
    base = root or _common_folder(chosen)
    symbols = ScipSymbols(index)
    uses = _uses(index)
    number = definitions = references = without_text = 0
    known: set[str] = set()
    used: dict[str, str] = {}
    with new_file(destination, "a SCIP index of oblist", _is_export) as output:
        # Concatenated messages form one index with all their fields, so only one file is in memory at a time.
        output.write(message("Index")(metadata=_metadata(base)).SerializeToString())
        for file in chosen:
            relative = _relative(file.path, base)
            if relative is None:
                continue
            document = message("Document")(
                relative_path=relative, language=LANGUAGE, position_encoding=CHARACTERS
            )
            definitions += _add_definitions(index, document, file, symbols, known)
            references += _add_uses(document, file, symbols, uses.get(file.id, ()), used)
            output.write(message("Index")(documents=[document]).SerializeToString())
            number += 1
            without_text += not file.lines
        for symbol, name in used.items():
            if symbol not in known:
                external = message("SymbolInformation")(symbol=symbol, kind=_number(name))
                output.write(message("Index")(external_symbols=[external]).SerializeToString())
    return WrittenScip(number, definitions, references, without_text)


def _is_export(head: bytes) -> bool:
    """Whether a file begins with the field of SCIP's Index that names the program, and that is oblist."""
    return head.startswith(b"\x0a") and b"oblist" in head[:_MOST_METADATA_BYTES]


def _metadata(base: str) -> Any:
    return message("Metadata")(
        tool_info=message("ToolInfo")(name="oblist", version=version("oblist")),
        project_root=Path(base).as_uri(),
        text_document_encoding=UTF8,
    )


def _common_folder(files: list[SourceFile]) -> str:
    folders = {os.path.dirname(file.path) for file in files if os.path.isabs(file.path)}  # noqa: PTH117, PTH120
    return os.path.commonpath(folders) if folders else "/"


def _relative(path: str, base: str) -> str | None:
    """The path below the project's folder, in SCIP's canonical form; None for a path elsewhere."""
    relative = os.path.normpath(os.path.relpath(path, base))
    return None if relative.startswith("..") or relative == "." else Path(relative).as_posix()


def _uses(index: Reading) -> dict[int, list[sql.ExportedUseRow]]:
    rows = map(sql.ExportedUseRow._make, index.rows(sql.USES))
    return {number: list(group) for number, group in groupby(rows, key=lambda row: row.file)}


def _add_definitions(
    index: Reading, document: Any, file: SourceFile, symbols: ScipSymbols, known: set[str]
) -> int:
    """Add the definitions of a file to its document, and return their number."""
    number = 0
    seen: set[tuple[str, tuple[int, ...]]] = set()
    for one in file.definitions:
        place = _range_of_name(index, file, one)
        symbol = symbols.definition(one, file.system)
        if (symbol, place) in seen:
            continue
        seen.add((symbol, place))
        occurrence = document.occurrences.add(range=place, symbol=symbol, symbol_roles=DEFINITION)
        occurrence.enclosing_range.extend(_extent(file, one))
        number += 1
        if symbol not in known:
            known.add(symbol)
            _add_information(index, document, one, symbol)
    return number


def _add_information(index: Reading, document: Any, one: PlacedRow, symbol: str) -> None:
    information = document.symbols.add(
        symbol=symbol, kind=_number(one.kind), display_name=_text(shown(index, one))
    )
    if one.documentation:
        information.documentation.append(_text(one.documentation))
    if one.arglist is not None:
        signature = f"({shown(index, one)}{' ' if one.arglist != '()' else ''}{one.arglist[1:]}"
        information.signature_documentation.language = LANGUAGE
        information.signature_documentation.text = _text(lower_symbols(signature, index.upcase))


def _number(name: str) -> int:
    """SCIP's number for a kind; 0 for a kind that it does not know."""
    return kind(name).scip or 0


def _text(text: str) -> str:
    """The text with question marks in place of lone surrogates, which UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _range_of_name(index: Reading, file: SourceFile, one: PlacedRow) -> tuple[int, ...]:
    """The place of the name in the first line of the definition, or else the start of its form."""
    line = file.lines[one.line - 1] if one.line <= len(file.lines) else ""
    start = (one.column or 1) - 1
    place = place_of_name(index, line, shown(index, one), start)
    if place is not None:
        return one.line - 1, *place
    return one.line - 1, start, start + min(1, max(0, len(line) - start))


def _extent(file: SourceFile, one: PlacedRow) -> list[int]:
    """The range of the whole form; empty if it is unknown."""
    if one.column is None or one.end_line is None or one.offset is None or one.end_offset is None:
        return []
    start = one.column - 1
    length = one.end_offset - one.offset
    for line in range(one.line, one.end_line):
        if line > len(file.lines):
            return []
        length -= len(file.lines[line - 1]) - start + 1
        start = 0
    return [one.line - 1, one.column - 1, one.end_line - 1, start + length]


def _add_uses(
    document: Any,
    file: SourceFile,
    symbols: ScipSymbols,
    rows: Iterable[sql.ExportedUseRow],
    used: dict[str, str],
) -> int:
    """Add the uses that the text of a file names, and return their number."""
    number = 0
    for place, symbol, name, role in dict.fromkeys(_named_uses(file, symbols, rows)):
        document.occurrences.add(range=place, symbol=symbol, symbol_roles=role)
        used.setdefault(symbol, name)
        number += 1
    return number


def _named_uses(
    file: SourceFile, symbols: ScipSymbols, rows: Iterable[sql.ExportedUseRow]
) -> Iterator[tuple[tuple[int, int, int], str, str, int]]:
    for row in rows:
        named = symbols.referred(row.symbol, row.operator, row.relation)
        if named is not None:
            yield _range_of_use(file, row), *named, RELATIONS[row.relation].scip


def _range_of_use(file: SourceFile, row: sql.ExportedUseRow) -> tuple[int, int, int]:
    """The range of a name, without what makes it a designator: ``"FOO"``, ``#:foo``, ``:foo``."""
    line, start = row.line - 1, row.column - 1
    end = start + row.length
    text = file.lines[line][start:end] if line < len(file.lines) else ""
    if text.startswith('"'):
        return line, start + 1, end - 1
    return line, start + (2 if text.startswith("#:") else int(text.startswith(":"))), end
