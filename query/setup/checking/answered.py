"""Starting a server as a client would, and asking it one question."""

from __future__ import annotations

import os
import shlex
import shutil
from tempfile import TemporaryFile

import anyio

from ..client import MCP, ServerStart
from ..errors import SetupError
from .language import ask_language_server
from .tools import ask_mcp_server

SECONDS = 60.0
"""How long a server may take to start and to answer."""
_ASKING = {MCP: ask_mcp_server}


def answered(start: ServerStart, seconds: float = SECONDS) -> str:
    """What a server answered. Raises SetupError with the reason if it did not start, or did not answer."""
    command = [_program(start), *start.command[1:]]
    if not start.folder.is_dir():
        raise SetupError(f"the folder {start.folder}, in which the server is started, does not exist")
    environment = {**os.environ, **start.environment}
    ask = _ASKING.get(start.server, ask_language_server)

    with TemporaryFile("w+", errors="replace") as said:

        async def asking() -> str:
            with anyio.fail_after(seconds):
                return await ask(command, start.folder, environment, said)

        try:
            return anyio.run(asking)
        except TimeoutError:
            raise SetupError(f"{_shown(start)} did not answer within {seconds:.0f} seconds") from None
        except Exception as error:  # a program that is no server may do anything
            said.seek(0)
            raise SetupError(_reason(error, said.read(), start)) from error


def _program(start: ServerStart) -> str:
    name = start.command[0]
    path = start.environment.get("PATH", os.environ.get("PATH"))
    found = shutil.which(name, path=path)
    if found is None:
        why = "does not exist" if os.sep in name else "is not on the PATH"
        raise SetupError(f"the program {name} {why}: install oblist there, or set this client up again")
    return found


def _shown(start: ServerStart) -> str:
    return shlex.join(start.command)


def _reason(error: BaseException, said: str, start: ServerStart) -> str:
    """What the server said of itself; else what it is about an error, or the first one of a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, SetupError):
        return str(error)
    lines = [line for line in said.splitlines() if line.strip()]
    why = lines[-1].removeprefix("oblist: ") if lines else str(error) or type(error).__name__
    return f"{_shown(start)} does not answer as a server should: {why}"
