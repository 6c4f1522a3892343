"""Whether pages are valid HTML, by HTML Tidy."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

# Valid HTML that Tidy 5.6 does not know: attributes newer than it, links within SVG, and lines of source
# that are empty, or a form feed.
_KNOWN = re.compile(
    r'<input> proprietary attribute "(autocapitalize|aria-keyshortcuts)"'
    r'|<a> proprietary attribute "(href|class|aria-current)"'
    r"|trimming empty <(code|li|span)>"
)
_FINDING = re.compile(r"(Warning|Error): (.*)")


def not_valid(pages: Iterable[str], folder: Path) -> set[str]:
    """The faults that Tidy finds in ``pages``, which are written into ``folder``."""
    names = []
    for number, page in enumerate(pages):
        names.append(f"{number}.html")
        (folder / names[-1]).write_text(page, encoding="utf-8")
    assert names
    done = subprocess.run(
        ["tidy", "-errors", "-quiet", "-utf8", "--show-body-only", "auto", *names],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode in (0, 1, 2), done.stderr[-2000:]
    found = {match[2] for match in _FINDING.finditer(done.stderr)}
    return {finding for finding in found if not _KNOWN.search(finding)}
