"""Documentation as HTML loses and changes no text; what is Lisp in it is marked, and nothing else."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oblist.query.browse.page_request import PageRequest
from oblist.query.browse.pages.documentation import documentation
from oblist.query.syntax.prose import flowing, marks
from support.amount import amount
from support.pages.browsing import BASE, seen
from support.pages.requests import request_of

TAGS = re.compile(r"<[^>]*>")
CL = f"{BASE}/symbol/common-lisp"
_DOCUMENTATION = """
SELECT packages.name, definitions.documentation, definitions.arglist
FROM definitions JOIN symbols ON symbols.id = definitions.symbol_id
JOIN packages ON packages.id = symbols.package_id
WHERE definitions.documentation IS NOT NULL ORDER BY definitions.id
"""


@pytest.fixture(scope="module")
def asked(shelf: tuple[Path, Path]) -> Iterator[PageRequest]:
    made = request_of(shelf[0])
    yield made
    made.index.close()


def shown(asked: PageRequest, text: str, arglist: str | None = None) -> str:
    found = documentation(asked, text, "SHELF", arglist)
    assert found is not None
    page = seen(f"<div>{found}</div>")  # well formed
    assert page.text == text
    return found


def test_no_documentation_of_the_index_is_changed(bare_index: Path) -> None:
    asked = request_of(bare_index)
    rows = asked.index.rows(_DOCUMENTATION)[:: amount(4, 1)]
    kinds: set[str] = set()
    for package, text, arglist in rows:
        found = documentation(asked, text, package, arglist)
        assert found is not None and html.unescape(TAGS.sub("", found)) == text
        kinds |= {name for name in ("<a ", "<code>", 'class="example"', 'class="flowing"') if name in found}
    asked.index.close()
    assert len(rows) > 300 and len(kinds) == 4


@given(st.text(st.sampled_from("aB L`'()\n\n  -*\"\\;#|<&:."), max_size=120))
def test_marks_are_in_order_and_any_text_has_some_or_none(text: str) -> None:
    end = 0
    for mark in marks(text):
        assert end <= mark.start < mark.end <= len(text)
        end = mark.end
    end = 0
    inside = [(mark.start, mark.end) for mark in marks(text)]
    for start, stop in flowing(text):
        assert end <= start < stop <= len(text)
        assert all(stop <= first or start >= last or start <= first <= last <= stop for first, last in inside)
        end = stop


@given(text=st.text(st.sampled_from("aB LIST`'()\n  \"\\;#|<&:."), max_size=120))
def test_any_text_is_shown_whole(asked: PageRequest, text: str) -> None:
    if text:
        found = documentation(asked, text, "SHELF")
        assert found is not None and html.unescape(TAGS.sub("", found)) == text


def test_an_indented_form_is_an_example_with_links(asked: PageRequest) -> None:
    found = shown(asked, 'Open a book.\n\nFor example:\n\n    (open-book "x")\n    => 1\n\nand so on.')
    assert '<code class="example">' in found
    assert f'<a href="{BASE}/symbol/shelf/open-book">open-book</a>' in found
    assert found.endswith("</code>\n\nand so on.")


@pytest.mark.parametrize(
    "text",
    [
        "Works (more or less) well.\nAnd (perhaps) better.",
        "A list:\n\n  (1) one\n  (2) two",
        "One.\n\n  (which is not\n\n  closed)",
        "Two.\n\n    (a paragraph in parentheses that is prose). And more.",
        "See (foo) and\n(bar) in the text.",
        "Three.\n\n(See the manual for more.)",
        "Four.\n\n(see the manual)",
    ],
)
def test_prose_in_parentheses_is_no_example(asked: PageRequest, text: str) -> None:
    assert "example" not in shown(asked, text)


@pytest.mark.parametrize("quoted", ["`title'", "``title''", "`title`", "`TITLE'"])
def test_code_in_quotes_is_linked(asked: PageRequest, quoted: str) -> None:
    name = quoted.strip("`'")
    assert f'<a href="{BASE}/symbol/shelf/title"><code>{name}</code></a>' in shown(asked, f"See {quoted}.")


def test_code_in_quotes_that_names_nothing_is_code(asked: PageRequest) -> None:
    assert shown(asked, "Use `frob' here") == "Use `<code>frob</code>&#39; here"
    assert "<code>" not in shown(asked, "It doesn't and won't")


def test_names_in_capitals_are_linked_unless_they_are_parameters_or_words(asked: PageRequest) -> None:
    found = shown(
        asked, "Add the TITLE to LIST, NOT *SHELF*. READ-ALOUD's VALUE and BOOKS.", "(LIST &KEY VALUE)"
    )
    linked = re.findall(r'<a href="([^"]*)"><code>([^<]*)</code></a>', found)
    assert linked == [
        (f"{BASE}/symbol/shelf/title", "TITLE"),
        (f"{BASE}/symbol/shelf/~2Ashelf~2A", "*SHELF*"),
        (f"{BASE}/symbol/shelf/read-aloud", "READ-ALOUD"),
    ]
    assert "<code>LIST</code>" in found and "<code>VALUE</code>" in found and "<code>BOOKS" not in found


def test_paragraphs_fill_the_width_but_lists_and_short_lines_stay(asked: PageRequest) -> None:
    full = "This line is quite as long as a line of a docstring is,\nand so its end is no more than a fold."
    assert shown(asked, full).startswith('<span class="flowing">')
    for text in (
        "Short line\nand another, which is on purpose.",
        "- this item of a list is quite as long as a line of a docstring\n- and so is this one, of course",
        "name            the name of the thing that one looks for here\nother           another",
    ):
        assert "flowing" not in shown(asked, text)


def test_markup_in_documentation_is_text(asked: PageRequest) -> None:
    text = '<script>alert(1)</script> `<b>\' "\'&\n\n   (f "<img src=x>")\n'
    found = shown(asked, text)
    assert "<script" not in found and "<img" not in found and "<b>" not in found
