"""Visual Studio Code itself, as code-server brings it, with our extension: a server, and its page."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Page, Route, sync_playwright

from support.checkout import INSTALLED
from support.editors.vscode.extension import node

_HOST = INSTALLED / "oblist-code-server" / "node_modules" / "code-server" / "lib" / "vscode"
_SECONDS = 60
_BOUND = re.compile(r"Server bound to (127\.0\.0\.1:\d+)")


class VsCodeHost:
    """A server of Visual Studio Code on this machine; ``folder`` has all that it keeps."""

    def __init__(self, extension: Path, folder: Path, settings: dict[str, object]) -> None:
        assert _HOST.exists(), f"{_HOST} is not there. Install it with: .ci/setup vscode-host"
        self._settings = folder / "data" / "Machine" / "settings.json"
        self._settings.parent.mkdir(parents=True)
        self.set(settings)
        command = [node(), str(_HOST / "out" / "server-main.js"), "--server-data-dir", str(folder)]
        command += ["--accept-server-license-terms", "--telemetry-level", "off"]
        installed = subprocess.run(
            [*command, "--install-extension", str(extension)],
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        assert "successfully installed" in installed.stdout, installed.stdout + installed.stderr
        self._log = folder / "said"
        with self._log.open("w") as said:
            self._process = subprocess.Popen(
                [*command, "--host", "127.0.0.1", "--port", "0", "--without-connection-token"],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.url = f"http://{self._address()}"

    def _address(self) -> str:
        deadline = time.monotonic() + _SECONDS
        while (found := _BOUND.search(self._log.read_text())) is None:
            assert time.monotonic() < deadline and self._process.poll() is None, self._log.read_text()
            time.sleep(0.05)
        return found[1]

    def set(self, settings: dict[str, object]) -> None:
        """Set what is said for this machine; a running server takes it at once."""
        # Nothing of the project's may change, and nothing is asked of the network.
        own = {
            "files.autoSave": "off",
            "extensions.autoCheckUpdates": False,
            "workbench.startupEditor": "none",
        }
        self._settings.write_text(json.dumps({**own, **settings}))

    def end(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(_SECONDS)


@contextmanager
def opened(host: VsCodeHost, project: Path, file: str) -> Iterator[Page]:
    """A page that shows a file of a project, whose authors are trusted."""
    chromium = shutil.which("chromium")
    assert chromium is not None, "make setup-tests installs Chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(_SECONDS * 1000)

        def answer(route: Route) -> None:
            if route.request.url.startswith(host.url):
                route.continue_()
            else:
                route.abort()

        page.route("**/*", answer)
        page.goto(f"{host.url}/?folder={project}")
        page.get_by_role("button", name="Yes, I trust the authors").click()
        page.get_by_role("treeitem", name=file, exact=True).click()
        page.locator(".view-lines").wait_for()
        yield page
        browser.close()
