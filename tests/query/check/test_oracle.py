"""The checker's reader against SBCL's own, and the whole corpus, which has no faults."""

from __future__ import annotations

import os
import random
import re
import sqlite3
import subprocess
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query.check.files import read_text
from oblist.query.check.run import Check
from oblist.query.check.settings import Settings
from oblist.query.index.reading import Reading
from oblist.query.syntax.features import Features
from oblist.query.syntax.nodes import Faults, Form, Node
from oblist.query.syntax.reader import read
from oblist.query.syntax.tokens import KEYWORD, Tokens
from support.builds.systems import LIBRARIES
from support.live import LISP_SOURCES

ORACLE = LISP_SOURCES / "symbols_oracle.lisp"
_SOURCES = """
SELECT DISTINCT source_files.path FROM source_files
JOIN roots ON roots.id = source_files.root_id
WHERE source_files.path IS NOT NULL AND roots.name <> 'sbcl' ORDER BY source_files.path
"""
_ESCAPE = re.compile(r"\\([0-9A-F]+);")
_NO_NAME = frozenset({"NIL"})


def sources(index: Path) -> list[str]:
    with closing(sqlite3.connect(index)) as connection:
        return [path for (path,) in connection.execute(_SOURCES) if Path(path).exists()]


def names_in(node: Node, tokens: Tokens) -> list[str]:
    """The names of the symbols in a form, except keywords and NIL."""
    found, rest = [], [node]
    while rest:
        one = rest.pop()
        if isinstance(one, Form):
            rest += reversed(one.items)
            continue
        token = tokens.symbol(one.text)
        if token is not None and token.package != KEYWORD and token.name not in _NO_NAME:
            found.append(token.name)
    return found


def standard_sources(index: Path) -> list[str]:
    """The sources of an index that use the standard readtable."""
    return [
        path
        for path in sources(index)
        if path.endswith(".lisp") and not re.search(r"macro-character|readtable", read_text(path))
    ]


def read_by_sbcl(sbcl: Sbcl, files: list[str], folder: Path) -> list[list[str]]:
    """The symbols of each form of each file, and ``ERROR`` with its type where reading fails."""
    (folder / "files").write_text("".join(f"{path}\n" for path in files), encoding="utf-8")
    environment = {
        **os.environ,
        "FILES": str(folder / "files"),
        "ANSWERS": str(folder / "answers"),
        "SYSTEMS": " ".join(LIBRARIES),
    }
    command = [str(sbcl.path), "--noinform", "--no-sysinit", "--no-userinit", "--disable-debugger"]
    done = subprocess.run(
        [*command, "--eval", "(require :sb-posix)", "--load", str(ORACLE), "--quit"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    answers: list[list[str]] = [[] for _ in files]
    for line in (folder / "answers").read_text(encoding="utf-8").splitlines():
        number, _, told = line.partition("\t")
        answers[int(number)].append(_ESCAPE.sub(lambda one: chr(int(one[1], 16)), told))
    return answers


def reading_of(index: Path) -> tuple[Tokens, Features]:
    with Reading(index) as reading:
        tokens = Tokens(reading.upcase)
        return tokens, Features(reading.facts["features"], tokens)


@pytest.mark.full
def test_the_symbols_are_those_that_sbcl_reads(sbcl: Sbcl, libraries_index: Path, tmp_path: Path) -> None:
    """Form by form, in all files of some libraries that use the standard readtable."""
    files = standard_sources(libraries_index)
    tokens, features = reading_of(libraries_index)
    compared = symbols = 0
    for path, told in zip(files, read_by_sbcl(sbcl, files, tmp_path), strict=True):
        if told and told[-1].startswith("ERROR"):
            continue
        found = [" ".join(names_in(one.node, tokens)) for one in read(read_text(path), features)]
        assert found == told, path
        compared += 1
        symbols += sum(len(line.split()) for line in told)
    assert compared > 0.9 * len(files) > 20
    assert symbols > 20_000


def spoilt(text: str, tokens: random.Random) -> str:
    """``text`` with one parenthesis or quote fewer, or one closing parenthesis more."""
    places = [match.start() for match in re.finditer(r"[()\"]", text)]
    place = tokens.choice(places)
    if tokens.random() < 0.25:
        return text[:place] + ")" + text[place:]
    return text[:place] + text[place + 1 :]


@pytest.mark.full
def test_a_text_ends_too_early_or_too_late_where_sbcl_says_so(
    sbcl: Sbcl, libraries_index: Path, tmp_path: Path
) -> None:
    """In copies of the files with one character fewer or more, and in the files themselves."""
    tokens = random.Random(1960)
    files, copies = standard_sources(libraries_index), list[str]()
    for number, path in enumerate(files * 4):
        copy = tmp_path / f"{number}.lisp"
        copy.write_text(spoilt(read_text(path), tokens), encoding="utf-8")
        copies.append(str(copy))
    files += copies
    _, features = reading_of(libraries_index)
    seen = Counter[str]()
    for path, told in zip(files, read_by_sbcl(sbcl, files, tmp_path), strict=True):
        faults = Faults()
        assert list(read(read_text(path), features, faults))
        first = faults.found[0].kind if faults.found else ""
        error = told[-1].removeprefix("ERROR ") if told and told[-1].startswith("ERROR ") else ""
        if not error:
            assert first == "", path
        elif "END-OF-FILE" in error:
            assert first not in ("", ")"), path
        elif "unmatched close parenthesis" in error:
            assert first == ")", path
        else:  # text that was in a string is now outside, and is not Lisp
            error = "other"
        seen[error] += 1
    assert min(seen[error] for error in ("", "END-OF-FILE", "unmatched close parenthesis")) > 40, seen
    assert seen["other"] < 0.1 * len(files), seen


@pytest.mark.full
def test_the_corpus_has_no_false_alarm(corpus_index: Path) -> None:
    """All of it compiles and loads, so a finding is false, or is about code that is never called."""
    outcome = Check(corpus_index, Settings(Path("/")), 2, lambda *_: None).run(sources(corpus_index))
    found = Counter(one.rule for one in outcome.findings)
    assert outcome.files > 900
    assert outcome.symbols > 25_000
    assert outcome.calls > 120_000
    assert not found.keys() & {
        "unclosed",
        "unmatched-parenthesis",
        "unknown-package",
        "unknown-symbol",
        "not-external",
    }
    arguments = [
        one for one in outcome.findings if one.rule in ("wrong-number-of-arguments", "unknown-keyword")
    ]
    assert len(arguments) <= outcome.calls // 10_000, arguments
