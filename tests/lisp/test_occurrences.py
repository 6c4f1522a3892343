"""The occurrences in an index are those that the Lisp reader finds in the same files."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from oblist.indexer.source_text import decoded
from oblist.lisp.sbcl import Sbcl
from support.builds.systems import LIBRARIES
from support.locals import local_names
from support.oracle import Answers, ask_oracle

# A token: file, offset, length, home package and name of the symbol.
Token = tuple[str, int, int, str, str]

# SBCL's own files need packages and variables of its build; other files may have a reader macro of their own.
MOST_UNREAD = 0.1
# What a feature of SBCL's build decides, which the image no longer has; nothing is in doubt in libraries.
MOST_IN_DOUBT = {"bare": 0.001, "libraries": 0.0}

_INDEXED = """
SELECT packages.name, symbols.name FROM symbols JOIN packages ON packages.id = package_id
WHERE packages.name <> 'KEYWORD'
  AND (exported OR EXISTS (SELECT 1 FROM definitions WHERE symbol_id = symbols.id))
"""
_OWN_FILES = """
SELECT path FROM source_files JOIN systems ON systems.id = system_id
WHERE systems.asked AND path NOT LIKE '%.asd'
"""
_SYMBOLS = "SELECT packages.name, symbols.name FROM symbols JOIN packages ON packages.id = package_id"
_PLACES = """
SELECT source_files.path, used.line, used.start_column, coalesce(used.length, length(symbols.name)),
       packages.name, symbols.name, relations.relation, used.form_number
FROM symbol_references AS used
JOIN relations ON relations.id = relation_id
JOIN callers ON callers.id = caller_id
JOIN source_files ON source_files.id = callers.file_id
JOIN symbols ON symbols.id = callee_id
JOIN packages ON packages.id = symbols.package_id
WHERE used.start_column IS NOT NULL
"""


@dataclass(frozen=True)
class Files:
    """The tokens of indexed symbols that the reader read, the places in the index, and the local names.

    In the ``own`` files, those of the systems that were asked for, all symbols are indexed, and keywords too.
    """

    answers: Answers
    tokens: set[Token]
    places: dict[Token, list[tuple[str, int | None]]]
    local: set[tuple[str, int, int]]
    read: dict[str, int]
    own: set[str]
    in_doubt: float


@pytest.fixture(scope="module", params=["libraries", pytest.param("bare", marks=pytest.mark.full)])
def files(request: pytest.FixtureRequest, sbcl: Sbcl, tmp_path_factory: pytest.TempPathFactory) -> Files:
    path: Path = request.getfixturevalue(f"{request.param}_index")
    systems: Sequence[str] = LIBRARIES if request.param == "libraries" else ()
    folder = tmp_path_factory.mktemp("occurrences")
    questions = folder / "questions"
    sbcl_own = "NOT" if request.param == "libraries" else ""
    with closing(sqlite3.connect(path)) as connection:
        paths = [
            one
            for (one,) in connection.execute(
                f"""SELECT source_files.path FROM source_files JOIN roots ON roots.id = root_id
                    WHERE roots.name {sbcl_own} IN ('sbcl') AND sha256 IS NOT NULL ORDER BY source_files.id"""
            )
        ]
        indexed = set(connection.execute(_INDEXED))
        symbols = set(connection.execute(_SYMBOLS))
        own = {one for (one,) in connection.execute(_OWN_FILES)}
        rows = connection.execute(_PLACES).fetchall()
    questions.write_text("".join(f"{one}\n" for one in paths))
    answers = ask_oracle(sbcl, "tokens", folder / "answers", systems=systems, questions=questions)
    read = {str(one): int(str(end)) for one, end in answers["read"]}
    tokens = {
        (str(file), int(str(start)), int(str(length)), str(package), str(name))
        for file, start, length, package, name in answers["token"]
        if (package, name) in (symbols if file in own else indexed)
    }
    starts = {one: _line_starts(Path(one)) for one in paths}
    places: dict[Token, list[tuple[str, int | None]]] = {}
    for file, line, column, length, package, name, relation, form in rows:
        if file in starts:
            token = (file, starts[file][line - 1] + column - 1, length, package, name)
            places.setdefault(token, []).append((relation, form))
    local = local_names(sbcl, systems, folder / "local")
    return Files(answers, tokens, places, local, read, own, MOST_IN_DOUBT[request.param])


def _line_starts(path: Path) -> list[int]:
    starts = [0]
    for number, char in enumerate(decoded(path.read_bytes()), 1):
        if char == "\n":
            starts.append(number)
    return starts


def test_nearly_every_file_can_be_read_to_compare(files: Files) -> None:
    unread = files.answers.get("unread", [])
    assert len(files.read) >= 30
    assert len(unread) <= MOST_UNREAD * len(files.read), unread


def test_every_token_of_an_indexed_symbol_is_in_the_index_or_local(files: Files) -> None:
    assert len(files.tokens) >= 10_000
    missing = {token for token in files.tokens - files.places.keys() if token[:3] not in files.local}
    assert len(missing) <= files.in_doubt * len(files.tokens), sorted(missing)[:40]
    if files.own:
        keywords = [token for token in files.tokens if token[0] in files.own and token[3] == "KEYWORD"]
        assert len(keywords) > 1000


def test_every_place_in_the_index_is_one_that_the_reader_finds(files: Files) -> None:
    # Strings, keywords and uninterned symbols that designate others are no tokens of theirs, nor are initargs
    # and names of slots tokens of indexed symbols.
    designators = {"exports", "imports", "names"}
    wrong = [
        token
        for token, uses in files.places.items()
        if token not in files.tokens
        and token[1] < files.read[token[0]]
        and any(form is None and relation not in designators for relation, form in uses)
    ]
    assert len(wrong) <= files.in_doubt * len(files.places), sorted(wrong)[:20]


def test_what_is_local_is_not_in_the_index_too(files: Files) -> None:
    assert len(files.local) >= 10_000
    both = [
        token
        for token, uses in files.places.items()
        if token[:3] in files.local and any(form is None for _, form in uses)
    ]
    assert not both, sorted(both)[:20]
