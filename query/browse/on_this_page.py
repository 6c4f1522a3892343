"""The sections of a page, for its table of contents."""

from __future__ import annotations

import re
from typing import NamedTuple

from markupsafe import Markup

_LEAST, _MOST = 3, 120
# As our own templates write them; names in them are escaped.
_SECTION = re.compile(
    r'<h(?P<level>[23]) id="(?P<own>[^"]+)">(?P<title>.*?)</h[23]>'
    r'|<article id="(?P<outer>[^"]+)" class="definition">\s*<h3>(?P<heading>.*?)</h3>',
    re.DOTALL,
)


class PageSection(NamedTuple):
    """A section of a page: its anchor and title, and how deep it is."""

    anchor: Markup
    title: str
    level: int


def on_this_page(body: Markup) -> list[PageSection]:
    """The sections in the HTML of a page, outer ones alone if all are too many; none for a short page."""
    found = [_section(match) for match in _SECTION.finditer(body)]
    if len(found) > _MOST:
        found = [one for one in found if one.level == 1]
    return found if len(found) >= _LEAST else []


def _section(match: re.Match[str]) -> PageSection:
    anchor, title = match["own"] or match["outer"], match["title"] or match["heading"]
    level = int(match["level"] or 3) - 1
    # The anchor is HTML already.
    return PageSection(Markup(anchor), Markup(title).striptags(), level)  # noqa: S704
