"""apropos agrees with a live SBCL: the same symbols, in the same order, in the same words."""

from __future__ import annotations

import random
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query import Index, open_index
from oblist.query.answers import AproposAnswer, NotFound, PackageAnswer
from oblist.query.questions.apropos.choices import SCOPES, TYPES
from oblist.query.questions.apropos.text import apropos_text
from support.command_line import oblist
from support.live import read_blocks, read_lines, run_script, write_lines

_SEED = 20240607
_PATTERNS = 500
_PACKAGES = (
    *("CL-USER", "KEYWORD", "SB-IMPL", "SB-EXT", "COMMON-LISP", "CL", "SB-KERNEL", "SB-C", "SB-PCL"),
    *("SB-MOP", "SB-VM", "SB-INT", "SB-UNIX", "SB-DEBUG", "SB-SYS", "SB-LOOP", "SB-WALKER"),
)
# Patterns that are special somewhere on the way to the rows: to FTS5, to LIKE and GLOB, to Unicode
# case folding (Kelvin sign, long s, dotless i, final sigma, titlecase digraphs), or nowhere.
_SPECIAL_PATTERNS = (
    *(
        "",
        "%",
        "_",
        "*",
        "-",
        '"',
        "'",
        "%%",
        "__",
        "**",
        "--",
        '""',
        "''",
        " ",
        "  ",
        "\\",
        "|",
        "\0",
        "a\0b",
    ),
    *(
        "*-",
        "-*",
        "%a",
        "a%",
        "_a",
        "*a*",
        '"a"',
        "'a'",
        "a-b",
        "+",
        "1+",
        "?",
        "/",
        "=",
        "<=",
        "(",
        ")",
        ".",
    ),
    *(
        "AND",
        "OR",
        "NOT",
        "NEAR",
        "NEAR(",
        "NEAR(a b)",
        "and",
        "not",
        "a AND b",
        "a OR b",
        "-and-",
        "folded:",
    ),
    *(
        "folded : a",
        "{folded}",
        "^a",
        "^",
        "a*",
        "car*",
        "abc",
        '"car"',
        "car OR cdr",
        "car + cdr",
        "cdr:car",
    ),
    *("\u212a", "\u212aey", "ma\u212ae", "\u017f", "li\u017ft", "\u0131", "l\u0131st", "\u0130", "L\u0130ST"),
    *(
        "\u03b1",
        "\u0391",
        "\u03c3",
        "\u03c2",
        "\u03a3",
        "\u01c5",
        "\u01c4",
        "\u01c6",
        "\u00df",
        "\u1e9e",
        "ss",
    ),
    *(
        "\u00b5",
        "\u03bc",
        "\u00e9",
        "e\u0301",
        "\u00c9",
        "\ufb01",
        "fi",
        "\u2126",
        "\u03c9",
        "\U00010400",
        "\u00a0",
    ),
    *("\n", "\t", "\r", "\x7f", "\x85", "\u2028", "\u200b", "\U0001f600", "new\nline"),
    *("no-such-symbol", "xyzzy-plugh", "qqqq", "car cdr", "lambda-list!", "mapcar-", "-mapcar"),
)

Question = tuple[str, str | None, str, str | None]


def _case_changed(text: str, chance: random.Random) -> str:
    change = chance.choice((str.lower, str.upper, str.swapcase, str.title))
    return change(text)


def _patterns(names: list[str], chance: random.Random) -> list[str]:
    """Return the special patterns, then pieces of names of all lengths, until there are enough."""
    patterns = dict.fromkeys(_SPECIAL_PATTERNS)
    while len(patterns) < _PATTERNS:
        name = chance.choice(names)
        length = min(chance.choice((1, 2, 2, 3, 3, 4, 4, 5, 6, 8, 12, 30)), len(name))
        start = chance.randrange(len(name) - length + 1)
        piece = name[start : start + length]
        patterns[chance.choice((piece, _case_changed(piece, chance)))] = None
    return list(patterns)


def _questions(patterns: list[str], chance: random.Random) -> Iterator[Question]:
    """Return questions for each pattern: without and with a package, in each scope, of each type."""
    for pattern in patterns:
        for kind in (None, *TYPES):
            yield pattern, None, "accessible", kind
        package = chance.choice(_PACKAGES)
        for scope in SCOPES:
            yield pattern, package, scope, None
        for kind in TYPES:
            yield pattern, package, chance.choice(SCOPES), kind


def _text(index: Index, question: Question, package: str | None) -> str:
    pattern, _, scope, kind = question
    answer = index.apropos(pattern, package, kind, scope=scope)
    assert isinstance(answer, AproposAnswer)
    assert answer.total == len(answer.matches)
    return apropos_text(answer)


