"""Folded types are never narrower than the types that they stand for, and arguments are counted rightly."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query.syntax.printed import argument_types, printed_lambda_list
from oblist.query.syntax.type_relation import DESIGNATORS
from support.builds.systems import SYSTEMS
from support.checkout import ROOT
from support.corpus import corpus_systems
from support.oracle import ask_oracle

pytestmark = pytest.mark.timeout(1800)  # the first test of the corpus builds it
FOLDED = """
SELECT DISTINCT definitions.ftype, coalesce(argument_types, ''), coalesce(result_types, '')
FROM signatures JOIN definitions ON definitions.id = signatures.id
WHERE argument_types IS NOT NULL OR result_types IS NOT NULL
"""
COUNTED = """
SELECT definitions.arglist, least_arguments, most_arguments
FROM signatures JOIN definitions ON definitions.id = signatures.id
"""
TYPED = """
SELECT definitions.arglist, argument_types
FROM signatures JOIN definitions ON definitions.id = signatures.id WHERE argument_types LIKE '%&KEY%'
"""
WRITTEN = re.compile(r'\("(\S+-DESIGNATOR)" \. \(or ([^)]*)\)\)')


@pytest.fixture(
    scope="module", params=["systems", *(pytest.param(name, marks=pytest.mark.full) for name in ("corpus",))]
)
def image(request: pytest.FixtureRequest) -> tuple[Path, tuple[str, ...]]:
    """An index, and the systems in it."""
    systems = {"systems": SYSTEMS, "corpus": corpus_systems()}[request.param]
    path: Path = request.getfixturevalue(f"{request.param}_index")
    return path, tuple(systems)


def test_a_folded_type_is_as_wide_as_the_type_it_stands_for(
    sbcl: Sbcl, image: tuple[Path, tuple[str, ...]], tmp_path: Path
) -> None:
    path, systems = image
    with closing(sqlite3.connect(path)) as connection:
        rows = [row for row in connection.execute(FOLDED) if "#<" not in row[0] and "\n" not in "".join(row)]
    questions = tmp_path / "questions"
    questions.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    answers = ask_oracle(sbcl, "signatures", tmp_path / "answers", systems=systems, questions=questions)
    assert len(rows) > 5000
    assert len(answers["wide"]) > 10_000
    assert answers.get("wrong", []) == []
    assert answers.get("narrow", []) == []
    # SBCL cannot tell about types that SATISFIES or that are not defined.
    assert len(answers.get("uncertain", [])) * 1000 <= len(answers["wide"])


def test_every_designator_is_met(image: tuple[Path, tuple[str, ...]]) -> None:
    with closing(sqlite3.connect(image[0])) as connection:
        (texts,) = connection.execute("SELECT group_concat(argument_types, ' ') FROM signatures").fetchone()
    assert [name for name in DESIGNATORS if name not in texts] == []


def test_both_sides_have_the_same_designators() -> None:
    source = (ROOT / "lisp" / "dump" / "signatures.lisp").read_text(encoding="utf-8")
    assert {name: parts.upper().split() for name, parts in WRITTEN.findall(source)} == DESIGNATORS


def test_arguments_are_counted_as_the_lambda_list_has_them(image: tuple[Path, tuple[str, ...]]) -> None:
    with closing(sqlite3.connect(image[0])) as connection:
        rows = connection.execute(COUNTED).fetchall()
    wrong = []
    for arglist, least, most in rows:
        parsed = printed_lambda_list(arglist)
        open_ended = parsed.rest_word is not None or parsed.keywords is not None
        expected = (len(parsed.required), None if open_ended else len(parsed.positional))
        if (least, most) != expected:
            wrong.append((arglist, least, most))
    assert len(rows) > 13_000
    assert wrong == []


def test_keyword_arguments_are_in_the_order_of_the_lambda_list(image: tuple[Path, tuple[str, ...]]) -> None:
    """SBCL 2.6 has one list for each set of them, in the order in which the image had them first."""
    with closing(sqlite3.connect(image[0])) as connection:
        rows = connection.execute(TYPED).fetchall()
    assert len(rows) > 100
    for arglist, types in rows:
        keys = [one.name for one in printed_lambda_list(arglist).keywords or () if one.name]
        typed = [one.removeprefix(":") for one in argument_types(types).keywords]
        assert [one for one in keys if one in typed] == [one for one in typed if one in keys], arglist
