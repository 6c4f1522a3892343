"""Functions of a library are made wrong one at a time: the tests that fail are among those selected."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query.affected.ask import TextPair, affected
from oblist.query.affected.changed import TextForm, forms_of
from oblist.query.index.reading import Reading
from oblist.query.syntax.features import Features
from oblist.query.syntax.lexemes import Lexeme, lexemes
from oblist.query.syntax.tokens import Tokens
from support.builds.build_cache import kept
from support.command import oblist
from support.live import run_script

LIBRARY = Path("/usr/share/common-lisp/source/alexandria")
SWAPS = {
    **{
        "+": "-",
        "-": "+",
        "<": ">",
        ">": "<",
        "<=": "<",
        "=": "/=",
        "min": "max",
        "car": "cdr",
        "cdr": "car",
    },
    **{"t": "nil", "nil": "t", "1+": "1-", "1-": "1+", "when": "unless", "unless": "when", "eq": "eql"},
    **{"and": "or", "or": "and", "first": "second", "0": "1", "1": "2", "floor": "ceiling", "every": "some"},
}
COUNT, SEED = 40, 1


class Mutant(NamedTuple):
    """A form of a file as it is, and made wrong."""

    path: str
    package: str
    text: str
    form: TextForm
    wrong: str


def library() -> Path:
    """The folder of alexandria, with an index of it and of its tests."""

    def build(folder: Path) -> None:
        shutil.copytree(LIBRARY, folder, dirs_exist_ok=True)
        done = oblist("index", "--project", folder, "--tests", "--no-snapshot")
        assert done.returncode == 0, done.stderr

    return kept("alexandria with tests", build, inputs=sorted(LIBRARY.rglob("*.*")))


def mutants(folder: Path, features: Features) -> Iterator[Mutant]:
    """Yield functions with one token replaced, in an order that a seed draws."""
    found = []
    for path in sorted(folder.glob("alexandria-*/*.lisp")):
        text, package = path.read_text(), ""
        for form in forms_of(text, features) if path.stem != "tests" else ():
            if form.name.operator == "in-package":
                package = form.name.name.lstrip("#:").upper()
            elif form.name.operator == "defun":
                found.append((path, package, text, form))
    drawn = random.Random(SEED)
    drawn.shuffle(found)
    for path, package, text, form in found:
        body = [one for one in [*lexemes(form.placed.text)][4:] if one.text.lower() in SWAPS]
        if body:
            yield Mutant(str(path), package, text, form, replaced(form.placed.text, drawn.choice(body)))


def replaced(text: str, one: Lexeme) -> str:
    return text[: one.start] + SWAPS[one.text.lower()] + text[one.start + len(one.text) :]


@pytest.mark.full
def test_the_tests_that_fail_are_selected(sbcl: Sbcl, tmp_path: Path) -> None:
    folder = library()
    with Reading(folder / ".oblist" / "oblist.db") as index:
        features = Features(index.facts.get("features", ""), Tokens(index.upcase))
        chosen = [one for one, _ in zip(mutants(folder, features), range(COUNT), strict=False)]
        rows = [(one.package, one.wrong, one.form.placed.text) for one in chosen]
        quoted = ("(" + " ".join(json.dumps(part).replace("\\n", "\n") for part in row) + ")" for row in rows)
        (tmp_path / "mutants").write_text("\n".join(quoted))
        files = {"mutants": tmp_path / "mutants", "results": tmp_path / "results"}
        run_script(
            sbcl,
            "mutant_runner.lisp",
            systems=["sb-rt", "alexandria", "alexandria-tests"],
            seconds=600,
            **files,
        )
        failures = [set(line.split()) for line in (tmp_path / "results").read_text().splitlines()]
        assert len(failures) == COUNT and sum(map(bool, failures)) > COUNT / 3
        shares = []
        for one, failing in zip(chosen, failures, strict=True):
            start, end = one.form.placed.start, one.form.placed.end
            new = one.text[:start] + one.wrong + one.text[end:]
            answer = affected(index, str(folder), {one.path: TextPair(one.text, new)})
            names = {name.rpartition(":")[2].upper() for test in answer.tests for name in test.runs}
            assert failing <= names, one.form.name
            shares.append(len(answer.tests) / answer.tests_total)
        assert sum(shares) / COUNT < 0.1
