"""Examples are whole forms of the text that use a name, and differ from each other."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.answers import ExamplesAnswer, NotFound
from oblist.query.index.reading import Reading
from oblist.query.syntax.features import Features
from oblist.query.syntax.nodes import Form
from oblist.query.syntax.reader import read
from oblist.query.syntax.tokens import Tokens
from support.command_line import run_main
from support.shelf import line_of

SEED = 1958
# Exported functions, macros and classes that the text of the libraries uses.
_USED = """
SELECT DISTINCT packages.name, symbols.name FROM symbols
JOIN packages ON packages.id = symbols.package_id JOIN systems ON systems.id = packages.system_id
JOIN used_symbols ON used_symbols.symbol_id = symbols.id AND used_symbols.operator IS NULL
JOIN relations ON relations.id = used_symbols.relation_id
WHERE symbols.exported AND systems.asked AND relation IN ('calls', 'macroexpands', 'instantiates')
  AND symbols.type IN ('FUNCTION', 'MACRO', 'CLASS', 'GENERIC-FUNCTION') ORDER BY 1, 2
"""


def test_every_example_is_a_whole_form_that_has_the_name(libraries_index: Path) -> None:
    with Reading(libraries_index) as reading:
        features = Features(reading.facts["features"], Tokens(reading.upcase))
        names = random.Random(SEED).sample(reading.rows(_USED), 60)
    seen = 0
    with open_index(libraries_index) as index:
        for package, name in names:
            answer = index.examples(f"{package}::|{name}|")
            assert isinstance(answer, ExamplesAnswer)
            assert answer.examples or answer.reason
            forms = [" ".join(one.form.split()) for one in answer.examples]
            assert len(forms) == len(set(forms)) <= 5
            for one in answer.examples:
                seen += 1
                (toplevel,) = read(one.form, features)
                assert toplevel.whole and isinstance(toplevel.node, Form)
                assert name.lower() in one.form.lower()
                assert one.path is not None
                text = Path(one.path).read_bytes().decode("utf-8", "replace").split("\n")
                assert one.form.split("\n")[0] in text[one.line - 1]
    assert seen > 60


def test_examples_of_a_function_come_with_their_place(shelf: tuple[Path, Path]) -> None:
    with open_index(shelf[0]) as index:
        answer = index.examples("open-book", "SHELF", context=1)
        assert isinstance(answer, ExamplesAnswer)
        (first, second) = answer.examples
        assert {first.form, second.form} == {'(open-book "a")', '(open-book "b")'}
        line = line_of('  (open-book "a") (open-book "b"))')
        assert {(one.line, one.caller) for one in answer.examples} == {(line, "shelf::caller-of-two")}
        assert first.context is not None and first.context.split("\n")[0] == "(defun caller-of-two ()"
        none = index.examples("never-heard-of", "SHELF")
        assert isinstance(none, NotFound)
        unused = index.examples("hammer", "SHELF")
        assert isinstance(unused, ExamplesAnswer) and unused.reason is not None


@pytest.mark.parametrize(("name", "code"), [("open-book", 0), ("hammer", 1), ("no-such", 1)])
def test_the_command_shows_examples(name: str, code: int, shelf: tuple[Path, Path]) -> None:
    done = run_main("examples", f"shelf::{name}", "--index", str(shelf[0]))
    assert done.code == code
    if not code:
        assert done.output.startswith("shelf:open-book: 2 of 2 uses")
    told = run_main("examples", f"shelf::{name}", "--index", str(shelf[0]), "--json")
    assert ("examples" in json.loads(told.output)) == (name != "no-such")
