"""Lines of definitions, compared with Swank's and with the text itself.

Swank reads each file with the Lisp reader; the index scans it. Where they differ, one of them is
wrong. The index is right if its form names the definition in the text; it is excused if a problem
record says that the form could not be known.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from oblist.indexer.sources import read_source
from oblist.lisp.sbcl import Sbcl
from support.amount import amount
from support.builds.tested_version import since
from support.corpus import corpus_systems
from support.swank_places import Key, Place, swank_places

A_FEW = amount(
    ("cl-ppcre", "split-sequence"),
    ("alexandria", "cl-ppcre", "closer-mop", "iterate", "split-sequence", "md5"),
)
# Folders of libraries that must be right by themselves; ironclad computes some of its text at read time.
READ_TIME = ("alexandria", "cl-ppcre", "ironclad", "cl-flexi-streams", "drakma", "hunchentoot", "iterate")
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

INDEX_PLACES = """
SELECT packages.name, symbols.name, coalesce(operator, ''), kind, path, start_line, start_column, end_line,
       (SELECT group_concat(text, char(10)) FROM source_lines
        WHERE source_lines.file_id = definitions.file_id
          AND line BETWEEN start_line AND start_line + 2)
FROM definitions
JOIN symbols ON symbols.id = definitions.symbol_id
JOIN packages ON packages.id = symbols.package_id
JOIN source_files ON source_files.id = definitions.file_id
WHERE start_line IS NOT NULL
"""

VOPS = """
SELECT path, start_line, symbols.name FROM definitions
JOIN symbols ON symbols.id = symbol_id JOIN source_files ON source_files.id = file_id
WHERE kind = 'vop' AND path LIKE '%/ironclad/%'
"""
VOP_LINES = """
SELECT path, line, text FROM source_lines JOIN source_files ON source_files.id = source_lines.file_id
WHERE path LIKE '%/ironclad/%' AND text LIKE '(define-vop %'
"""


def index_places(index: Path) -> dict[Key, list[Place]]:
    """All places in the index, by definition."""
    places: dict[Key, list[Place]] = defaultdict(list)
    with closing(sqlite3.connect(index)) as connection:
        for package, symbol, operator, kind, path, line, column, end, text in connection.execute(
            INDEX_PLACES
        ):
            if kind in WORD_OF_KIND:
                own = column is not None
                shown = (text or "")[max(0, (column or 1) - 1) :]
                key = (package, symbol.replace("\n", "?"), operator, WORD_OF_KIND[kind])
                places[key].append(Place(path, line, shown, own, end or line))
    return places


def files_of(index: Path, systems: tuple[str, ...]) -> set[str]:
    """The source files that belong to ``systems``."""
    with closing(sqlite3.connect(index)) as connection:
        rows = connection.execute(
            "SELECT path, name FROM source_files JOIN systems ON systems.id = source_files.system_id"
        ).fetchall()
    return {path for path, name in rows if name in systems}


def in_files(places: dict[Key, list[Place]], wanted: Callable[[str], bool]) -> dict[Key, list[Place]]:
    """The definitions with places in wanted files, and those places."""
    kept = {key: [place for place in known if wanted(place.file)] for key, known in places.items()}
    return {key: some for key, some in kept.items() if some}


def names(place: Place, symbol: str) -> bool:
    """True when the form at ``place`` begins by naming the symbol, or by being its slot.

    A macro may have made the name: then all its words are there.
    """
    text = place.text.lower()
    words = [word for word in symbol.lower().split("-") if not word.isdigit()]
    return place.own and (symbol.lower() in text or all(word in text for word in words))


def is_clause_in(generic: list[Place], swanks: Place, place: Place) -> bool:
    """True when Swank has the DEFGENERIC for a method, and ``place`` is a clause of that form.

    No other toplevel form may begin in between.
    """
    if swanks not in generic or not place.text.lower().startswith("(:method") or place.line < swanks.line:
        return False
    source = read_source(place.file)
    assert source is not None
    between = source.text.split("\n")[swanks.line : place.line]
    return not any(line.startswith("(") for line in between)


def names_accessor(place: Place, symbol: str) -> bool:
    """True when the form at ``place`` is a slot with this accessor, which may be lines further down."""
    source = read_source(place.file)
    assert source is not None
    form = " ".join(source.text.split("\n")[place.line - 1 : place.end])
    accessor = rf":(accessor|reader|writer)\s+(\(setf\s+)?{re.escape(symbol)}[\s)]"
    return place.own and re.search(accessor, form, re.IGNORECASE) is not None


def judge(swank: dict[Key, list[Place]], index: dict[Key, list[Place]]) -> tuple[Counter[str], list[str]]:
    """The result of comparing places: equal, right by the text, declared unknown, or unexplained."""
    verdicts: Counter[str] = Counter()
    unexplained = []
    for key, expected in swank.items():
        if key[3] not in KINDS:
            continue
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
            generic = swank.get((*key[:3], "DEFGENERIC"), [])
            clause = next((other for other in here if is_clause_in(generic, place, other)), None)
            if clause is not None:
                left.remove(clause)
                verdicts["the clause in it"] += 1
            elif any(names(other, key[1]) or names_accessor(other, key[1]) for other in here):
                verdicts["right by the text"] += 1
            elif any(other.own for other in here) and not any(not other.own for other in here):
                verdicts["another form"] += 1
                unexplained.append(f"{key}: Swank {place.file}:{place.line}, index {[o.line for o in here]}")
            elif here:
                verdicts["said to be unknown"] += 1
            else:
                verdicts["redefined elsewhere"] += 1
    return verdicts, unexplained


def assert_good(verdicts: Counter[str], unexplained: list[str], least: int) -> None:
    right = sum(verdicts[word] for word in ("equal", "right by the text", "the clause in it"))
    total = right + verdicts["said to be unknown"] + verdicts["another form"]
    assert total > least, verdicts
    assert verdicts["the clause in it"] > 0 or since("2.6"), verdicts
    assert total - right <= 0.0002 * total, (verdicts, unexplained[:20])
    # Everything that Swank places must be in the index, or the comparison would skip it.
    assert verdicts["not the index's"] <= 0.001 * total, verdicts


def test_lines_of_a_few_libraries_are_those_of_swank(sbcl: Sbcl, swank_index: Path, tmp_path: Path) -> None:
    swank = swank_places(sbcl, A_FEW, tmp_path)
    # Swank itself and a newer ASDF are there as well; they belong to the whole corpus.
    files = files_of(swank_index, A_FEW)
    swank = in_files(swank, files.__contains__)
    # Of code that SBCL 2.6 has compiled, Debian's Swank finds few functions.
    least = amount(60, 160) if since("2.6") else amount(300, 800)
    assert_good(*judge(swank, index_places(swank_index)), least=least)


@pytest.mark.full
def test_lines_of_the_whole_corpus_are_those_of_swank(sbcl: Sbcl, corpus_index: Path, tmp_path: Path) -> None:
    swank = swank_places(sbcl, corpus_systems(), tmp_path)
    index = index_places(corpus_index)
    assert_good(*judge(swank, index), least=18_000)
    swank = in_files(swank, lambda file: any(f"/source/{folder}/" in file for folder in READ_TIME))
    assert_good(*judge(swank, index), least=4000)


@pytest.mark.full
def test_every_vop_of_a_library_stands_at_its_form(corpus_index: Path) -> None:
    with closing(sqlite3.connect(corpus_index)) as connection:
        places = connection.execute(VOPS).fetchall()
        lines = connection.execute(VOP_LINES).fetchall()
    written = {
        (path, line, found[1].upper())
        for path, line, text in lines
        if (found := re.match(r"\(define-vop \((\S+?)[\s)]", text))
    }
    assert len(written) > 20
    assert written <= set(places)


# What has a file has its own form there, or a problem record says why not.

UNKNOWN = """
SELECT coalesce(packages.name || '::' || symbols.name, defined.name), definitions.kind, recorded
FROM definitions
JOIN source_files ON source_files.id = definitions.file_id
LEFT JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
LEFT JOIN packages AS defined ON defined.id = definitions.package_id
WHERE start_column IS NULL
"""
WITH_REASON = """
  AND recorded NOT IN (SELECT subject FROM problems WHERE stage = 'source')
  AND NOT EXISTS (
    SELECT 1 FROM problems
    WHERE stage IN ('location', 'definition') AND (part = kind OR part LIKE kind || ',%')
      AND instr(subject, coalesce(symbols.name, defined.name)) > 0)
"""


@pytest.mark.parametrize("fixture", ["libraries_index", pytest.param("corpus_index", marks=pytest.mark.full)])
def test_every_definition_with_a_file_but_no_place_has_a_problem_record(
    fixture: str, request: pytest.FixtureRequest
) -> None:
    with closing(sqlite3.connect(request.getfixturevalue(fixture))) as connection:
        assert len(connection.execute(UNKNOWN).fetchall()) > (100 if since("2.2") else 20)
        assert connection.execute(UNKNOWN + WITH_REASON).fetchall() == []
        ((lines_without_form,),) = connection.execute(
            "SELECT count(*) FROM definitions WHERE start_column IS NOT NULL AND (start_line IS NULL"
            " OR start_offset IS NULL OR end_offset IS NULL OR end_line IS NULL)"
        )
        assert lines_without_form == 0
