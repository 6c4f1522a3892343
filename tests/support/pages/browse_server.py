"""A running ``oblist browse``, asked as a browser asks."""

from __future__ import annotations

import http.client
import select
import signal
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

from support.command import start_oblist

SECONDS = 60


class Server:
    """A running ``oblist browse``; ``environment`` is added to ours."""

    def __init__(self, *arguments: str | Path, environment: dict[str, str] | None = None) -> None:
        self.process = start_oblist("browse", *arguments, "--no-open", environment=environment)
        assert self.process.stdout is not None
        assert select.select([self.process.stdout], [], [], SECONDS)[0], "it said nothing"
        self.line = self.process.stdout.readline()
        self.address = urlsplit(self.line.split()[-1])

    def ask(self, url: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], str]:
        """Status, headers with lower-case names, and body."""
        connection = http.client.HTTPConnection(self.address.netloc, timeout=SECONDS)
        try:
            connection.request(method, url, headers=headers)
            response = connection.getresponse()
            told = {name.lower(): value for name, value in response.getheaders()}
            return response.status, told, response.read().decode()
        finally:
            connection.close()

    def end(self) -> tuple[int, str]:
        """Its exit code, and everything that it printed on stderr."""
        self.process.send_signal(signal.SIGINT)
        try:
            _, errors = self.process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return self.process.returncode, errors
