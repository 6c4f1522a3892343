"""Run forms in an SBCL of one's own, to its end."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence

SECONDS = 110


def run_image(arguments: Sequence[str], variables: Mapping[str, str], *, seconds: float = SECONDS) -> None:
    """Run an SBCL with these ``arguments`` and environment ``variables``; assert that it succeeds."""
    done = subprocess.run(
        list(arguments),
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-3000:]
