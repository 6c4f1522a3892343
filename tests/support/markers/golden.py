"""Files that hold what is expected: compare them with what is so now, or rewrite them."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import unified_diff

from support.markers.notation import MarkedFile


def settle(files: Sequence[MarkedFile], told: Sequence[str], *, update: bool) -> None:
    """Fail with the differences between the files and what they are with the answers of now.

    With ``update`` write the latter; a file without a difference is left alone.
    """
    differences = []
    for file, now in zip(files, told, strict=True):
        if now != file.marked:
            if update:
                file.path.write_bytes(now.encode())
            else:
                differences.append(_difference(file, now))
    assert not differences, "\n".join(
        [*differences, "- is expected, + is what the server says; --update-golden writes the latter."]
    )


def _difference(file: MarkedFile, now: str) -> str:
    name = str(file.path)
    lines = unified_diff(file.marked.split("\n"), now.split("\n"), name, name, n=5, lineterm="")
    return "\n".join(lines)
