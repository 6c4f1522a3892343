"""The same questions to a live image, in the same run."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from oblist.lisp.sbcl import Sbcl

_FIELDS = ("question", "asked", "p50", "worst")


def live_image(sbcl: Sbcl) -> list[dict[str, Any]]:
    """Median and worst milliseconds of what SBCL itself answers, in a warm image."""
    script = Path(__file__).with_name("peers.lisp")
    command = [str(sbcl.path), "--noinform", "--no-sysinit", "--no-userinit", "--disable-debugger"]
    command += ["--load", str(script), "--quit"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [dict(zip(_FIELDS, row, strict=True)) for row in json.loads(done.stdout.splitlines()[-1])]
