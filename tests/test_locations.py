"""Lines of definitions, held against Swank's, and against the text itself.

Swank reads each file with the Lisp reader; the index scans it. Where they differ, one of them
is wrong: the index is right when the form it names is, in the text, a form that names the
definition; and it has said so when a problem record tells that the form could not be known.
"""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from indexer.build import build_index
from indexer.image import ImagePlan
from indexer.sources import read_source
from lisp.sbcl import Sbcl

ROOT = Path(__file__).parent.parent
A_FEW = ("alexandria", "cl-ppcre", "closer-mop", "iterate", "split-sequence", "md5")
KINDS = {
    "DEFUN": ("function", "setf-function"),
    "DEFMETHOD": ("method",),
    "DEFCONSTANT": ("constant",),
    "DEFMACRO": ("macro",),
    "DEFGENERIC": ("generic-function",),
    "DEFVAR": ("variable",),
    "DEFCLASS": ("class",),
    "DEFINE-CONDITION": ("condition",),
    "DEFSTRUCT": ("structure",),
    "DEFTYPE": ("type",),
    "DEFINE-COMPILER-MACRO": ("compiler-macro",),
    "DEFINE-SYMBOL-MACRO": ("symbol-macro",),
}
WORD_OF_KIND = {kind: word for word, kinds in KINDS.items() for kind in kinds}
SECONDS = 500
_NO_INIT = ("--noinform", "--no-sysinit", "--no-userinit", "--disable-debugger")

Key = tuple[str, str, str, str]  # package, symbol, SETF or nothing, Swank's word for the kind


@dataclass(frozen=True)
class Place:
    """Where a definition stands; ``own`` when it is its own form, else the toplevel form's line."""

    file: str
    line: int
    text: str = field(default="", compare=False)
    own: bool = field(default=True, compare=False)


def corpus_systems() -> tuple[str, ...]:
    """The systems of the whole corpus, from data/systems.txt."""
    lines = (ROOT / "data" / "systems.txt").read_text(encoding="utf-8").splitlines()
    return tuple(name for line in lines if (name := line.partition("#")[0].strip()))


class Lines:
    """Lines of offsets in source files, each read once."""

    def __init__(self) -> None:
        self._starts: dict[str, tuple[str, list[int]]] = {}

    def line_at(self, file: str, position: int) -> int | None:
        """The line of the first text at or behind ``position`` (from 1)."""
        if file not in self._starts:
            source = read_source(file)
            text = source.text if source else ""
            starts = [0, *(match.end() for match in re.finditer("\n", text))]
            self._starts[file] = (text, starts)
        text, starts = self._starts[file]
        if not text:
            return None
        match = re.compile(r"\S").search(text, position - 1)
        return bisect_right(starts, match.start() if match else position - 1)


def swank_places(sbcl: Sbcl, systems: tuple[str, ...], folder: Path) -> dict[Key, list[Place]]:
    """All places that Swank gives, by definition."""
    output = folder / "swank"
    done = subprocess.run(
        [str(sbcl.path), *_NO_INIT, "--load", str(Path(__file__).parent / "oracle" / "swank.lisp")],
        env={**os.environ, "ORACLE_SYSTEMS": "\n".join(systems), "ORACLE_OUTPUT": str(output)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    places: dict[Key, list[Place]] = defaultdict(list)
    lines = Lines()
    for record in output.read_text(encoding="utf-8").splitlines():
        package, symbol, operator, word, file, position = record.split("\t")
        line = lines.line_at(file, int(position))
        if word in KINDS and line is not None:
            places[package, symbol, operator, word].append(Place(file, line))
    return places


INDEX_PLACES = """
SELECT packages.name, symbols.name, coalesce(operator, ''), kind, path, start_line, start_column,
       (SELECT group_concat(text, char(10)) FROM source_lines
        WHERE source_lines.file_id = definitions.file_id
          AND line BETWEEN start_line AND start_line + 2)
FROM definitions
JOIN symbols ON symbols.id = definitions.symbol_id
JOIN packages ON packages.id = symbols.package_id
JOIN source_files ON source_files.id = definitions.file_id
WHERE start_line IS NOT NULL
"""


def index_places(index: Path) -> dict[Key, list[Place]]:
    """All places that the index gives, by definition."""
    places: dict[Key, list[Place]] = defaultdict(list)
    connection = sqlite3.connect(index)
    for package, symbol, operator, kind, path, line, column, text in connection.execute(INDEX_PLACES):
        if kind in WORD_OF_KIND:
            own = column is not None
            shown = (text or "")[max(0, (column or 1) - 1) :]
            key = (package, symbol.replace("\n", "?"), operator, WORD_OF_KIND[kind])
            places[key].append(Place(path, line, shown, own))
    connection.close()
    return places


def names(place: Place, symbol: str) -> bool:
    """True when the form at ``place`` begins by naming the symbol, or by being its slot."""
    return place.own and symbol.lower() in place.text.lower()


def judge(swank: dict[Key, list[Place]], index: dict[Key, list[Place]]) -> tuple[Counter[str], list[str]]:
    """How the places compare: equal, right by the text, said to be unknown, or unexplained."""
    verdicts: Counter[str] = Counter()
    unexplained = []
    for key, expected in swank.items():
        ours = index.get(key)
        if ours is None:
            # Swank answers for (setf name) with the places of name as well.
            verdicts["not the index's"] += key[2] != "SETF" and key[3] != "DEFUN"
            continue
        left = list(ours)
        for place in expected:
            if place in left:
                left.remove(place)
                verdicts["equal"] += 1
                continue
            here = [other for other in left if other.file == place.file]
            if any(names(other, key[1]) for other in here):
                verdicts["right by the text"] += 1
            elif any(other.own for other in here) and not any(not other.own for other in here):
                verdicts["another form"] += 1
                unexplained.append(f"{key}: Swank {place.file}:{place.line}, index {[o.line for o in here]}")
            elif here:
                verdicts["said to be unknown"] += 1
            else:
                verdicts["redefined elsewhere"] += 1
    return verdicts, unexplained


def compare(sbcl: Sbcl, systems: tuple[str, ...], folder: Path) -> tuple[Counter[str], list[str]]:
    index = folder / "oblist.db"
    build_index(index, ImagePlan(sbcl, (*systems, "swank")), command="tests")
    return judge(swank_places(sbcl, systems, folder), index_places(index))


def assert_good(verdicts: Counter[str], unexplained: list[str], least: int) -> None:
    total = sum(
        verdicts[word] for word in ("equal", "right by the text", "said to be unknown", "another form")
    )
    assert total > least, verdicts
    assert verdicts["equal"] + verdicts["right by the text"] >= 0.995 * total, (verdicts, unexplained[:20])
    assert len(unexplained) <= 0.001 * total, (verdicts, unexplained)
    # What Swank places must be in the index at all, or the comparison would pass over it.
    assert verdicts["not the index's"] <= 0.001 * total, verdicts


@pytest.mark.timeout(300)
def test_lines_of_a_few_libraries_are_those_of_swank(sbcl: Sbcl, tmp_path: Path) -> None:
    assert_good(*compare(sbcl, A_FEW, tmp_path), least=1200)


@pytest.mark.full
@pytest.mark.timeout(1500)
def test_lines_of_the_whole_corpus_are_those_of_swank(sbcl: Sbcl, tmp_path: Path) -> None:
    assert_good(*compare(sbcl, corpus_systems(), tmp_path), least=15_000)
