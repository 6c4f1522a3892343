"""oblist's own Lisp code, compiled once for all the caches of the tests."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from oblist.lisp.sbcl import compiled_code
from support.builds.build_cache import kept, tested_sbcl
from support.builds.small_sbcl import small_sbcl


def share_code(cache: Path) -> None:
    """Give a cache, as XDG_CACHE_HOME names one, a copy of what a first use would compile."""
    ours = cache / "oblist"
    for folder in (cache, ours):
        folder.mkdir(mode=0o700, exist_ok=True)
    for compiled in kept("code", _compile).iterdir():
        if not (ours / compiled.name).exists():
            beside = Path(tempfile.mkdtemp(prefix="copying-", dir=ours))
            shutil.copytree(compiled, beside, dirs_exist_ok=True)
            with suppress(OSError):  # another worker was first
                beside.rename(ours / compiled.name)
            shutil.rmtree(beside, ignore_errors=True)


def _compile(folder: Path) -> None:
    for sbcl in (tested_sbcl(), small_sbcl()):
        compiled_code(sbcl, folder)
