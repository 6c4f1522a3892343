"""docs/reliability.md: each row has tests that exist, and says "in full" where only a part is in each run."""

from __future__ import annotations

import re

import pytest

from support.checkout import ROOT

ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| what is done")
]


def test_there_are_rows() -> None:
    assert len(ROWS) > 30


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:60])
def test_each_row_has_tests(row: list[str]) -> None:
    tests = re.findall(r"`(tests/[a-z_/]+\.py)`", row[-1])
    assert len(row) == 3 and tests, row
    texts = [(ROOT / path).read_text(encoding="utf-8") for path in tests]
    if "(in full)" in " ".join(row):
        assert any("amount(" in text or "mark.full" in text for text in texts), row
