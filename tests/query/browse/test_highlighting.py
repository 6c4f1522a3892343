"""Source as HTML is complete, escaped, highlighted, and has the right links."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oblist.query.browse.pages.highlighting import highlighted

TAGS = re.compile(r"<[^>]*>")


def linked(text: str, _: int) -> str | None:
    return f"/{text}" if text.isalpha() else None


@given(st.text(st.sampled_from("ab:()\"\\|;#'` ,@\n\t<>&{}-1é"), max_size=60))
def test_no_text_is_lost(text: str) -> None:
    lines = highlighted(text, linked)
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
    assert highlighted(text, linked) == [line]


def test_markup_in_sources_is_text() -> None:
    (line,) = highlighted('(f "<script>alert(1)</script>" \'<b>)', lambda text, _: "javascript:x\"'>")
    assert "<script" not in line and "<b>" not in line
    assert 'href="javascript:x&#34;&#39;&gt;"' in line
