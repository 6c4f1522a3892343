"""Each fact has one home: names are put together, and pipes escaped, in one place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from support.product import MODULES, nodes

# Typed names are written for an index here, from parts that the contract puts together.
NAMES = "query.index.written"
TOKENS = "indexer.names"
# Text with two colons in it that is not a name as one types it: what describe and apropos show by the text
# contract, names by which diff and check tell symbols apart, and a command of GitHub's.
TWO_COLONS = {
    "query.questions.describe.text",
    "query.questions.apropos.text",
    "query.diff.api",
    "query.syntax.printed",
    "query.diff.comparison",
    "query.check.world.indexed",
    "query.check.report.formats",
}
SELECT = re.compile(r"\s*(SELECT|WITH)\s[^.]*\bFROM\b", re.DOTALL)
SYNTAX = "query.syntax."
LAMBDA_LISTS = "query.syntax.lambda_list"
# A class of characters with both parentheses, or with pipe and backslash: what ends a token of Lisp.
READS_LISP = re.compile(r"\[\^?[^\]\s]*\((?=[^\]\s]*\))[^\]]*\]|\[\^?[^\]]*(?:\|\\\\|\\\\\|)[^\]]*\]")
ESCAPES_PIPES = re.compile(r"""replace\(["']\|["']""")


def joined_texts(module: str) -> Iterator[str]:
    """The f-strings of a module, with ``{}`` for each value."""
    for node in nodes(module):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)


def imported_names(module: str) -> set[str]:
    """The names that a module takes from others."""
    return {alias.name for node in nodes(module) if isinstance(node, ast.ImportFrom) for alias in node.names}


def test_one_place_writes_names_as_one_types_them() -> None:
    joining = {module for module in MODULES if any("{}::{}" in text for text in joined_texts(module))}
    assert joining == TWO_COLONS
    assert {module for module in MODULES if "written_name" in imported_names(module)} == {NAMES}
    assert "{}{}{}" in joined_texts(TOKENS)


def test_one_place_puts_operators_before_names() -> None:
    writing = {module for module in MODULES if "({} {})" in joined_texts(module)}
    assert TOKENS in writing
    # The parameter of a method with its specializer.
    assert writing - {TOKENS} == {"query.questions.definition.placeholder"}


def test_only_modules_of_sql_have_selects() -> None:
    found = set()
    for module in MODULES:
        for node in nodes(module):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and SELECT.match(node.value):
                found.add(module)
    found = {name for name in found if name.startswith("query.") and not name.endswith(".sql")}
    assert found == set()


def test_one_place_escapes_pipes() -> None:
    escaping = {
        module for module, path in MODULES.items() if ESCAPES_PIPES.search(path.read_text(encoding="utf-8"))
    }
    assert escaping == {TOKENS}


@pytest.mark.parametrize("text", ['name.replace("|", "\\\\|")', "name.replace('|', '')"])
def test_what_escapes_pipes_is_seen(text: str) -> None:
    assert ESCAPES_PIPES.search(text)


def texts_of(module: str) -> Iterator[str]:
    """The strings of a module, those within f-strings included."""
    for node in nodes(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_one_folder_reads_lisp_text() -> None:
    reading = {
        module
        for module in MODULES
        if module.startswith("query.") and any(READS_LISP.search(text) for text in texts_of(module))
    }
    assert {module for module in reading if not module.startswith(SYNTAX)} == set()
    assert {f"{SYNTAX}lexemes", f"{SYNTAX}mentions"} <= reading


@pytest.mark.parametrize(
    "pattern", [r"""[^\s()\"';`,\\|]""", r"#:[^\s()]+", r"\|(?:[^|\\]|\\.)*\|", r"(?<=[^\s()'\":|]):", "[()]"]
)
def test_a_pattern_that_reads_lisp_text_is_seen(pattern: str) -> None:
    assert READS_LISP.search(pattern)


def test_one_place_parses_lambda_lists() -> None:
    # The grammar's descriptions of arguments have the same word; they are no lambda lists.
    parsing = {module for module in MODULES if "&optional" in map(str.lower, texts_of(module))}
    assert parsing == {LAMBDA_LISTS, f"{SYNTAX}walk.operators"}
