"""SBCL's manual: the anchor of each name that it describes.

They are in the manual's own HTML, where it is on this machine; of the names that it has in every case,
manual.txt has the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("manual.txt")
# A description in the HTML that makeinfo writes: its anchor, the name, and the package.
_DESCRIBED = (
    r'<dt[^>]* id="(index-[^"]+)"[^>]*>.*?<strong[^>]*>([^<]+)</strong>\s*<(?:em|code)[^>]*>\[([^\]<]+)\]'
)
_COLUMNS = 2  # by which the lines that continue a package's names are indented

Anchors = dict[tuple[str, str], str]
"""Anchors by package and name, in lower case."""


@cache
def listed_anchors() -> Anchors:
    """Return the anchors of the names in manual.txt; the file is read once."""
    found: Anchors = {}
    for package, words in _packages():
        for word in words:
            name, _, number = word.partition("~")
            found[package, name] = f"index-{_escaped(name)}" + (f"-{number}" if number else "")
    return found


def anchors_in(path: Path) -> Anchors:
    """Return the anchors of the names that the manual at ``path`` describes; raises OSError."""
    return _anchors_in(path, path.stat().st_mtime_ns)


@cache
def _anchors_in(path: Path, _: int) -> Anchors:
    """Read a manual, once for each time that it changes."""
    from html import unescape  # its table of entities takes longer to load than our list

    text = path.read_text(encoding="utf-8", errors="replace")
    found: Anchors = {}
    for anchor, name, package in re.findall(_DESCRIBED, text):
        found.setdefault((unescape(package).lower(), unescape(name).lower()), anchor)
    return found


def _packages() -> Iterator[tuple[str, list[str]]]:
    text = re.sub(rf"\n {{{_COLUMNS}}}", " ", _FILE.read_text(encoding="utf-8"))
    for line in text.splitlines():
        if line and not line.startswith("#"):
            package, _, names = line.partition(": ")
            yield package, names.split()


def _escaped(name: str) -> str:
    """Return a name as texinfo has it in anchors."""
    escaped = "".join(char if char.isalnum() else f"_{ord(char):04x}" for char in name)
    return escaped if escaped[0].isalpha() or escaped[0] == "_" else f"g_t{escaped}"
