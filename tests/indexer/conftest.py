"""What several tests of the indexer watch."""

from __future__ import annotations

from typing import Any

import pytest

from oblist.indexer.layers.core_and_index import Layer
from oblist.indexer.layers.write import WrittenIndex, write_on


@pytest.fixture
def bases(monkeypatch: pytest.MonkeyPatch) -> list[Layer | None]:
    """The layers that indexes are written on from now on."""
    found: list[Layer | None] = []

    def write(base: Layer | None, *more: Any, **options: Any) -> WrittenIndex:
        found.append(base)
        return write_on(base, *more, **options)

    monkeypatch.setattr("oblist.indexer.layers.write.write_on", write)
    return found
