"""Start SBCL to dump an image, above a layer or alone, and to refresh: what it is told, and what it says."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import IO

from .descendants import OwnedProcess
from .sbcl import DUMPER, PREPARE, SERVER, Sbcl, ending_with_us, load_form, sbcl_arguments

# Exit codes of an image that had to compile (lisp/prepare/load.lisp), and of one that needs other libraries
# (lisp/prepare/systems/libraries.lisp).
COMPILED_HERE, OTHER_LIBRARIES = 75, 76
_TEXTS, _MOST_TEXTS_BYTES = "texts-of-fasls", 4_000_000
_MOST_BYTES = 100_000  # Linux: 128 KiB (MAX_ARG_STRLEN)
LOADING_MARK = ";;; oblist: loading "


@dataclass(frozen=True, slots=True)
class Setup:
    """The things to load into an image, besides the named systems.

    The init file comes first: ``init``, or with ``user_init`` the user's own, as SBCL itself would load
    it; then ``files``. After the named systems come those of the folders ``projects``, with ``tests`` their
    test systems too. ``seconds`` limits the time for loading each of them.
    """

    projects: Sequence[Path] = ()
    files: Sequence[Path] = ()
    init: Path | None = None
    user_init: bool = False
    seconds: float = 600.0
    tests: bool = False

    @property
    def folder(self) -> Path | None:
        """The folder in which the image runs, as its author would run it: that of the first project."""
        return self.projects[0] if self.projects else None

    def environment(self) -> dict[str, str]:
        """The environment variables that lisp/prepare/load.lisp reads."""
        return {
            "OBLIST_USERINIT": "yes" if self.user_init and self.init is None else "",
            "OBLIST_INIT": str(self.init.absolute()) if self.init else "",
            "OBLIST_LOAD": "\n".join(str(file.absolute()) for file in self.files),
            "OBLIST_PROJECTS": "\n".join(str(project.resolve()) for project in self.projects),
            "OBLIST_LOAD_SECONDS": str(ceil(self.seconds)),
            "OBLIST_TESTS": "yes" if self.tests else "",
        }


@dataclass(frozen=True, slots=True)
class Libraries:
    """The systems that projects load before their own, as lisp/prepare/systems/libraries.lisp announces them.

    ``identity`` differs for others, ``names`` are in the order of loading, and ``places`` has the definition
    files of these systems and of all that they need, empty for what comes with SBCL. The files ``vendored``
    are those of them in a project's folder.
    """

    identity: str
    names: Sequence[str]
    places: Sequence[tuple[str, str]]
    vendored: Sequence[str]

    def environment(self) -> dict[str, str]:
        """The environment variables by which an image loads these and nothing of a project."""
        return {
            "OBLIST_SYSTEMS": "\n".join(self.names),
            "OBLIST_VENDORED": "\n".join(self.vendored),
            "OBLIST_LIBRARIES_IDENTITY": self.identity,
        }


MOST_COMPILING = 2


@dataclass(frozen=True, slots=True)
class Earlier:
    """What an image has to know about earlier starts of the same.

    ``compiled`` is the number of those that had to compile; there are MOST_COMPILING. It does not load what
    is ``fatal``, by kind and name (``loaded_last``): that ended SBCL, for the reason given, while it was
    loaded or dumped. ``witness`` is the file in which to name each question before it is asked
    (lisp/dump/witness.lisp).
    """

    compiled: int = 0
    fatal: Mapping[str, str] = field(default_factory=dict)
    witness: Path | None = None

    def environment(self) -> dict[str, str]:
        """The environment variables that the Lisp side reads."""
        lines = "\n".join(f"{what}\n{reason}" for what, reason in self.fatal.items())
        return {
            "OBLIST_AGAIN": ("", "once more", "for the last time")[self.compiled],
            "OBLIST_FATAL": lines,
            "OBLIST_WITNESS": str(self.witness or ""),
        }


_NONE = Earlier()
NO_LIBRARIES = "none"
"""What stands for no libraries, as the identity of others."""
_SETTLED = "-"  # no identity: the list of those that are settled may be empty
_NOT_LIBRARIES = {"OBLIST_LIBRARIES_IDENTITY": "", "OBLIST_VENDORED": ""}


def start_dump(
    sbcl: Sbcl,
    code: Path,
    systems: Sequence[str],
    setup: Setup,
    records: int,
    output: IO[bytes],
    environment: Mapping[str, str] | None = None,
    snapshot: Path | None = None,
    layer: bool = False,
    libraries: Libraries | None = None,
    settled: Sequence[str] | None = None,
    earlier: Earlier = _NONE,
) -> subprocess.Popen[bytes]:
    """Start an SBCL that loads ``setup`` and ``systems`` and writes to the descriptor ``records``.

    With ``snapshot`` a child of SBCL saves the loaded image as that core meanwhile, and SBCL ends after it.
    With ``layer`` the core is one that others start from; ``libraries`` are then loaded in place of systems
    and projects. SBCL ends with the code OTHER_LIBRARIES, before it loads any, when it has announced
    libraries that projects need and that are not among those ``settled``, by identity; without ``settled``,
    it goes on.
    If SBCL had to compile anything, it ends with the code COMPILED_HERE and must be started again, after
    ``earlier`` starts.

    An empty line in the stream is a sign of life: one more thing was loaded, or failed to load. ``code``
    is the folder from ``compiled_code``; the output of SBCL and the loaded libraries goes to ``output``.
    The process runs in the first project's folder, as its author would run it, has a process group of its own
    and no standard input, and ends with this one.
    """
    variables = _what_to_load(code, systems, setup, snapshot, layer, libraries, settled, earlier)
    command = sbcl_arguments(sbcl, [load_form(code / PREPARE), "(oblist::begin-without-base)"])
    return start_process(command, {**(environment or os.environ), **variables}, setup.folder, records, output)


def start_above(
    sbcl: Sbcl,
    code: Path,
    core: Path,
    systems: Sequence[str],
    setup: Setup,
    records: int,
    output: IO[bytes],
    *,
    asdf: bool = False,
    snapshot: Path | None = None,
    layer: bool = False,
    libraries: Libraries | None = None,
    settled: Sequence[str] | None = None,
    earlier: Earlier = _NONE,
) -> subprocess.Popen[bytes]:
    """Start the ``core`` of a layer, which loads ``setup`` and ``systems`` and writes what is newer than it.

    ``asdf`` says that ASDF is to be loaded even if there is no system to load. SBCL also ends with the code
    OTHER_LIBRARIES if the layer has libraries, and the projects need others. All else is as for
    ``start_dump``.
    """
    variables = {
        **_what_to_load(code, systems, setup, snapshot, layer, libraries, settled, earlier),
        **_above(core),
        "OBLIST_ASDF": "yes" if asdf else "",
    }
    return start_process(from_core(sbcl, core), {**os.environ, **variables}, setup.folder, records, output)


def _what_to_load(
    code: Path,
    systems: Sequence[str],
    setup: Setup,
    snapshot: Path | None,
    layer: bool,
    libraries: Libraries | None,
    settled: Sequence[str] | None,
    earlier: Earlier,
) -> dict[str, str]:
    """The variables that say what to load and how to save it (lisp/prepare/load.lisp)."""
    return {
        **setup.environment(),
        **earlier.environment(),
        **_code(code),
        "OBLIST_SYSTEMS": "\n".join(systems),
        **(libraries.environment() if libraries else _NOT_LIBRARIES),
        "OBLIST_SETTLED_LIBRARIES": "" if settled is None else "\n".join([_SETTLED, *settled]),
        "OBLIST_SNAPSHOT": str(snapshot or ""),
        "OBLIST_LAYER": "yes" if layer else "",
    }


def _code(code: Path) -> dict[str, str]:
    """The variables that name our ``code`` that is loaded later, and a file beside it."""
    return {
        **texts_of_fasls(code),
        "OBLIST_DUMPER": str(code / DUMPER),
        "OBLIST_SERVER": str(code / SERVER),
    }


def _above(core: Path) -> dict[str, str]:
    """The variables for an image that starts from the ``core`` of a layer (lisp/prepare/above.lisp)."""
    return {
        **dict.fromkeys(("OBLIST_VALUES", "OBLIST_PLACES"), ""),
        "OBLIST_BASE_FILES": str(base_files(core)),
        "OBLIST_DEFERRED_SYMBOLS": str(deferred_symbols(core)),
    }


def from_core(sbcl: Sbcl, core: Path, *options: str) -> list[str]:
    """The command that starts the ``core`` of a layer, with these ``options`` of the runtime."""
    # No --lose-on-corruption: printing an object that exhausts the stack costs that object's text alone.
    return [
        *(str(sbcl.path), "--core", str(core), "--noinform", "--disable-ldb", *options),
        "--end-runtime-options",
    ]


def start_refresh(
    sbcl: Sbcl,
    code: Path,
    core: Path,
    systems: Sequence[str],
    setup: Setup,
    records: int,
    output: IO[bytes],
    *,
    changed: Sequence[str] | None = None,
    loaded: Iterable[str] = (),
    last_good: Path | None = None,
    environment: Mapping[str, str] | None = None,
    snapshot: Path | None = None,
    below: str = "",
    deferred: Iterable[str] = (),
    owners: Iterable[str] = (),
    earlier: Earlier = _NONE,
) -> subprocess.Popen[bytes]:
    """Start a saved base, which loads ``systems`` and the projects of ``setup`` and dumps or saves them.

    They are saved as the core ``snapshot``. The rest of ``setup`` is in the base; if the projects need other
    libraries than it has, it announces them and ends with the code OTHER_LIBRARIES.

    With ``below`` it loads only what comes before that source, dumps that, and saves it as a layer's core;
    what comes from the sources ``deferred`` is left for the images above to dump, and the systems ``owners``
    are dumped although they may not be loaded yet.

    ``loaded`` are the systems and definition files of the present index: it ends if one does not load.
    The sources ``changed`` are always compiled; None means all that are as old as their fasls, since
    ASDF compares whole seconds. ``last_good`` is the file that lisp/prepare/last-good.lisp reads. Records go
    to the descriptor ``records``, as for ``start_dump``. If the image itself had to compile, which ASDF's
    plan did not foresee, it ends with the code COMPILED_HERE and must be started again, after ``earlier``
    starts.
    """
    variables = {
        **setup.environment(),
        **earlier.environment(),
        **_code(code),
        **_above(core),
        **_NOT_LIBRARIES,
        "OBLIST_SYSTEMS": "\n".join(systems),
        "OBLIST_REFRESH": "yes",
        "OBLIST_BELOW": below,
        "OBLIST_DEFERRED": "\n".join(deferred),
        "OBLIST_OWNERS": "\n".join(owners),
        "OBLIST_CHANGED": _lines_or_star(changed),
        "OBLIST_LOADED": "\n".join(loaded),
        "OBLIST_LAST_GOOD": str(last_good or ""),
        "OBLIST_SNAPSHOT": str(snapshot or ""),
    }
    environment = {**(environment or os.environ), **variables}
    return start_process(from_core(sbcl, core), environment, setup.folder, records, output)


def texts_of_fasls(code: Path) -> dict[str, str]:
    """The variable that names the file in which images note from which text a fasl was compiled.

    It is beside the folder of the compiled ``code`` (lisp/prepare/texts.lisp). Half of it is dropped when it
    is large.
    """
    texts = code.with_name(_TEXTS)
    with suppress(OSError):
        if texts.stat().st_size > _MOST_TEXTS_BYTES:
            lines = texts.read_bytes().splitlines(keepends=True)
            new = texts.with_name(f"{_TEXTS}.{os.getpid()}")
            new.write_bytes(b"".join(lines[len(lines) // 2 :]))
            new.replace(texts)
    return {"OBLIST_TEXTS": str(texts)}


def base_files(core: Path) -> Path:
    """The list of the source files in the index of the base that has this ``core``, as SBCL names them."""
    return core.with_suffix(".files")


def deferred_symbols(core: Path) -> Path:
    """The list of the numbers of symbols with definitions that the base of this ``core`` leaves to others."""
    return core.with_suffix(".deferred")


def start_process(
    command: list[str], environment: Mapping[str, str], folder: Path | None, records: int, output: IO[bytes]
) -> subprocess.Popen[bytes]:
    """Start an SBCL whose records go to the descriptor ``records`` and whose output goes to ``output``."""
    return OwnedProcess(
        ending_with_us(command),
        {**environment, "OBLIST_RECORDS": str(records)},
        folder,
        output=output,
        errors=output,
        descriptors=[records],
    )


def _lines_or_star(changed: Sequence[str] | None) -> str:
    """Paths as lines; a star when they are unknown or do not fit into an environment variable."""
    lines = "\n".join(changed or ())
    return "*" if changed is None or len(lines.encode(errors="surrogateescape")) > _MOST_BYTES else lines


def loaded_last(output: str) -> str | None:
    """The kind and name of what was being loaded when ``output`` ends; None before anything was loaded."""
    _, marked, rest = output.rpartition(LOADING_MARK)
    return rest.partition("\n")[0] if marked else None


def printed_while_loading(output: str, what: str) -> str:
    """The part of ``output`` printed while ``what`` was loaded; lisp/prepare/load.lisp marks the parts."""
    for part in reversed(output.split(LOADING_MARK)[1:]):  # its dependencies were loaded before it
        head, _, printed = part.partition("\n")
        if head.endswith(f" {what}"):
            return printed.strip()
    return ""
