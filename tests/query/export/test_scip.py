"""The SCIP index decodes, follows the rules of SCIP's linter, and its ranges are names."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from oblist.query.export.scip.schema import DEFINITION, message
from support.command_line import run_main
from support.shelf import SOURCE, line_of

WRITE_ACCESS = 4  # scip.proto, SymbolRole

# scip.proto, the grammar of Symbol.
_NAME = r"(?:[A-Za-z0-9_+$-]+|`(?:[^`]|``)+`)"
_SUFFIX = r"(?:[/#.:!]|\([A-Za-z0-9_+$-]*\)\.)"
_PART = r"(?:[^ ]|  )+ "
SYMBOL = re.compile(rf"{_PART}{_PART}{_PART}{_PART}(?:{_NAME}{_SUFFIX})+")


def exported(index: Path, path: Path, *arguments: str) -> Any:
    done = run_main("export", "scip", "--index", str(index), "-o", str(path), *arguments)
    assert done.code == 0, done.errors
    decoded = message("Index")()
    decoded.ParseFromString(path.read_bytes())
    return decoded


def faults(index: Any, root: Path) -> list[str]:
    """The faults that SCIP's linter would report, and ranges outside their lines."""
    found = []
    known = [one.symbol for document in index.documents for one in document.symbols]
    known += [one.symbol for one in index.external_symbols]
    found += [f"{symbol} described twice" for symbol, number in Counter(known).items() if number > 1]
    found += [f"{symbol} is not a symbol" for symbol in known if not SYMBOL.fullmatch(symbol)]
    paths = Counter(document.relative_path for document in index.documents)
    found += [f"{path} twice" for path, number in paths.items() if number > 1]
    described = set(known)
    defined: set[str] = set()
    for document in index.documents:
        path = document.relative_path
        if path.startswith("/") or {"", ".", ".."} & set(path.split("/")):
            found.append(f"{path} is not canonical")
        text = (root / path).read_bytes().decode("utf-8", "replace")
        lines = text.split("\n")
        places = Counter((tuple(one.range), one.symbol, one.symbol_roles) for one in document.occurrences)
        found += [f"{place} twice in {path}" for place, number in places.items() if number > 1]
        for one in document.occurrences:
            line, start, end = one.range
            if not 0 <= start <= end <= len(lines[line]):
                found.append(f"{path}:{line}: {start} to {end}")
            if one.symbol not in described:
                found.append(f"{one.symbol} is not described")
            if one.symbol_roles & DEFINITION:
                defined.add(one.symbol)
                if one.enclosing_range:
                    first, _, last, _ = one.enclosing_range
                    if not (first <= line <= last):
                        found.append(f"{path}:{line}: not within its form")
    inner = {one.symbol for document in index.documents for one in document.symbols}
    return found + [f"{symbol} has no definition" for symbol in inner - defined]


@pytest.mark.parametrize("fixture", ["libraries_index", pytest.param("corpus_index", marks=pytest.mark.full)])
def test_a_scip_index_keeps_the_rules(fixture: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    index = exported(request.getfixturevalue(fixture), tmp_path / "index.scip")
    assert index.metadata.tool_info.name == "oblist"
    root = Path(index.metadata.project_root.removeprefix("file://"))
    assert faults(index, root)[:10] == []
    occurrences = sum(len(document.occurrences) for document in index.documents)
    assert len(index.documents) > 20
    assert occurrences > 5000


def test_ranges_are_those_of_the_names(shelf: tuple[Path, Path], tmp_path: Path) -> None:
    index = exported(shelf[0], tmp_path / "index.scip")
    assert faults(index, shelf[1]) == []
    (document,) = [one for one in index.documents if one.relative_path == "shelf.lisp"]
    lines = SOURCE.splitlines()
    by_symbol: dict[str, list[Any]] = {}
    for one in document.occurrences:
        by_symbol.setdefault(one.symbol, []).append(one)

    def text(one: Any) -> str:
        return lines[one.range[0]][one.range[1] : one.range[2]]

    page = by_symbol["oblist asdf shelf 1.2.3 SHELF/PAGE()."]
    definition = next(one for one in page if one.symbol_roles & DEFINITION)
    assert (definition.range[0] + 1, text(definition)) == (line_of("(defun page (book"), "page")
    assert {text(one) for one in page} == {"page"}
    assert len(page) >= 1
    light = by_symbol["oblist asdf shelf 1.2.3 SHELF/`*SHELF*`."]
    assert {text(one) for one in light} == {"*shelf*"}
    assert any(one.symbol_roles & WRITE_ACCESS for one in light)
    assert "oblist asdf shelf 1.2.3 SHELF/`(SETF PAGE)`()." in by_symbol
    assert "oblist asdf shelf 1.2.3 SHELF/WITH-BOOK!" in by_symbol
    named = {text(one) for uses in by_symbol.values() for one in uses if one.symbol_roles & DEFINITION}
    assert {"top", "book", "|odd, Name|", "(setf page)", "read-aloud"} <= named
    (book,) = [one for one in document.symbols if one.display_name == "read-aloud" and one.documentation]
    assert list(book.documentation) == ["Read BOOK aloud."]
    assert book.signature_documentation.text == "(read-aloud book &key voice)"


def test_an_empty_name_is_an_identifier_as_lisp_writes_it(shelf: tuple[Path, Path], tmp_path: Path) -> None:
    copy = tmp_path / "oblist.db"
    shutil.copyfile(shelf[0], copy)
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("UPDATE symbols SET name = '', folded = '' WHERE name = 'READ-ALOUD'")
    index = exported(copy, tmp_path / "index.scip")
    known = {one.symbol for document in index.documents for one in document.symbols}
    assert "oblist asdf shelf 1.2.3 SHELF/`||`()." in known
    assert [one for one in known if not SYMBOL.fullmatch(one)] == []


def test_files_outside_the_project_are_left_out(shelf: tuple[Path, Path], tmp_path: Path) -> None:
    inside = exported(shelf[0], tmp_path / "a.scip", "--all", "--project-root", str(shelf[1]))
    assert {one.relative_path for one in inside.documents} == {"shelf.lisp", "windows.lisp"}
    assert inside.metadata.project_root == shelf[1].as_uri()
    assert any(one.symbol.startswith("oblist asdf sbcl ") for one in inside.external_symbols)
