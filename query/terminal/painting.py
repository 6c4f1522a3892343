"""Colours and links: styled segments as the escape sequences of a terminal.

Only bold, dim and four of ANSI's basic colours are used, which a terminal's own theme makes legible on its
background, light or dark; yellow, white and black are not legible on both.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import PurePath
from typing import TYPE_CHECKING

from ..questions.styled import Segment, Style

if TYPE_CHECKING:
    from rich.style import Style as RichStyle

_LOOKS = {
    Style.NAME: "bold",
    Style.PREFIX: "dim",
    Style.LABEL: "cyan",
    Style.KIND: "magenta",
    Style.PLACE: "green",
    Style.MATCH: "bold red",
    Style.FAINT: "dim",
    Style.ERROR: "bold red",
    Style.WARNING: "bold magenta",
}
_WITHOUT_COLOURS = {"", "dumb", "unknown"}  # as for rich, whose console takes long to import
_WITHOUT_LINKS = {"linux"}  # the console of the kernel, which may print what it does not know


class Painter:
    """Writes segments with colours and, if ``links``, with links (OSC 8) to their files."""

    def __init__(self, *, links: bool) -> None:
        from rich.color import ColorSystem
        from rich.style import Style as Look

        self._links = links
        self._system = ColorSystem.STANDARD
        self._looks = {style: Look.parse(look) for style, look in _LOOKS.items()}
        self._plain = Look()

    def painted(self, segments: Iterable[Segment]) -> str:
        """The segments as text with escape sequences."""
        return "".join(self._painted(one) for one in segments)

    def _painted(self, segment: Segment) -> str:
        look: RichStyle = self._looks.get(segment.style, self._plain)
        if segment.link and self._links:
            look = look.update_link(_address(segment.link))
        return look.render(segment.text, color_system=self._system)


def _address(link: str) -> str:
    return PurePath(link).as_uri() if link.startswith("/") else link


def unpainted(segments: Iterable[Segment]) -> str:
    """The segments as mere text."""
    return "".join(one.text for one in segments)


def is_wanted(choice: str) -> bool:
    """Whether to colour what a terminal shows; ``choice`` is the value of --color.

    By default, a terminal is coloured if it can be, unless $NO_COLOR is set (no-color.org).
    """
    if choice != "auto":
        return choice == "always"
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") not in _WITHOUT_COLOURS


def has_links() -> bool:
    """Whether the terminal has links: all but a few of those with colours have them, or ignore them."""
    return os.environ.get("TERM") not in _WITHOUT_LINKS
