"""Lines that fit a terminal: broken at spaces only, with what goes on further right."""

from __future__ import annotations

import pytest

from oblist.query.questions.styled import BLANK, Line, Segment, Style, code, line, name, paragraphs
from oblist.query.terminal.wrapping import wrapped, wrapped_text


def test_what_fits_stays_as_it_is() -> None:
    lines = [line("one  two", indent=4), BLANK, line(name("foo:bar"), "(x   y)")]
    assert wrapped_text(lines, 80) == "    one  two\n\nfoo:bar  (x   y)"


@pytest.mark.parametrize(
    ("width", "rows"),
    [
        (40, ["  alexandria:flatten (tree)  a function"]),
        (39, ["  alexandria:flatten (tree)  a function"]),
        (38, ["  alexandria:flatten (tree)  a", "      function"]),
        (28, ["  alexandria:flatten (tree)", "      a function"]),
        (21, ["  alexandria:flatten", "      (tree)  a", "      function"]),
        (5, [" alexandria:flatten", " (tree)", " a", " function"]),
    ],
)
def test_a_line_is_broken_at_spaces_and_goes_on_further_right(width: int, rows: list[str]) -> None:
    lines = [line("alexandria:flatten (tree)", "a function", indent=2, hang=4)]
    assert wrapped_text(lines, width).split("\n") == rows


def test_a_word_of_several_styles_is_one_word() -> None:
    rows = list(wrapped([line("see", name("alexandria:flatten-it", "flat"))], 22))
    assert [[part.text for part in row] for row in rows] == [
        ["see"],
        ["  ", "alexandria:", "flat", "ten-it"],
    ]
    assert rows[1][2] == Segment("flat", Style.MATCH)


def test_a_place_with_spaces_is_one_word() -> None:
    place = Segment("a folder/a file.lisp:1:2", Style.PLACE, "/a folder/a file.lisp")
    assert wrapped_text([line("function", place)], 20) == "function\n  a folder/a file.lisp:1:2"


def test_prose_flows_into_the_next_line_unless_a_line_was_meant_to_end() -> None:
    prose = (
        "The first line of this paragraph is long enough\nto flow.\nShort.\n"
        "- an item of a list that has many words in it, too\n- another\n\n  Indented."
    )
    assert wrapped_text(paragraphs(prose, 0), 60) == prose
    assert wrapped_text(paragraphs(prose, 0), 40).split("\n") == [
        "The first line of this paragraph is long",
        "enough to flow.",
        "Short.",
        "- an item of a list that has many words",
        "in it, too",
        "- another",
        "",
        "  Indented.",
    ]


def test_code_keeps_its_indentation_as_far_as_there_is_room() -> None:
    text = "(defun f (x)\n\t(let ((y x))\n                            (list x y x y x)))"
    assert wrapped_text(code(text, 0), 36).split("\n") == [
        "(defun f (x)",
        "        (let ((y x))",
        "                    (list x y x y",
        "                    x)))",
    ]


def test_control_characters_are_escaped_and_wide_ones_counted() -> None:
    assert wrapped_text([line("a\x1b[31mb\nc\u202ed")], 80) == "a\\x1B[31mb\\nc\\u202Ed"
    assert wrapped_text([Line((Segment("漢字漢字 漢字漢字"),))], 12) == "漢字漢字\n  漢字漢字"
