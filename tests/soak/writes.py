"""Soak on a file system that remembers every write: what is written outside of the servers' own folders.

    python tests/soak/writes.py [the options of run.py]

Everything runs below an overlay over the root (Linux, as root): what it writes, replaces or removes, whatever
program does it, is found in the upper layer afterwards. Only these may have changed: the soak's folder, in
which are the project, its index and each server's cache and temporary files; the home of the tests; the cache
of what ASDF compiles; and what Python compiles, which it keeps beside its files. Exit code 1 says that
something else has changed, or that the soak failed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

_ROOT = Path(__file__).parent.parent.parent
_RUN = Path(__file__).parent / "run.py"
_ALLOWED = ("tmp/soak-", "tmp/tests-home-", f"{_ROOT.relative_to('/')}/.test-cache/")
_MOUNTS = """
set -e
mount -t tmpfs -o size=8g tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
for folder in proc dev sys; do mount --rbind "/$folder" "$1/root/$folder"; done
mount -t tmpfs tmpfs "$1/root/dev/shm"
place=$1; shift
chroot "$place/root" "$@" || echo "exit code $?" > "$place/failed"
umount -R "$place/root" 2>/dev/null || umount -l "$place/root"
cd "$place/upper"
find . ! -type d -printf '%P\\0' > "$OBLIST_WRITTEN"
test ! -e "$place/failed"
"""


def main() -> int:
    """Soak; return the exit code."""
    with tempfile.TemporaryDirectory(prefix="overlay-") as folder:
        place, listed = Path(folder) / "place", Path(folder) / "listed"
        place.mkdir()
        command = [
            "unshare",
            "--mount",
            "--propagation",
            "private",
            "bash",
            "-c",
            _MOUNTS,
            "bash",
            str(place),
        ]
        command += [sys.executable, str(_RUN), *sys.argv[1:]]
        environment = {**os.environ, "OBLIST_WRITTEN": str(listed), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(command, env=environment, cwd=_ROOT, check=False)
        written = listed.read_bytes().split(b"\0")[:-1] if listed.exists() else []
    outside = sorted(_outside(written))
    print(f"{len(written)} files written, {len(outside)} of them outside of the folders of the soak")
    for path in outside:
        print(f"OUTSIDE {path}")
    return 1 if done.returncode or outside or not written else 0


def _outside(written: list[bytes]) -> Iterator[str]:
    for one in written:
        path = os.fsdecode(one)
        if not path.startswith(_ALLOWED) and "/__pycache__/" not in path:
            yield path


if __name__ == "__main__":
    sys.exit(main())
