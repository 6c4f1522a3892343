"""The folder of a project: nothing outside of it is ever changed."""

from __future__ import annotations

import os
from pathlib import Path

from ...index.own_folder import own_folder
from ...index.reading import Reading
from ..errors import RefactorError


def project_folder(
    index: Reading, given: str | None, otherwise: str = "say which folder with --project"
) -> Path:
    """The folder that was ``given``, or else the one that the index is in. Raises RefactorError.

    ``otherwise`` says what to do where the index is in none.
    """
    folder = Path(given) if given is not None else own_folder(index)
    if folder is None:
        raise RefactorError(f"{index.path} is not the index of a single project: {otherwise}")
    if not folder.is_dir():
        raise RefactorError(f"{folder}: there is no such folder")
    return Path(os.path.realpath(folder))