@pytest.fixture(scope="module")
def names(bare_index: Path) -> list[str]:
    with closing(sqlite3.connect(bare_index)) as connection:
        rows = connection.execute("SELECT name FROM symbols WHERE name <> '' ORDER BY id").fetchall()
    return [name for (name,) in rows]


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.full)])
def test_every_question_is_answered_as_a_live_sbcl_answers_it(
    step: int, sbcl: Sbcl, bare_index: Path, names: list[str], tmp_path: Path
) -> None:
    chance = random.Random(_SEED)
    questions = list(_questions(_patterns(names, chance), chance))[::step]
    write_lines(tmp_path / "questions", questions)
    run_script(sbcl, "apropos_oracle.lisp", questions=tmp_path / "questions", answers=tmp_path / "answers")
    expected = read_blocks(tmp_path / "answers")
    assert len(expected) == len(questions) >= 5000 // step
    sizes: Counter[str] = Counter()
    differing = []
    with open_index(bare_index) as index:
        for question, text in zip(questions, expected, strict=True):
            package = question[1]
            spelled = chance.choice((package, package.lower())) if package else None
            sizes[_size(text)] += 1
            if _text(index, question, spelled) != text:
                differing.append(question)
    assert not differing, f"{len(differing)} questions differ, such as {differing[:5]}"
    # Questions that all match nothing, or all match something, would prove little.
    assert min(sizes["none"], sizes["some"], sizes["many"]) > 200 // step, sizes


def _size(text: str) -> str:
    found = re.match(r"Found (\d+) ", text)
    assert found is not None
    number = int(found[1])
    return "none" if number == 0 else "some" if number < 50 else "many"


def test_a_package_may_be_asked_for_by_any_of_its_names(bare_index: Path) -> None:
    with open_index(bare_index) as index:
        spellings = ("COMMON-LISP", "common-lisp", "CL", "cl", "Cl", ":cl", "#:cl", '"CL"', "|CL|")
        answers = {_present_names(index, spelling) for spelling in spellings}
        assert len(answers) == 1
        assert isinstance(index.apropos("car", "|cl|"), NotFound)


def _present_names(index: Index, package: str) -> str:
    answer = index.apropos("cons", package, scope="present")
    assert isinstance(answer, AproposAnswer)
    assert answer.total > 2
    assert answer.package == "COMMON-LISP"
    return apropos_text(answer)


def test_a_limit_and_an_offset_show_a_window_on_the_whole_list(bare_index: Path) -> None:
    with open_index(bare_index) as index:
        whole = index.apropos("map")
        assert isinstance(whole, AproposAnswer)
        assert whole.total > 20
        windows = []
        for start in range(0, whole.total, 7):
            window = index.apropos("map", limit=7, offset=start)
            assert isinstance(window, AproposAnswer)
            assert (window.total, window.offset) == (whole.total, start)
            assert len(window.matches) == min(7, whole.total - start)
            windows += window.matches
        assert windows == whole.matches


def test_every_match_says_its_status_in_the_package_asked_in(bare_index: Path) -> None:
    with open_index(bare_index) as index:
        statuses: dict[str | None, set[str]] = {}
        for package in (None, "CL-USER", "CL", "SB-IMPL"):
            answer = index.apropos("list", package)
            assert isinstance(answer, AproposAnswer)
            statuses[package] = {match.status for match in answer.matches}
            for match in answer.matches[:40] if package else []:
                described = index.describe(f"{match.package}::|{match.name}|", "CL")
                assert not isinstance(described, NotFound)
                assert described.name == match.name
                assert described.type == match.type
        assert statuses[None] == {"external"}
        assert "inherited" in statuses["CL-USER"]
        assert statuses["CL"] == {"external"}
        assert {"internal", "inherited"} <= statuses["SB-IMPL"]


# Case: the index folds exactly as CHAR-EQUAL compares


@pytest.fixture(scope="module")
def case_facts(sbcl: Sbcl, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[int]]]:
    """Return the output of case_oracle.lisp, in code points, by tag."""
    path = tmp_path_factory.mktemp("case") / "answers"
    run_script(sbcl, "case_oracle.lisp", answers=path)
    facts: dict[str, list[list[int]]] = {"class": [], "cased": [], "pair": [], "title": []}
    for tag, *codes in read_lines(path):
        assert tag is not None
        facts[tag].append([int(code) for code in codes if code is not None])
    return facts


