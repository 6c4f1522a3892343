"""The libraries that projects need, as far as the last image of each has told: small files in the cache."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict

from oblist.lisp.images import Libraries, Setup
from oblist.lisp.sbcl import Sbcl, compiled_code

from ..format import user_cache_folder
from .store import key_of

_FOLDER = "libraries"
_MOST = 256


class KnownLibraries:
    """What has to be loaded before some systems and the projects of a setup, as far as that is known."""

    def __init__(self, sbcl: Sbcl, systems: Sequence[str], setup: Setup) -> None:
        """Raises lisp.sbcl.SbclError when our code does not compile."""
        self.sbcl, self.setup = sbcl, setup
        self.code = compiled_code(sbcl, user_cache_folder())
        registry = {
            name: value for name, value in os.environ.items() if name.startswith(("CL_SOURCE", "ASDF"))
        }
        loaded = [list(systems), sorted(setup.environment().items()), sorted(registry.items())]
        name = key_of(str(sbcl.path), self.code.name, loaded)
        self._file = user_cache_folder() / _FOLDER / f"{name}.json"

    def get(self) -> Libraries | None:
        """The libraries, or None; they may have changed. An image started on a layer with these says so."""
        try:
            libraries = Libraries(**json.loads(self._file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
        with suppress(OSError):
            os.utime(self._file)
        return libraries

    def note(self, libraries: Libraries) -> None:
        """Note ``libraries``, if the cache can be written, and forget those that were used least recently."""
        with suppress(OSError):
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            new = self._file.with_name(f"{secrets.token_hex(8)}.new")
            new.write_text(json.dumps(asdict(libraries)), encoding="utf-8")
            new.replace(self._file)
            files = sorted(self._file.parent.iterdir(), key=lambda path: path.stat().st_mtime_ns)
            for old in files[:-_MOST]:
                old.unlink(missing_ok=True)
