"""Names as typed and as written: parsing undoes writing."""

from __future__ import annotations

import random
import sqlite3
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oblist.indexer.names import InvalidNameError, SplitName, split_name, words, written_name
from oblist.lisp.sbcl import Sbcl
from oblist.query import Index, open_index
from support.live import read_lines, run_script, write_lines
from support.projects.package_graph import NAMES

Upcase = Callable[[str], str]

_EXAMPLES = settings(
    max_examples=500,
    deadline=None,
    derandomize=True,
    # The index is only read, so every example may use the same one.
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
# Random text, and text of the characters that mean something to the reader.
_NAMES = st.one_of(
    st.text(max_size=20),
    st.text(alphabet="aAbB:|\\'#()\" \n\t.,;`+-*/0123456789eEdD", max_size=8),
    st.text(alphabet="0123456789.+-/eEdDsSfFlL", min_size=1, max_size=6),
)


@pytest.fixture(scope="module")
def index(bare_index: Path) -> Iterator[Index]:
    with open_index(bare_index) as opened:
        yield opened


@pytest.fixture(scope="module")
def upcase(index: Index) -> Upcase:
    return index.upcase


def _names_in(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT DISTINCT name FROM symbols ORDER BY name").fetchall()
    return [name for (name,) in rows]


def _is_exactly(typed: SplitName, name: str) -> bool:
    """Whether ``typed`` has no package or operator, and ``name`` is looked up first."""
    return (
        typed.symbol.spellings[0] == name
        and typed.package is None
        and typed.operator is None
        and not typed.single_colon
    )


def test_the_written_form_of_every_symbol_name_of_an_index_gives_back_the_name(
    bare_index: Path, systems_index: Path, upcase: Upcase
) -> None:
    names = {*_names_in(bare_index), *_names_in(systems_index)}
    assert len(names) > 20000
    wrong = [name for name in names if not _is_exactly(split_name(written_name(name, upcase), upcase), name)]
    assert not wrong


@_EXAMPLES
@given(package=_NAMES, name=_NAMES, colons=st.sampled_from((":", "::")))
def test_written_package_and_name_with_colons_between_are_taken_apart_again(
    upcase: Upcase, package: str, name: str, colons: str
) -> None:
    typed = split_name(f"{written_name(package, upcase)}{colons}{written_name(name, upcase)}", upcase)
    assert typed.package is not None
    assert typed.package.spellings[0] == package
    assert typed.symbol.spellings[0] == name
    assert typed.single_colon == (colons == ":")


@_EXAMPLES
@given(package=_NAMES, name=_NAMES, operator=st.sampled_from(("setf", "SETF", "cas")))
def test_the_written_form_of_a_setf_name_is_taken_apart_again(
    upcase: Upcase, package: str, name: str, operator: str
) -> None:
    typed = split_name(f"({operator} {written_name(package, upcase)}::{written_name(name, upcase)})", upcase)
    assert typed.operator == operator.upper()
    assert typed.package is not None
    assert (typed.package.spellings[0], typed.symbol.spellings[0]) == (package, name)


def test_the_live_reader_reads_every_written_form_as_the_name_it_was_written_for(
    sbcl: Sbcl, bare_index: Path, upcase: Upcase, tmp_path: Path
) -> None:
    chance = random.Random(26)
    numberlike = [
        "".join(chance.choices("0123456789.+-/EDSFL^_", k=chance.randint(1, 5))) for _ in range(5000)
    ]
    odd = ["".join(chance.choices("aA:|\\'#()\" \n.,;`+1*", k=chance.randint(0, 6))) for _ in range(5000)]
    names = list(dict.fromkeys((*_names_in(bare_index), *NAMES, *numberlike, *odd)))
    # The reader brings what is not between pipes into Unicode's form NFKC.
    assert len(names) > 30000 and any(not unicodedata.is_normalized("NFKC", name) for name in names)
    write_lines(tmp_path / "tokens", [(written_name(name, upcase),) for name in names])
    run_script(sbcl, "reader_oracle.lisp", tokens=tmp_path / "tokens", answers=tmp_path / "answers")
    answers = [name for (name,) in read_lines(tmp_path / "answers")]
    assert len(answers) == len(names)
    wrong = [(name, read) for name, read in zip(names, answers, strict=True) if name != read]
    assert not wrong, f"{len(wrong)} of {len(names)} differ, such as {wrong[:10]}"


def test_a_name_is_in_lower_case_exactly_if_the_live_reader_folds_that_back(
    sbcl: Sbcl, index: Index, tmp_path: Path
) -> None:
    chars = [char for char in map(chr, (*range(0xD800), *range(0xE000, 0x110000))) if _is_cased(index, char)]
    # Alone, and before accents with which a small letter may be one character.
    names = [f"Q{char}{accent}" for char in chars for accent in ("", "\u030c", "\u0331")]
    assert len(names) > 8_000
    lower = list(map(index.fold, names))
    tokens = [
        form for name, small in zip(names, lower, strict=True) for form in (small, _written(index, name))
    ]
    write_lines(tmp_path / "tokens", [(token,) for token in tokens])
    run_script(sbcl, "reader_oracle.lisp", tokens=tmp_path / "tokens", answers=tmp_path / "answers")
    answers = [name for (name,) in read_lines(tmp_path / "answers")]
    assert answers[1::2] == names
    folded_back = [read == name for read, name in zip(answers[::2], names, strict=True)]
    assert [_written(index, name) == small for name, small in zip(names, lower, strict=True)] == folded_back
    assert Counter(folded_back)[True] > 3_000
    assert list(map(index.upcase, lower)) == answers[::2]


def _is_cased(index: Index, char: str) -> bool:
    """Whether SBCL or Python changes a character's case."""
    return {char} != {char, index.fold(char), char.lower(), char.upper()}


def _written(index: Index, name: str) -> str:
    return written_name(name, index.upcase)


def test_plain_names_are_written_in_lower_case_and_odd_ones_between_pipes(upcase: Upcase) -> None:
    forms = {
        "FLATTEN": "flatten",
        "*PRINT-BASE*": "*print-base*",
        "1+": "1+",
        "odd Name": "|odd Name|",
        "12": "|12|",
        "": "||",
        "A|B": "|A\\|B|",
        "A\\B": "|A\\\\B|",
        "A:B": "|A:B|",
        "...": "|...|",
        "ÜNÏ": "ünï",
        "STRAßE": "straße",
        "ΣΟΦΟΣ": "σοφοσ",
        "İ": "İ",
        "J\u030c": "J\u030c",
        "ünï": "|ünï|",
    }
    assert {name: written_name(name, upcase) for name in forms} == forms


@pytest.mark.parametrize(
    "text", ["", " ", "a:b:c", "a:::b", "a::b:c", "::x", "a:", "a::", ":", "|a", "a\\", "#'", "'"]
)
def test_a_text_that_names_no_symbol_is_refused(upcase: Upcase, text: str) -> None:
    with pytest.raises(InvalidNameError) as refused:
        split_name(text, upcase)
    assert refused.value.text == text
    assert refused.value.why


@pytest.mark.parametrize("text", ["car", "#'car", "'car", "#:car", " car\n", "CAR", "|CAR|", "c\\AR", "Car"])
def test_the_ways_to_type_a_plain_name_come_to_the_same(upcase: Upcase, text: str) -> None:
    assert split_name(text, upcase).symbol.upcased == "CAR"


def test_a_keyword_is_looked_up_in_the_keyword_package(upcase: Upcase) -> None:
    typed = split_name(":test", upcase)
    assert typed.package is not None
    assert (typed.package.upcased, typed.symbol.upcased, typed.single_colon) == ("KEYWORD", "TEST", False)


def test_an_escaped_space_at_the_end_belongs_to_the_name(upcase: Upcase) -> None:
    assert split_name("trail\\ ", upcase).symbol.upcased == "TRAIL "
    assert split_name("trail\\  ", upcase).symbol.upcased == "TRAIL "


@pytest.mark.parametrize("char", ["\xa0", "\u2028", "\x85", "\x1c", "\u3000"])
def test_what_is_no_whitespace_to_the_lisp_reader_belongs_to_the_name(upcase: Upcase, char: str) -> None:
    inside = unicodedata.normalize("NFKC", char)  # as the reader has it in the symbol's name
    typed = split_name(f"{char}x{char}", upcase).symbol
    assert (typed.upcased, typed.typed) == (f"{inside}X{inside}", f"{char}x{char}")


@_EXAMPLES
@given(st.text())
def test_folding_and_upcasing_settle_at_once(index: Index, text: str) -> None:
    assert len(index.fold(text)) == len(text)
    for change in (index.fold, index.upcase):
        assert change(change(text)) == change(text)
    assert index.fold(index.upcase(text)) == index.fold(unicodedata.normalize("NFKC", text))


def test_a_text_of_ascii_is_folded_as_the_same_text_beside_other_characters(index: Index) -> None:
    every = "".join(map(chr, range(128)))
    for change in (index.fold, index.upcase):
        assert change(every) == change(every + "\u65e5")[:-1] != every


def test_the_words_of_a_name_are_what_stands_between_its_hyphens_and_stars() -> None:
    assert words("WITH-OPEN-FILE") == "with open file"
    assert words("*PRINT-BASE*") == "print base"
    assert words("%MAKE-FOO/BAR2") == "make foo bar2"
    assert words("***") == ""
