"""The folder of the project that an index is of."""

from __future__ import annotations

from pathlib import Path

from .reading import Reading
from .roots import folder_of


def own_folder(index: Reading) -> Path | None:
    """The folder that the index was built for, with all links followed; None if it is not of one project."""
    return folder_of(index.path)
