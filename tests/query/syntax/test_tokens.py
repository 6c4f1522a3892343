"""Tokens name the symbols that the live reader reads, whatever the READTABLE-CASE."""

from __future__ import annotations

import random
from pathlib import Path

from oblist.lisp.sbcl import Sbcl
from oblist.query.index.reading import Reading
from oblist.query.syntax.tokens import CASES, Tokens
from support.live import read_lines, run_script, write_lines

_LETTERS = ("fo", "FO", "fO", "üÜ", "ßſ", "ｆＯ", "ǅǆ", "j\u030c", "12", "-", "|fO|", "\\f", "\\O", "|\\||")


def test_each_case_reads_as_the_live_reader_does(sbcl: Sbcl, bare_index: Path, tmp_path: Path) -> None:
    chance = random.Random(8)
    drawn = {"".join(chance.choices(_LETTERS, k=chance.randint(1, 4))) for _ in range(1500)}
    asked = [(token, case) for token in sorted(drawn) for case in CASES]
    assert len(asked) > 3000
    write_lines(tmp_path / "tokens", [(token, case.upper()) for token, case in asked])
    run_script(sbcl, "reader_oracle.lisp", tokens=tmp_path / "tokens", answers=tmp_path / "answers")
    read = [name or None for (name,) in read_lines(tmp_path / "answers")]
    with Reading(bare_index) as index:
        tokens = Tokens(index.upcase)
        found = [tokens.in_case(case).symbol(token) for token, case in asked]
    named = [one and one.name for one in found]
    assert [row for row in zip(asked, named, read, strict=True) if row[1] != row[2]] == []
