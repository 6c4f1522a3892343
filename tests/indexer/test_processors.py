"""SBCL on other processors: what its index says of libraries is what that of this machine says."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from oblist.indexer.build.index import build_index
from oblist.indexer.image import ImagePlan
from oblist.lisp.sbcl import find_sbcl
from support.checkout import INSTALLED
from support.command import oblist

_SYSTEMS = ("alexandria", "cl-ppcre")
_DEBIANS = "/usr/bin/sbcl"
_ROOTS = INSTALLED / "oblist-processors"
_STARTED = {
    "i386": "{root}/lib/ld-linux.so.2 --library-path {root}/lib/i386-linux-gnu:{root}/usr/lib/i386-linux-gnu",
    "arm64": "qemu-aarch64-static -L {root}",
}
_DEFINITIONS = """
    SELECT p.name, s.name, d.kind, d.qualifiers, d.specializers, d.arglist, d.documentation, f.path,
        d.callers_count
    FROM definitions AS d JOIN symbols AS s ON s.id = d.symbol_id JOIN packages AS p ON p.id = s.package_id
    LEFT JOIN source_files AS f ON f.id = d.file_id
    WHERE p.name IN ('ALEXANDRIA', 'CL-PPCRE') ORDER BY 1, 2, 3, 4, 5
"""
_PLACES = """
    SELECT p.name, s.name, d.kind, d.specializers, d.start_line, d.end_line
    FROM definitions AS d JOIN symbols AS s ON s.id = d.symbol_id JOIN packages AS p ON p.id = s.package_id
    WHERE p.name IN ('ALEXANDRIA', 'CL-PPCRE')
"""


def _rows(index: Path, statement: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(index)) as connection:
        return connection.execute(statement).fetchall()


def _indexed(sbcl: str, index: Path) -> Path:
    assert build_index(index, ImagePlan(find_sbcl(sbcl), _SYSTEMS), command="tests").not_loaded == []
    return index


@pytest.mark.full
@pytest.mark.parametrize("processor", _STARTED)
def test_another_processor_has_the_same_libraries(processor: str, tmp_path: Path) -> None:
    root = _ROOTS / processor / "root"
    assert root.is_dir(), f"{root} is not there. Install it with: .ci/setup processors"
    program = tmp_path / "sbcl"
    program.write_text(
        f"#!/bin/sh\nexport SBCL_HOME={root}/usr/lib/sbcl\n"
        f'exec {_STARTED[processor].format(root=root)} {root}/usr/bin/sbcl "$@"\n'
    )
    program.chmod(0o755)
    index, other = _indexed(_DEBIANS, tmp_path / "this.db"), _indexed(str(program), tmp_path / "other.db")
    definitions = _rows(index, _DEFINITIONS)
    assert len(definitions) > 700 and _rows(other, _DEFINITIONS) == definitions
    # SBCL keeps one copy of debug information that is equal, so a place may be that of another function.
    moved = set(_rows(index, _PLACES)) ^ set(_rows(other, _PLACES))
    assert len(moved) <= 2, moved
    for name in ("cl-ppcre:scan", "alexandria:with-gensyms", "cl-ppcre::regex"):
        texts = [oblist("xref", name, "--index", one).stdout for one in (index, other)]
        assert texts[0] == texts[1] and len(texts[0].splitlines()) > 5
