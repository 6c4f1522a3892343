"""Start the core of a layer for a slice: to save a base, to survey a release, and to dump what it brings.

The Lisp side is prepare/slice.lisp.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import IO

from .images import Earlier, from_core, start_process
from .sbcl import DUMPER, Sbcl, lisp_string

# SBCL's own code and tables, stacks of threads, shared libraries.
_MEGABYTES_BESIDE_HEAP = 2048
_NO_REGISTRY = "(:source-registry :ignore-inherited-configuration)"


@dataclass(frozen=True, slots=True)
class SliceSurroundings:
    """All that SBCL's images for slices share.

    ``places`` is the file of the places of systems, ``fasls`` the folder for compiled files. ``seconds``
    limits the time for loading one system, ``megabytes`` SBCL's heap; ``tests`` includes test systems.
    """

    sbcl: Sbcl
    code: Path
    places: Path
    fasls: Path
    seconds: float
    megabytes: int
    tests: bool = False

    def environment(self) -> dict[str, str]:
        """The environment of these images: ASDF finds only what ``places`` lists."""
        return {
            **os.environ,
            "CL_SOURCE_REGISTRY": _NO_REGISTRY,
            "ASDF_OUTPUT_TRANSLATIONS": (
                f"(:output-translations (t ({lisp_string(f'{self.fasls}/')} :implementation))"
                " :ignore-inherited-configuration)"
            ),
            "OBLIST_PLACES": str(self.places),
            "OBLIST_LOAD_SECONDS": str(ceil(self.seconds)),
            "OBLIST_TESTS": "yes" if self.tests else "",
            "OBLIST_DUMPER": str(self.code / DUMPER),
            **dict.fromkeys(("OBLIST_USERINIT", "OBLIST_INIT", "OBLIST_LOAD", "OBLIST_PROJECTS"), ""),
            **dict.fromkeys(("OBLIST_CHANGED", "OBLIST_LOADED", "OBLIST_LAST_GOOD", "OBLIST_SYSTEMS"), ""),
            **dict.fromkeys(("OBLIST_SURVEY", "OBLIST_OMIT", "OBLIST_SNAPSHOT", "OBLIST_LAYER"), ""),
            **dict.fromkeys(("OBLIST_ASDF", "OBLIST_LIBRARIES_IDENTITY", "OBLIST_VENDORED"), ""),
            "OBLIST_SETTLED_LIBRARIES": "",
            "OBLIST_VALUES": "",
            "OBLIST_TEXTS": "",  # the folder of a release's compiled files is named after its texts
        }


SURVEY: Mapping[str, str] = {"OBLIST_SURVEY": "yes"}
"""The task to read the definitions of a release only."""


def to_save(core: Path, systems: Sequence[str]) -> Mapping[str, str]:
    """The task to load ``systems`` and be saved as ``core``; what is dumped is only what did not load."""
    return {"OBLIST_SYSTEMS": "\n".join(systems), "OBLIST_SNAPSHOT": str(core), "OBLIST_LAYER": "yes"}


def to_dump(omitted: Mapping[str, str]) -> Mapping[str, str]:
    """The task to dump what a release brings; ``omitted`` are systems not to load, and why."""
    return {"OBLIST_OMIT": "\n".join(f"{name}\n{reason}" for name, reason in omitted.items())}


def start_slice(
    around: SliceSurroundings,
    core: Path,
    task: Mapping[str, str],
    definition: Path | None,
    records: int,
    output: IO[bytes],
    earlier: Earlier,
) -> subprocess.Popen[bytes]:
    """Start the ``core`` of a layer for a ``task``, in the folder of the release's ``definition``, if any."""
    variables = {**around.environment(), **earlier.environment(), **task}
    variables["OBLIST_DEFINITION"] = str(definition or "")
    folder = definition.parent if definition else None
    command = from_core(around.sbcl, core, "--dynamic-space-size", f"{around.megabytes}MB")
    return start_process(_within(around.megabytes, command), variables, folder, records, output)


def _within(megabytes: int, command: list[str]) -> list[str]:
    """Wrap ``command`` so that SBCL, whose heap has ``megabytes``, gets little memory besides.

    Foreign code could otherwise take all that the machine has. prlimit from util-linux does this; without
    it, the heap alone is limited.
    """
    prlimit = shutil.which("prlimit")
    limit = (megabytes + _MEGABYTES_BESIDE_HEAP) << 20
    return [prlimit, f"--as={limit}", "--", *command] if prlimit else command
