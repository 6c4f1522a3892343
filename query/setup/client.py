"""What oblist knows about a client: how to see that it is installed, and what its file should contain."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .files.part import FilePart
from .place import SetupPlace

AGENT, EDITOR, JOB = SORTS = "agent", "editor", "ci"
MCP, LSP = "mcp", "lsp"


@dataclass(frozen=True, slots=True)
class ServerStart:
    """How a client starts a server, as its file says: a command, in a folder, with further variables."""

    server: str
    command: Sequence[str]
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClientFile:
    """A file of a client, and what belongs in it."""

    path: Path
    part: FilePart
    starts: Callable[[Any], Sequence[ServerStart]] = lambda _: ()
    """Derives from the content of the file how the client starts its servers."""


@dataclass(frozen=True, slots=True)
class Client:
    """A program that can use oblist.

    It is here if one of ``programs`` is on the PATH or one of the paths of ``signs`` exists. ``file`` says
    what its file should contain, and ``after`` what else the user must do or should know once that is
    written.
    """

    name: str
    title: str
    sort: str
    file: Callable[[SetupPlace], ClientFile]
    programs: Sequence[str] = ()
    signs: Callable[[SetupPlace], Sequence[Path]] = lambda _: ()
    after: Sequence[str] = ()
    needs_index: bool = True

    def is_here(self, place: SetupPlace) -> bool:
        """Whether the client is installed, as far as that can be seen."""
        return any(map(shutil.which, self.programs)) or any(path.exists() for path in self.signs(place))
