"""What a first use of oblist makes, once for all caches: its compiled Lisp code, and the lowest layers."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from oblist.indexer.layers.make import layer_with_asdf
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
    share_layers(ours)


def share_layers(ours: Path) -> None:
    """Give the cache ``ours`` links to the layers of SBCL alone and with ASDF."""
    (ours / "layers").mkdir(mode=0o700, exist_ok=True)
    for layer in (kept("layers", _make_layers) / "oblist" / "layers").iterdir():
        with suppress(FileExistsError):
            (ours / "layers" / layer.name).symlink_to(layer)


def cache_of_lowest_layers() -> Path:
    """A cache whose only layers are those of SBCL and ASDF, but with all compiled files of the usual one.

    What is built there once stands on no layer that a test has made.
    """
    usual = Path(os.environ["XDG_CACHE_HOME"])
    cache = usual / "lowest-layers"
    share_code(cache)
    for compiled in ("common-lisp", "oblist/texts-of-fasls"):
        with suppress(FileExistsError):
            (cache / compiled).symlink_to(usual / compiled)
    return cache


def _compile(folder: Path) -> None:
    for sbcl in (tested_sbcl(), small_sbcl()):
        compiled_code(sbcl, folder)


def _make_layers(folder: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        for sbcl in (tested_sbcl(), small_sbcl()):
            layer_with_asdf(sbcl, lambda _: None)
