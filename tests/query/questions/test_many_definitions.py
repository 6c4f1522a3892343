"""Names with very many definitions: what is read in part says what is read whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.answers import DefinitionTextAnswer, DescribeAnswer
from oblist.query.questions.definition import ask as definition_ask
from oblist.query.questions.definition.text import definition_text
from oblist.query.questions.describe import ask as describe_ask

# With ten definitions or more, and methods among them.
MANY = """
SELECT symbols.name, packages.name, count(*) FROM definitions
JOIN symbols ON symbols.id = definitions.symbol_id JOIN packages ON packages.id = symbols.package_id
GROUP BY symbols.id HAVING count(*) > 10
"""


def test_a_page_of_many_definitions_describes_the_whole(
    bare_index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_index(bare_index) as index:
        names = index.rows(MANY)
        for name, package, total in names:
            whole = index.describe(f"|{name}|", f"|{package}|")
            monkeypatch.setattr(describe_ask, "_FEW", 4)
            page = index.describe(f"|{name}|", f"|{package}|", limit=3, offset=5)
            monkeypatch.undo()
            assert isinstance(whole, DescribeAnswer) and isinstance(page, DescribeAnswer)
            shown = whole.definitions[5:8]
            assert page == replace(whole, definitions=shown, definitions_offset=5), name
            assert page.definitions_total == total
    assert len(names) > 10


def test_the_beginning_of_many_definitions_is_that_of_the_whole(
    bare_index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = 0
    with open_index(bare_index) as index:
        names = index.rows(MANY)
        for name, package, total in names:
            whole = index.definition(f"|{name}|", f"|{package}|", max_length=0)
            monkeypatch.setattr(definition_ask, "_MANY", 10)
            monkeypatch.setattr(definition_ask, "_AT_ONCE", 4)
            begun = index.definition(f"|{name}|", f"|{package}|", max_length=300)
            monkeypatch.undo()
            assert isinstance(whole, DefinitionTextAnswer) and isinstance(begun, DefinitionTextAnswer)
            # A later definition in the form of an earlier one adds a comment, if it is read.
            if len({(one.path, one.line) for one in whole.definitions}) == total:
                assert whole.text.startswith(begun.text), name
                cut += begun.truncated
            assert (begun.total, begun.truncated) == (total, len(whole.text) > 300)
            if begun.characters is None:
                assert f"characters: {len(begun.definitions)}/{total} definitions]" in definition_text(
                    begun, name
                )
            else:
                assert begun.characters == whole.characters
    assert cut > 5
