"""Run commands where there is neither SBCL nor any Lisp source."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

_HIDDEN = ("/usr/lib/sbcl", "/usr/local/lib/sbcl", "/usr/share/sbcl-source", "/usr/share/common-lisp")
# Mounted over each: an empty folder that only the processes in this namespace see.
_SCRIPT = """
for folder in {folders}; do
    [ -d "$folder" ] && mount -t tmpfs -o size=4k none "$folder"
done
for program in $(type -ap sbcl); do mount --bind /dev/null "$program"; done
exec "$@"
"""


def namespace(folder: Path) -> list[str]:
    """The prefix that runs a command without SBCL and sources; skips the test where that is not allowed."""
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("only root can hide folders from a process, with unshare(1)")
    script = folder / "hidden"
    script.write_text(_SCRIPT.replace("{folders}", " ".join(_HIDDEN)))
    command = ["unshare", "--mount", "bash", str(script)]
    if subprocess.run([*command, "true"], capture_output=True, check=False).returncode != 0:
        assert "CI" not in os.environ, "CI must run this test"
        pytest.skip("this kernel or container allows no mount namespaces")
    return command
