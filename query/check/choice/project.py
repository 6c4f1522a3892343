"""Which files of a project an index can judge: what it has loaded, and what its systems name now."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import NamedTuple

from oblist.indexer.source_text import source_octets

from ...index.incomplete import load_failures
from ...index.reading import Reading
from ...index.shown import shown_name
from ...syntax.features import Features
from ...syntax.tokens import Tokens
from .. import sql
from ..files import is_document, read_text
from .definitions import DefinedSystem, SystemDefinitions

JUDGED = ""
NOT_LOADED, UNLOADED, FAILED = "no-system-loads", "not-to-be-loaded", "did-not-load"
_SOURCE = re.compile(r"\.(lisp|lsp|cl)\Z", re.IGNORECASE)
_MISSING = re.compile(r"Component\s+\"?(?:#?:)?([^\"\s,]+)\"?\s+(?:does not match version .*|not found)")
_MOST_REASON = 80
_MOST_CANDIDATES = 5


class Verdict(NamedTuple):
    """Whether a file is judged (``reason`` is empty), or why not; ``system`` is the one that it belongs to.

    A file that is ``plain`` is judged as far as that needs no knowledge of the project. One that is
    ``partial`` belongs to a system of which a file did not compile or load: it is judged, but nobody knows
    what all its forms define.
    """

    reason: str = JUDGED
    system: str = ""
    plain: bool = False
    partial: bool = False


@dataclass(frozen=True, slots=True)
class _Known:
    """A file of a system as the index has it."""

    system: str
    state: str
    left_out: bool


class ProjectFiles:
    """The files of the projects in an index, compared with those that are to be checked."""

    def __init__(self, index: Reading, checked: Iterable[str], features: Features, tokens: Tokens) -> None:
        self._index = index
        self._definitions = SystemDefinitions(features, tokens)
        self._real = {path: os.path.realpath(path) for path in checked}
        failures = [one for one in load_failures(index) if one.part == "system"]
        self._why = {one.subject: _why(one.message) for one in failures}
        self._lacking = {one.subject for one in failures if _MISSING.search(one.message) is not None}
        self._loaded = {path for (path,) in index.remembered(sql.LOADED_FILES)}
        self._known: defaultdict[str, list[_Known]] = defaultdict(list)
        for row in map(sql.ComponentRow._make, index.remembered(sql.COMPONENTS)):
            self._known[row.path].append(_Known(row.system, row.state, row.feature is not None))
        self._paths = sorted({*self._known, *self._loaded})
        self._broken = {one.subject for one in load_failures(index) if one.part == "definition file"}
        # The folders of sources here, each as the index has it; and those of the projects.
        self._folders: dict[str, str] = {}
        self._own: set[str] = set()
        if self._known:
            self._locate()
        self._states = {one.system: one.state for found in self._known.values() for one in found}
        self._there = {name.lower() for (name,) in index.remembered(sql.SYSTEM_NAMES)}
        self._defined: list[DefinedSystem] | None = None
        self._unchanged: set[str] = set()

    # Folders

    def _locate(self) -> None:
        """Find the folders of the sources on this machine."""
        elsewhere = []
        for row in map(sql.FolderRow._make, self._index.remembered(sql.FOLDERS)):
            here = os.path.realpath(self._index.local_path(row.path) or row.path).rstrip("/") + "/"
            if any(path.startswith(here) for path in self._real.values()):
                self._take(here, row)
            else:
                elsewhere.append(row)
        # A folder is a copy of the one of which it has most: others may have files of the same names.
        moved = [(*found, row) for row in elsewhere if (found := self._moved(row.path)) is not None]
        for here, _, row in sorted(moved, key=lambda one: -one[1]):
            self._take(here, row)
        self._folders = dict(sorted(self._folders.items(), key=lambda one: -len(one[0])))

    def _take(self, here: str, row: sql.FolderRow) -> None:
        """Take a folder here for one in the index, unless it is known to be another."""
        if self._folders.setdefault(here, row.path) == row.path and row.asked:
            self._own.add(here)

    def _moved(self, recorded: str) -> tuple[str, int] | None:
        """The folder here that has most of the files of one in the index, and how many, if any is checked.

        Those that were loaded count, if any were: a copy may well leave out systems that nobody loads.
        """
        paths = self._below(recorded)
        files = [path[len(recorded) :] for path in paths]
        needed = [path[len(recorded) :] for path in paths if path in self._loaded] or files
        by_name: defaultdict[str, list[str]] = defaultdict(list)
        for relative in files:
            by_name[relative.rpartition("/")[2]].append(relative)
        votes = Counter(
            real[: -len(relative)]
            for real in self._real.values()
            for relative in by_name.get(real.rpartition("/")[2], ())
            if real.endswith("/" + relative)
        )
        for folder, _ in votes.most_common(_MOST_CANDIDATES):
            there = sum(Path(folder, relative).exists() for relative in needed)
            if 2 * there > len(needed):
                return folder, there
        return None

    def _below(self, folder: str) -> list[str]:
        """The files in the index whose paths begin with that of a folder."""
        start = bisect_left(self._paths, folder)
        end = bisect_left(self._paths, folder + chr(sys.maxunicode), start)
        return self._paths[start:end]

    def recorded(self, path: str) -> str:
        """The path of a checked file as the index has it."""
        real = self._real[path]
        for here, recorded in self._folders.items():
            if real.startswith(here):
                return recorded + real[len(here) :]
        return real

    def _is_of_a_project(self, path: str) -> bool:
        return any(self._real[path].startswith(here) for here in self._own)

    # Verdicts

    @property
    def failed(self) -> bool:
        """Whether nothing of the projects loaded, although some of it should have; then nothing is judged."""
        return self._nothing_loaded and self._lacking.issuperset(
            system for system, state in self._states.items() if state == "failed"
        )

    @property
    def _nothing_loaded(self) -> bool:
        states = set(self._states.values())
        return "failed" in states and "loaded" not in states

    def why(self, system: str) -> str:
        """Why a system did not load, in a few words."""
        return self._why.get(system, "")

    def verdict(self, path: str) -> Verdict:
        """Whether the file at ``path`` is judged."""
        if not self._is_of_a_project(path):
            return Verdict()
        if is_document(path) or path.lower().endswith(".asd"):
            return Verdict(
                plain=self._nothing_loaded if is_document(path) else self.recorded(path) in self._broken
            )
        return self._of_source(path, self.recorded(path))

    def _of_source(self, path: str, recorded: str) -> Verdict:
        known = self._known.get(recorded, [])
        planned = {one.state: one.system for one in known if not one.left_out}
        if "loaded" in planned:
            return Verdict(system=planned["loaded"])
        if "failed" in planned:
            return self._of_failed(planned["failed"])
        if recorded in self._loaded:  # by other ways than ASDF's
            return Verdict()
        if "unloaded" in planned:
            return Verdict(UNLOADED, planned["unloaded"])
        return self._by_present_definitions(path) if not known else Verdict(NOT_LOADED)

    def _by_present_definitions(self, path: str) -> Verdict:
        """The verdict on an unknown file: a system definition that changed may name it."""
        stem = _SOURCE.sub("", self._real[path])
        for system in self._defined_now():
            inferred = system.inferred is not None and stem.startswith(system.inferred + os.sep)
            named = stem in system.files and system.path not in self._unchanged
            if not named and not inferred:
                continue
            state = self._states.get(system.name)
            if state == "loaded" or system.name in self._there:
                return Verdict()
            if state == "failed":
                return self._of_failed(system.name)
            failed = system.path in self._broken
            return Verdict(FAILED if failed else UNLOADED, system.name, plain=failed and self.failed)
        return Verdict(NOT_LOADED)

    def _of_failed(self, system: str) -> Verdict:
        """The verdict on a file of a system that did not load: because of its code, or of what is missing."""
        if system in self._why and system not in self._lacking:
            return Verdict(system=system, partial=True)
        return Verdict(FAILED, system, plain=self.failed)

    def _defined_now(self) -> list[DefinedSystem]:
        """The systems in the system definitions; notes which of these are as they were loaded."""
        if self._defined is None:
            self._defined = []
            for path, recorded in self._definition_files().items():
                try:
                    text = read_text(path)
                    digest = hashlib.sha256(source_octets(path)).hexdigest()
                    self._defined += self._definitions.systems(path, recorded, text)
                except (OSError, RecursionError):
                    continue
                if (digest,) in self._index.remembered(sql.DIGEST, path=recorded):
                    self._unchanged.add(recorded)
        return self._defined

    def _definition_files(self) -> dict[str, str]:
        """The system definitions here: those that are checked, and those of the projects in the index."""
        found = {
            real: self.recorded(path) for path, real in self._real.items() if path.lower().endswith(".asd")
        }
        for here in self._own:
            folder = self._folders[here]
            for recorded in self._loaded:
                if recorded.lower().endswith(".asd") and recorded.startswith(folder):
                    found.setdefault(here + recorded[len(folder) :], recorded)
        return found

    # Packages that are missing

    def missing_systems(self) -> dict[str, str]:
        """The systems that the project needs and the index does not have, each with what is known of it."""
        found: dict[str, str] = {}
        for failure in load_failures(self._index):
            if (match := _MISSING.search(failure.message)) is not None:
                name = match[1].lower()
                found[name] = f"the system {shown_name(name)} was not found"
            if failure.part in ("system", "dependency"):
                found.setdefault(
                    failure.subject.lower(), f"the system {shown_name(failure.subject)} did not load"
                )
        for system, state in self._states.items():
            if state == "unloaded":
                found.setdefault(system.lower(), f"the system {shown_name(system)} was left out of the index")
        for defined in self._defined_now():
            for name in defined.needs:
                if name.lower() not in self._there:
                    found.setdefault(name.lower(), f"the system {shown_name(name)} is not in the index")
        return found


def _why(message: str) -> str:
    """A failure in a few words."""
    match = _MISSING.search(message)
    if match is not None:
        return f"no system {shown_name(match[1].lower())}"
    return shorten(shown_name(" ".join(message.split())), _MOST_REASON, placeholder="...")