def test_folding_joins_two_characters_if_and_only_if_char_equal_does(
    bare_index: Path, case_facts: dict[str, list[list[int]]]
) -> None:
    with open_index(bare_index) as index:
        fold = index.fold
    folded = {code: fold(chr(code)) for (code,) in case_facts["cased"]}
    titles = {code for (code,) in case_facts["title"]}
    by_fold: dict[str, list[int]] = {}
    for code, text in folded.items():
        by_fold.setdefault(text, []).append(code)
    joined = {(one, other) for codes in by_fold.values() for one in codes for other in codes if one != other}
    equal = {(one, other) for one, other in case_facts["pair"]}
    # In some versions of SBCL, CHAR-EQUAL is not an equivalence on titlecase digraphs: it is true when
    # one comes first and false when it comes second. Folding can only express what holds both ways.
    one_way = {(one, other) for one, other in equal if (other, one) not in equal}
    assert all(one in titles or other in titles for one, other in one_way)
    assert joined == equal - one_way
    assert len(joined) > 2000


def test_folding_joins_no_character_that_has_no_case(
    bare_index: Path, case_facts: dict[str, list[list[int]]]
) -> None:
    cased = {code for (code,) in case_facts["cased"]}
    joined_in_lisp = {code for codes in case_facts["class"] for code in codes}
    with open_index(bare_index) as index:
        fold = index.fold
    by_fold: dict[str, list[int]] = {}
    for code in range(0x110000):
        by_fold.setdefault(fold(chr(code)), []).append(code)
    joined = {code for codes in by_fold.values() if len(codes) > 1 for code in codes}
    assert len(joined) > 2000
    assert joined <= cased
    assert joined_in_lisp <= cased
    assert {len(codes) for codes in by_fold.values()} == {1, 2}


def test_a_page_of_a_short_pattern_is_a_part_of_all_its_matches(bare_index: Path) -> None:
    listed = 0
    with open_index(bare_index) as index:
        stored = index.connection.execute("SELECT pattern, total, symbols IS NOT NULL FROM short_patterns")
        for pattern, total, is_listed in stored.fetchall()[::7]:
            every = index.apropos(pattern, limit=0)
            assert isinstance(every, AproposAnswer)
            assert every.total == len(every.matches) == total > 0
            for offset in (0, 3, total - 1, total):
                part = index.apropos(pattern, limit=5, offset=offset)
                assert isinstance(part, AproposAnswer)
                assert (part.total, part.matches) == (total, every.matches[offset : offset + 5]), pattern
            listed += is_listed
        assert listed > 20
        assert index.apropos("\0a", limit=5).total == 0  # type: ignore[union-attr]


@pytest.mark.parametrize("pattern", ["\ud800", "a\ud800b", "cl:\ud800", "\ud800:car"])
@pytest.mark.parametrize("offset", [0, 1])
@pytest.mark.parametrize("limit", [0, 5, 100_000])
def test_what_no_index_can_contain_is_not_found_on_any_page(
    bare_index: Path, pattern: str, offset: int, limit: int
) -> None:
    with open_index(bare_index) as index:
        for type_ in (None, "generic-function"):
            for package in (None, "CL"):
                found = index.apropos(pattern, package, type_, limit=limit, offset=offset)
                assert isinstance(found, NotFound) or (found.total, found.matches) == (0, [])
        chosen = index.package("CL", match=pattern, limit=limit, offset=offset)
        assert isinstance(chosen, PackageAnswer) and chosen.exports == []


def test_few_exported_symbols_have_the_internal_ones_spoken_of(index: Index, bare_index: Path) -> None:
    def note(pattern: str, **more: str) -> str | None:
        answer = index.apropos(pattern, **more)
        assert isinstance(answer, AproposAnswer)
        return answer.note

    assert note("fenced") == "1 internal symbol matches: shelf::fenced"
    assert note("odd-ev") == "1 internal symbol matches: shelf::odd-even"
    assert note("page-mark") == "2 internal symbols match: shelf::page-mark, shelf-2::page-mark"
    assert note("read-aloud") is None, "it is exported"
    assert note("fenced", type="macro") is None and note("fenced", package="shelf") is None
    assert note("list") is None, "there are enough"
    with open_index(bare_index) as bare:
        others = bare.apropos("stable-sort-list")
    assert isinstance(others, AproposAnswer) and others.note is not None
    assert others.note.endswith("; name a package to see its internal symbols")


def test_the_command_speaks_of_internal_symbols_beside_its_text(shelf: tuple[Path, Path]) -> None:
    done = oblist("apropos", "fenced", "--index", shelf[0])
    assert done.stdout == "Found 0 symbols matching 'fenced':\n\n"
    assert done.stderr == "note: 1 internal symbol matches: shelf::fenced\n"
