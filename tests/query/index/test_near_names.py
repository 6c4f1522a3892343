"""Suggestions for misspelt names: the right one first, and nothing that a person may not use before it."""

from __future__ import annotations

import random
import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.answers import NotFound
from oblist.query.index.finding import near

SEED, LIBRARIES, NAMES = 22, 20, 10
EXPORTS = """
SELECT packages.name, symbols.name, systems.name FROM symbols
JOIN packages ON packages.id = symbols.package_id JOIN systems ON systems.id = packages.system_id
WHERE symbols.exported AND symbols.type <> 'SYMBOL' AND length(symbols.name) > 5
ORDER BY symbols.id
"""
LETTERS = "AEINRST"


def misspelt(name: str, drawn: random.Random) -> str:
    """``name`` with a letter too few, too many, another, or two exchanged."""
    at = drawn.randrange(1, len(name) - 1)
    letter = drawn.choice(LETTERS)
    return drawn.choice(
        (
            name[:at] + name[at + 1 :],
            name[:at] + letter + name[at:],
            name[:at] + letter + name[at + 1 :],
            name[:at] + name[at + 1] + name[at] + name[at + 2 :],
        )
    )


def drawn_names(path: Path, libraries: int) -> list[tuple[str, str, str]]:
    """Exports drawn by seed: the package, the name, and a misspelling that names nothing else."""
    drawn = random.Random(SEED)
    by_system: dict[str, list[tuple[str, str]]] = defaultdict(list)
    with closing(sqlite3.connect(path)) as connection:
        taken = {name for (name,) in connection.execute("SELECT name FROM symbols")}
        for package, name, system in connection.execute(EXPORTS):
            if name.isascii() and name.upper() == name and not set("|: \"'") & set(name + package):
                by_system[system].append((package, name))
    systems = sorted(system for system, names in by_system.items() if len(names) >= NAMES)
    found = []
    for system in drawn.sample(systems, libraries):
        for package, name in drawn.sample(by_system[system], NAMES):
            wrong = next(one for one in iter(lambda n=name: misspelt(n, drawn), None) if one not in taken)
            found.append((package, name, wrong))
    return found


def place(index: Index, package: str, name: str, wrong: str) -> int | None:
    """The place of the right name among the suggestions; internals of others may not come before exports."""
    answer = index.describe(f"{package.lower()}:{wrong.lower()}")
    assert isinstance(answer, NotFound)
    internal = ["::" in one and not one.startswith(f"{package.lower()}::") for one in answer.suggestions]
    assert internal == sorted(internal), answer.suggestions
    right = f"{package.lower()}:{name.lower()}"
    return answer.suggestions.index(right) if right in answer.suggestions else None


def test_a_misspelt_export_is_suggested_first(libraries_index: Path) -> None:
    names = drawn_names(libraries_index, 3)
    with open_index(libraries_index) as index:
        places = [place(index, *one) for one in names]
    assert len(places) == 3 * NAMES
    assert places.count(0) >= 27


@pytest.mark.full
def test_of_two_hundred_misspelt_exports_nine_in_ten_are_suggested_first(corpus_index: Path) -> None:
    names = drawn_names(corpus_index, LIBRARIES)
    with open_index(corpus_index) as index:
        places = [place(index, *one) for one in names]
    assert len(places) == LIBRARIES * NAMES
    assert places.count(0) >= 180
    assert sum(one is not None and one < 3 for one in places) >= 196


@pytest.mark.parametrize("name", ["abc-" * 250, "\u0130" * 500, "a b " * 250])
def test_what_has_hundreds_of_words_is_not_compared_by_word(
    bare_index: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """With thousands of names, that would take seconds."""
    compared: list[str] = []
    alike = near._word_alike

    def counted(word: str, other: str) -> float:
        compared.append(word)
        return alike(word, other)

    monkeypatch.setattr(near, "_word_alike", counted)
    with open_index(bare_index) as index:
        answer = index.describe(name, "SB-X86-64-ASM")
        assert isinstance(answer, NotFound) and not answer.suggestions and not compared
        assert isinstance(index.describe("aver-rotate", "SB-X86-64-ASM"), NotFound) and compared
