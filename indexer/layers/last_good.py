"""The last good state of a project: for each system, its compiled files and the texts they came from.

A system that no longer loads is loaded from these into the image of a refresh, so that the index goes on
following the others (lisp/prepare/last-good.lisp).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from oblist.lisp.unfinished import replace_file

from ..format import user_cache_folder
from ..inputs import compiled_texts
from ..records import Loaded
from ..source_text import source_octets
from .core_and_index import Layer

_FOLDER = "last-good"
_STATE, _PLAN = "state.json", "plan"
_MOST_STATES = 8


@dataclass(frozen=True, slots=True)
class GoodFile:
    """A file of a system: the paths of its source, of the compiled file, and of a copy of the source."""

    source: str
    fasl: str
    text: str


GoodSystems = Mapping[str, Sequence[GoodFile]]


class LastGood:
    """The last good state of what the index at ``index`` follows, in the user's cache."""

    def __init__(self, index: Path) -> None:
        self._index = index.absolute()
        name = hashlib.sha256(os.fsencode(self._index)).hexdigest()[:32]
        self._folder = user_cache_folder() / _FOLDER / name

    def systems(self, base: Layer) -> GoodSystems:
        """The files of each system, in the order of loading; none of what another SBCL has compiled."""
        try:
            state = json.loads((self._folder / _STATE).read_text(encoding="utf-8"))
            if state["compiler"] != _compiler(base):
                return {}
            return {
                name: [
                    GoodFile(source, str(self._folder / fasl), str(self._folder / text))
                    for source, fasl, text in files
                ]
                for name, files in state["systems"]
            }
        except (OSError, ValueError, KeyError, TypeError):
            return {}

    def plan(self, systems: GoodSystems, kept: Collection[str], omitted: Collection[str]) -> Path:
        """Write which systems to keep in their last good state, and which to omit, for SBCL to read."""
        lines = [*(f"keep {name}" for name in sorted(kept)), *(f"omit {name}" for name in sorted(omitted))]
        for name, files in systems.items():
            lines.append(f"system {name}")
            for file in files:
                lines += [f"fasl {file.fasl}", f"source {file.source}", f"text {file.text}"]
        plan = self._folder / _PLAN
        plan.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", errors="surrogateescape")
        return plan

    def keep(self, loaded: Sequence[Loaded], base: Layer) -> None:
        """Keep the state that the index is in; ``loaded`` is what its image has just loaded.

        A system that is kept was loaded from its last good state, which stays. Keeping is a convenience:
        what cannot be kept, or has changed since it was loaded, is left out.
        """
        before = self.systems(base)
        hashes = compiled_texts(self._index)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        systems: list[tuple[str, list[tuple[str, str, str]]]] = []
        for record in loaded:
            if record.kept:
                files = [
                    (one.source, Path(one.fasl).name, Path(one.text).name) for one in before[record.system]
                ]
                systems.append((record.system, files))
                continue
            with suppress(OSError, _ChangedError):
                systems.append(
                    (record.system, [self._kept(source, fasl, hashes) for source, fasl in record.files])
                )
        state = {"index": str(self._index), "compiler": _compiler(base), "systems": systems}
        new = self._folder / f"{_STATE}.new"
        new.write_text(json.dumps(state), encoding="utf-8")
        new.replace(self._folder / _STATE)
        needed = {_STATE, _PLAN, *(name for _, files in systems for _, *names in files for name in names)}
        for path in self._folder.iterdir():
            if path.name not in needed:
                path.unlink(missing_ok=True)
        _prune(self._folder.parent)

    def _kept(self, source: str, fasl: str, hashes: Mapping[str, str | None]) -> tuple[str, str, str]:
        """Keep one file; returns its source and the names of the kept ones."""
        status = Path(fasl).stat()
        kept_fasl = self._folder / f"{status.st_ino}-{status.st_mtime_ns}.fasl"
        if not kept_fasl.exists():
            try:
                os.link(fasl, kept_fasl)  # compilers replace their output, so it stays as it is
            except OSError:
                replace_file(kept_fasl, Path(fasl).read_bytes(), private=True)
        known = hashes.get(source)
        if source in hashes and known is None:
            raise _ChangedError
        if known is None or not (self._folder / f"{known}.lisp").exists():
            octets = source_octets(source)
            found = hashlib.sha256(octets).hexdigest()
            if known not in (None, found):
                raise _ChangedError
            known = found
            replace_file(self._folder / f"{known}.lisp", octets, private=True)
        return source, kept_fasl.name, f"{known}.lisp"


class _ChangedError(Exception):
    """The source has changed since it was compiled."""


def _compiler(base: Layer) -> list[str]:
    """What has to be the same for a compiled file to be loaded."""
    return [str(base.sbcl.path), base.code.name]


def _prune(states: Path) -> None:
    """Drop the states whose index is gone, and the least recently kept ones beyond the limit."""
    folders = sorted(states.iterdir(), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for number, folder in enumerate(folders):
        with suppress(OSError, ValueError, KeyError):
            index = Path(json.loads((folder / _STATE).read_text(encoding="utf-8"))["index"])
            if number >= _MOST_STATES or not index.exists():
                shutil.rmtree(folder, ignore_errors=True)
