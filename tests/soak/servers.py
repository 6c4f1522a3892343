"""One server of each kind on an index that a watch keeps up to date, each with folders of its own."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from support.command import OBLIST

SECONDS = 120.0
_PORT = re.compile(r":(\d+)")


class Server:
    """A server as a child process; what it logs goes to a file."""

    def __init__(self, name: str, folder: Path, *arguments: str | Path, says_port: bool = False) -> None:
        self.name, self.folder = name, folder / name
        (self.folder / "tmp").mkdir(parents=True)
        (self.folder / "cache").mkdir()
        self.log = self.folder / "log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [OBLIST, *map(str, arguments)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE if name != "watch" else log,
                stderr=log,
                env={**os.environ, **self._environment()},
            )
        self.port = self._port() if says_port else 0

    def _environment(self) -> Mapping[str, str]:
        return {"TMPDIR": str(self.folder / "tmp"), "XDG_CACHE_HOME": str(self.folder / "cache")}

    def _port(self) -> int:
        """The port that the server says it listens on, in its log or on standard output."""
        assert self.process.stdout is not None
        until, said = time.monotonic() + SECONDS, ""
        while time.monotonic() < until and self.process.poll() is None:
            if self.name == "browse" and select.select([self.process.stdout], [], [], 0.1)[0]:
                said += os.read(self.process.stdout.fileno(), 1000).decode()
            found = _PORT.findall(said + self.log.read_text())
            if found:
                return int(found[-1])
            time.sleep(0.1)
        raise AssertionError(f"{self.name} said no port: {said}{self.log.read_text()}")

    def end(self) -> list[str]:
        """End the server; return what is wrong: how it ended, and what it had logged before."""
        logged = self._logged()
        wrong = [] if self.process.poll() is None else [f"it had ended with {self.process.returncode}"]
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                wrong.append("it did not end when asked to")
        for stream in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()
        return [f"{self.name}: {one}" for one in [*wrong, *logged]]

    def _logged(self) -> list[str]:
        lines = self.log.read_text(errors="replace").splitlines()
        return [
            line for line in lines if "Traceback" in line or "a bug in oblist" in line or "Error:" in line
        ]


def started(folder: Path, project: Path) -> list[Server]:
    """A watch of the project, and once that has made the index, all servers."""
    index = project / ".oblist" / "oblist.db"
    servers = [Server("watch", folder, "watch", project, "--no-userinit")]
    until = time.monotonic() + 5 * SECONDS
    while not index.exists():
        assert servers[0].process.poll() is None and time.monotonic() < until, servers[0].log.read_text()
        time.sleep(0.2)
    on = ("--index", index)
    servers += [
        Server("mcp-stdio", folder, "mcp", "--no-live", *on),
        Server("mcp-http", folder, "mcp", "--no-live", "--http", "0", *on, says_port=True),
        Server("lsp-stdio", folder, "lsp", *on),
        Server("lsp-tcp", folder, "lsp", "--tcp", "0", *on, says_port=True),
        Server("browse", folder, "browse", "--no-open", *on, says_port=True),
    ]
    return servers
