"""The folder of the project that an index is of."""

from __future__ import annotations

import os
from pathlib import Path

from .reading import Reading

_OWN = ".oblist"


def own_folder(index: Reading) -> Path | None:
    """The folder that the index was built for, with all links followed; None if it is not of one project."""
    own = Path(os.path.realpath(index.path)).parent
    return own.parent if own.name == _OWN else None
