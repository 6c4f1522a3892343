"""The folder of a project: nothing outside of it is ever changed."""

from __future__ import annotations

import os
from pathlib import Path

from ...index.reading import Reading
from ..errors import RefactorError

_OWN = ".oblist"


def project_folder(index: Reading, given: str | None) -> Path:
    """The folder that was ``given``, or else the one that the index is in. Raises RefactorError."""
    if given is not None:
        folder = Path(given)
    else:
        own = Path(os.path.realpath(index.path)).parent
        if own.name != _OWN:
            raise RefactorError(f"{index.path} is not of one project: say which folder with --project")
        folder = own.parent
    if not folder.is_dir():
        raise RefactorError(f"{folder}: there is no such folder")
    return Path(os.path.realpath(folder))
