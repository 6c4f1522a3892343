"""Source as HTML is complete, escaped, highlighted, and has the right links."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oblist.query.browse.pages.highlighting import highlighted
from oblist.query.browse.pages.source_links import Link
from oblist.query.syntax.lexemes import lexemes

TAGS = re.compile(r"<[^>]*>")


def linked(text: str, to: str = "/{}") -> list[Link]:
    """A link on each symbol of letters."""
    return [
        Link(one.start, one.start + len(one.text), to.format(one.text))
        for one in lexemes(text)
        if one.kind == "symbol" and one.text.isalpha()
    ]


@given(st.text(st.sampled_from("ab:()\"\\|;#'` ,@\n\t<>&{}-1é"), max_size=60))
def test_no_text_is_lost(text: str) -> None:
    lines = highlighted(text, linked(text))
    assert [html.unescape(TAGS.sub("", line)) for line in lines] == text.split("\n")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("(foo)", '(<a href="/foo">foo</a>)'),
        ('"foo"', '<span class="s">&#34;foo&#34;</span>'),
        ("; foo", '<span class="c">; foo</span>'),
        ("#| foo |#", '<span class="c">#| foo |#</span>'),
        (":foo", '<span class="y">:foo</span>'),
        ("(f 12)", '(<a href="/f">f</a> <span class="n">12</span>)'),
    ],
)
def test_strings_comments_and_names_look_different(text: str, line: str) -> None:
    assert highlighted(text, linked(text)) == [line]


def test_markup_in_sources_is_text() -> None:
    text = '(f "<script>alert(1)</script>" \'<b>)'
    (line,) = highlighted(text, linked(text, "javascript:x\"'>"))
    assert "<script" not in line and "<b>" not in line
    assert 'href="javascript:x&#34;&#39;&gt;"' in line
