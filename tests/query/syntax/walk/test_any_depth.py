"""However deep the forms are, the walk ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query.syntax.walk.files import walk_text
from support.walks import Walks


@pytest.mark.parametrize(
    "opening", ["(let ((x 1)) ", "(defmethod m ((x t)) ", "(loop for x in (list ", "'", "`(,"]
)
def test_any_depth(opening: str, walks: Walks) -> None:
    text = f"{opening * 2_000}x{')' * (opening.count('(') - opening.count(')')) * 2_000}"
    (form,) = walk_text(text, "COMMON-LISP-USER", walks.features, walks.meanings, walks.tokens)
    assert form.toplevel.closed


@pytest.fixture(scope="module")
def walks(libraries_index: Path) -> Iterator[Walks]:
    with Walks(libraries_index) as opened:
        yield opened
