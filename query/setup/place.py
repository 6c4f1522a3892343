"""Where things are for the user who sets up clients: folders, the project, and how oblist is started."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from oblist.indexer.format import PROJECT_FOLDER, index_is_usable, index_to_write

_PROGRAM = "oblist"
_SIGNS = (PROJECT_FOLDER, ".git", ".hg")


@dataclass(frozen=True, slots=True)
class SetupPlace:
    """The folders of the user and of the project.

    ``program`` starts oblist in files that others may share, ``own_program`` in those of this user alone,
    whose clients may have a shorter PATH.
    """

    home: Path
    config: Path
    project: Path
    program: str
    own_program: str
    platform: str = sys.platform

    @property
    def index(self) -> Path:
        """The index of the project, whether it is there or not."""
        return index_to_write(None, self.project).absolute()

    @property
    def has_index(self) -> bool:
        """Whether the project has an index that can be read."""
        return index_is_usable(self.index)


def this_place(project: Path | None = None) -> SetupPlace:
    """Where this process is; the project is that of the working folder unless it is named."""
    home = Path.home()
    chosen = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    config = chosen if chosen.is_absolute() else home / ".config"
    program, own_program = _programs()
    folder = project.absolute() if project is not None else _project_around(Path.cwd(), home)
    return SetupPlace(home, config, folder, program, own_program)


def _project_around(folder: Path, home: Path) -> Path:
    """The nearest folder around with a sign of a project, below the home folder; else the folder itself."""
    for candidate in (folder, *folder.parents):
        if candidate == home:
            break
        if any((candidate / sign).exists() for sign in _SIGNS):
            return candidate
    return folder


def _programs() -> tuple[str, str]:
    """What starts oblist in shared files, and in the user's own: a name that is found later, and a path."""
    beside = Path(sys.executable).with_name(_PROGRAM)
    found = shutil.which(_PROGRAM)
    environment = os.environ.get("VIRTUAL_ENV")
    is_lasting = found is not None and not (environment and Path(found).is_relative_to(environment))
    if found is not None and is_lasting:
        return _PROGRAM, str(Path(found).absolute())
    if beside.exists():
        return str(beside), str(beside)
    return (_PROGRAM, found) if found is not None else (_PROGRAM, _PROGRAM)
