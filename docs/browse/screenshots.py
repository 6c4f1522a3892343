"""Take the screenshots for docs/browse.md, with Debian's Chromium.

    python docs/browse/screenshots.py INDEX CATALOG

It writes the pictures beside it, from pages of the index and of the catalog.
"""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
OBLIST = Path(sys.executable).with_name("oblist")
# The pictures: page, width, height and colour scheme.
PICTURES = {
    "symbol": ("symbol/alexandria/flatten", 1200, 900, "light"),
    "search": ("search?q=hash+table", 1200, 900, "light"),
    "graph": ("graph", 1200, 900, "light"),
    "system": ("system/hunchentoot", 1200, 900, "light"),
    "libraries": ("libraries?q=http+request", 1200, 900, "light"),
    "release": ("release/drakma", 1200, 900, "light"),
    "phone": ("symbol/alexandria/flatten", 390, 844, "dark"),
}


def main() -> int:
    """Serve the index, take the screenshots, and return the exit code."""
    chromium = shutil.which("chromium")
    if chromium is None or len(sys.argv) != 3:
        print(f"{__doc__}\nIt needs Chromium: apt-get install chromium", file=sys.stderr)
        return 2
    command = [str(OBLIST), "browse", "--no-open", "--index", sys.argv[1], "--catalog", sys.argv[2]]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = re.search(r"http://\S+", server.stdout.readline())
        assert address is not None, "the server did not start"
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for name, (page, width, height, scheme) in PICTURES.items():
                size = {"width": width, "height": height}
                tab = browser.new_page(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
                answer = tab.goto(f"{address[0]}oblist/-/{page}")
                assert answer is not None and answer.ok, page
                tab.screenshot(path=HERE / f"{name}.png")
                print(f"wrote docs/browse/{name}.png")
            browser.close()
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(timeout=30)
    return 0


if __name__ == "__main__":
    sys.exit(main())
