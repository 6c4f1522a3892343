"""Wherever a use has a column, the source text there is the name that is used."""

from __future__ import annotations

import random
import re
import sqlite3
from contextlib import closing

import pytest

from oblist.indexer.sources import Source, read_source

SEED = 1962
# A package may come before a name; anything that ends a token ends the name.
PIPES = r"\|((?:[^|\\]|\\.)*)\|"
TOKEN = re.compile(rf"(?:\\.|{PIPES}|[^\s()\"';`,|\\])+", re.DOTALL)

USES = """
SELECT source_files.path, line, start_column, symbols.name, relation
FROM symbol_references
JOIN relations ON relations.id = relation_id
JOIN symbols ON symbols.id = callee_id
JOIN callers ON callers.id = caller_id
JOIN source_files ON source_files.id = callers.file_id
WHERE start_column IS NOT NULL
ORDER BY source_files.path, line, start_column, symbols.name, relation
"""


def name_at(text: str, column: int) -> str:
    """The name of the symbol whose token, or whose designator in a string, begins at ``column`` (from 1)."""
    if text[column - 1 : column] == '"':
        return text[column : text.index('"', column)]
    match = TOKEN.match(text, column - 1)
    token = match[0] if match else ""
    plain = re.sub(rf"\\.|{PIPES}", lambda found: "_" * len(found[0]), token, flags=re.DOTALL)
    start = plain.rfind(":") + 1
    parts = re.findall(rf"\\(.)|{PIPES}|([^|\\]+)", token[start:], re.DOTALL)
    piped = [re.sub(r"\\(.)", r"\1", one, flags=re.DOTALL) for _, one, _ in parts]
    return "".join(escaped + one + bare.upper() for (escaped, _, bare), one in zip(parts, piped, strict=True))


@pytest.mark.parametrize(
    ("text", "column", "name"),
    [
        ("(foo 1)", 2, "FOO"),
        ("(a:foo)", 2, "FOO"),
        ("#'b::foo)", 3, "FOO"),
        ("(|a: b|::|c: D|e)", 2, "c: DE"),
        ("(f\\oo", 2, "FoO"),
        (":|\\|| 1", 1, "|"),
        ("(a:|b\\\\|c)", 2, "b\\C"),
        ("( foo", 2, ""),
        ('(:export "FOO")', 10, "FOO"),
        ("(:export #:foo)", 10, "FOO"),
    ],
)
def test_a_name_is_read_as_lisp_reads_it(text: str, column: int, name: str) -> None:
    assert name_at(text, column) == name


@pytest.mark.parametrize(
    ("fixture", "least"),
    [("libraries_index", 120_000), pytest.param("corpus_index", 200_000, marks=pytest.mark.full)],
)
@pytest.mark.timeout(1800)
def test_the_text_at_the_column_of_a_use_is_the_name(
    fixture: str, least: int, request: pytest.FixtureRequest
) -> None:
    with closing(sqlite3.connect(request.getfixturevalue(fixture))) as connection:
        uses = connection.execute(USES).fetchall()
        ((names,),) = connection.execute("SELECT count(*) FROM symbol_references")
    assert least < len(uses) < names
    if fixture == "libraries_index":  # all of them take a while; `make verify` has the time
        uses = random.Random(SEED).sample(uses, 20_000)
    sources: dict[str, list[str]] = {}
    wrong, spliced = [], 0
    for path, line, column, name, relation in uses:
        if path not in sources:
            source = read_source(path)
            assert isinstance(source, Source), path
            sources[path] = source.lines()
        text = sources[path][line - 1]
        found = name_at(text, column)
        # The text of a name may go on in the next line only between pipes, which few names need.
        with_sign = text[column - 2 : column] == ",@"  # the sign before a name does not belong to it
        spliced += text[: column - 1].endswith(",@")
        if with_sign or (found != name and found.upper() != name.upper()):
            wrong.append(
                f"{path}:{line}:{column} {relation} {name}, but there is {text[column - 1 :][:40]!r}"
            )
    assert wrong == []
    assert spliced or fixture == "libraries_index"  # in the corpus there are some
