"""Find SBCL, compile our Lisp code with it, and start it to dump or to refresh."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import IO

from .sources import SOURCES, SYSTEMS, source_files

SBCL_VARIABLE = "SBCL"
# Exit codes of an image that had to compile, and of one that needs other libraries (lisp/prepare/load.lisp).
COMPILED_HERE, OTHER_LIBRARIES = 75, 76
PREPARE, DUMPER, SERVER, EVALUATOR = "prepare.fasl", "dump.fasl", "serve.fasl", "evaluate.fasl"
_FASLS, _MOST_FASLS = "fasl-", 8
_TEXTS, _MOST_TEXTS_BYTES = "texts-of-fasls", 4_000_000
_MOST_BYTES = 100_000  # Linux: 128 KiB (MAX_ARG_STRLEN)
LOADING_MARK = ";;; oblist: loading "
_COMPILE_SECONDS = 120
_VERSION_SECONDS = 20


class SbclError(Exception):
    """SBCL is missing or unusable; the message says what to do."""


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
    """The systems that projects load before their own, as lisp/prepare/libraries.lisp announces them.

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
_NOT_LIBRARIES = {"OBLIST_LIBRARIES_IDENTITY": "", "OBLIST_VENDORED": ""}


@dataclass(frozen=True, slots=True)
class Sbcl:
    """A working SBCL: the path of its runtime, and its version."""

    path: Path
    version: str


def find_sbcl(explicit: str | None = None) -> Sbcl:
    """Find the SBCL to use: ``explicit``, else ``$SBCL``, else the first on PATH.

    Raises SbclError when there is none, or when it does not answer ``--version``.
    """
    asked = explicit or os.environ.get(SBCL_VARIABLE)
    found = shutil.which(asked or "sbcl")
    if found is None:
        where = f"{asked} is not a program" if asked else "sbcl is not on the PATH"
        raise SbclError(
            f"No SBCL found: {where}. Install it (on Debian: apt-get install sbcl sbcl-source), "
            "or name one with --sbcl PATH or the SBCL variable."
        )
    try:
        code, answer = _run([found, "--version"], _VERSION_SECONDS, os.environ)
    except subprocess.TimeoutExpired as error:
        late = f"{found} does not answer --version within {_VERSION_SECONDS} s."
        raise SbclError(f"{late} Name another SBCL with --sbcl.") from error
    except OSError as error:
        raise SbclError(f"{found} does not start: {error}. Name another SBCL with --sbcl.") from error
    words = answer.split()
    if code != 0 or words[:1] != ["SBCL"] or len(words) < 2:
        raise SbclError(f"{found} is not an SBCL: it answers {answer.strip()[:80]!r} to --version.")
    # Absolute, because the current folder may change; links are kept, because wrappers depend on their name.
    return Sbcl(Path(found).absolute(), words[1])


def _run(command: Sequence[str], seconds: float, environment: Mapping[str, str]) -> tuple[int, str]:
    """Run ``command`` without input; returns its exit code and what it printed.

    Raises TimeoutExpired after ``seconds``, and OSError. Nothing that it started is left running.
    """
    process = subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        printed, _ = process.communicate(timeout=seconds)
        return process.returncode, printed.decode("utf-8", "replace")
    finally:
        stop(process)
        assert process.stdout is not None
        process.stdout.close()


def sbcl_arguments(sbcl: Sbcl, forms: Sequence[str]) -> list[str]:
    """SBCL's command line: no init files, no debugger, no questions, then ``forms``."""
    fixed = ["--noinform", "--no-sysinit", "--no-userinit", "--disable-debugger"]
    return [str(sbcl.path), *fixed, *(part for form in forms for part in ("--eval", form))]


def load_form(path: Path) -> str:
    """A form that loads ``path``; reading it interns nothing new."""
    return f"(load (sb-ext:parse-native-namestring {lisp_string(path)}))"


def lisp_string(path: Path | str) -> str:
    """``path`` as a string that the Lisp reader reads."""
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def ending_with_us(arguments: list[str]) -> list[str]:
    """Wrap ``arguments`` so that the kernel ends the program when this process ends, even by kill -9.

    setpriv from util-linux does this; without it, SBCL ends when it next writes to us.
    """
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL", "--", *arguments] if setpriv else arguments


def code_fingerprint(sbcl: Sbcl) -> str:
    """A hash of everything that the compiled code depends on: this SBCL's files and our sources."""
    digest = hashlib.sha256()
    runtime = sbcl.path.resolve()
    status = runtime.stat()
    digest.update(f"{runtime} {sbcl.version} {status.st_size} {status.st_mtime_ns}".encode())
    digest.update(sources_fingerprint().encode())
    return digest.hexdigest()[:16]


def sources_fingerprint() -> str:
    """A hash of our Lisp sources."""
    digest = hashlib.sha256()
    for file in (SYSTEMS, *source_files()):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def compiled_code(sbcl: Sbcl, cache: Path) -> Path:
    """The folder of our code compiled for ``sbcl``, below ``cache``; compiles it if necessary.

    Raises SbclError with the end of the compiler's output when it does not compile.
    """
    folder = cache / f"{_FASLS}{code_fingerprint(sbcl)}"
    if folder.is_dir():
        with suppress(OSError):
            os.utime(folder)
        return folder
    try:
        cache.mkdir(parents=True, exist_ok=True, mode=0o700)
        work = Path(tempfile.mkdtemp(prefix="compiling-", dir=cache))
    except OSError as error:
        raise SbclError(
            f"The cache folder {cache} cannot be written: {error.strerror}. "
            "Make it writable, or set XDG_CACHE_HOME to a folder that is."
        ) from error
    try:
        _compile(sbcl, work)
        try:
            work.rename(folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process was first, with the same result
                raise
    finally:
        shutil.rmtree(work, ignore_errors=True)
    _drop_old_code(cache)
    return folder


def _compile(sbcl: Sbcl, folder: Path) -> None:
    """Compile our code with ``sbcl`` into ``folder``; raises SbclError."""
    command = sbcl_arguments(sbcl, [load_form(SOURCES / "build.lisp")])
    variables = {"OBLIST_LISP": str(SOURCES), "OBLIST_FASLS": str(folder)}
    try:
        code, printed = _run(command, _COMPILE_SECONDS, {**os.environ, **variables})
    except subprocess.TimeoutExpired as error:
        raise SbclError(f"{sbcl.path} did not compile the dumper within {_COMPILE_SECONDS} s.") from error
    if code != 0:
        raise SbclError(f"{sbcl.path} (SBCL {sbcl.version}) cannot compile the dumper:\n{printed[-2000:]}")
    if not all((folder / name).is_file() for name in (PREPARE, DUMPER, SERVER, EVALUATOR)):
        raise SbclError(
            f"{sbcl.path} (SBCL {sbcl.version}) has not compiled the dumper, but ended without an error. "
            "Is it an SBCL? Name another with --sbcl."
        )


def _drop_old_code(cache: Path) -> None:
    """Keep only the most recently used compiled code: one folder per SBCL and version of our sources."""
    with suppress(OSError):  # another process may remove them too
        folders = sorted(cache.glob(f"{_FASLS}*"), key=lambda path: path.stat().st_mtime_ns)
        for folder in folders[:-_MOST_FASLS]:
            shutil.rmtree(folder, ignore_errors=True)


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
    earlier: Earlier = _NONE,
) -> subprocess.Popen[bytes]:
    """Start an SBCL that loads ``setup`` and ``systems`` and writes to the descriptor ``records``.

    With ``snapshot`` a child of SBCL saves the loaded image as that core meanwhile, and SBCL ends after it.
    With ``layer`` the core is one that others start from; ``libraries`` are then loaded in place of systems
    and projects.
    If SBCL had to compile anything, it ends with the code COMPILED_HERE and must be started again, after
    ``earlier`` starts.

    An empty line in the stream is a sign of life: one more thing was loaded, or failed to load. ``code``
    is the folder from ``compiled_code``; the output of SBCL and the loaded libraries goes to ``output``.
    The process runs in the first project's folder, as its author would run it, has a process group of its own
    and no standard input, and ends with this one.
    """
    # One form, read before anything is loaded: an init file may change the reader.
    steps = [
        f"(oblist::prepare {records})",
        f"(oblist::load-dumper {lisp_string(code / DUMPER)})",
        f'(oblist::dump "{records}")',
        "(oblist::await-snapshot)",
        "(sb-ext:exit :code 0 :abort t)",
    ]
    forms = [load_form(code / PREPARE), f"(progn {' '.join(steps)})"]
    variables = _what_to_load(code, systems, setup, snapshot, layer, libraries, earlier)
    command = sbcl_arguments(sbcl, forms)
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
    survey: bool = False,
    snapshot: Path | None = None,
    layer: bool = False,
    libraries: Libraries | None = None,
    earlier: Earlier = _NONE,
) -> subprocess.Popen[bytes]:
    """Start the ``core`` of a layer, which loads ``setup`` and ``systems`` and writes what is newer than it.

    ``asdf`` says that ASDF is to be loaded even if there is no system to load. With ``survey`` it ends with
    the code OTHER_LIBRARIES when it has announced which libraries the projects need; so it does if the layer
    has libraries, and these are others. All else is as for ``start_dump``.
    """
    variables = {
        **_what_to_load(code, systems, setup, snapshot, layer, libraries, earlier),
        **_above(code, core, records),
        "OBLIST_ASDF": "yes" if asdf else "",
        "OBLIST_LIBRARIES_ONLY": "yes" if survey else "",
    }
    return start_process(_from_core(sbcl, core), {**os.environ, **variables}, setup.folder, records, output)


def _what_to_load(
    code: Path,
    systems: Sequence[str],
    setup: Setup,
    snapshot: Path | None,
    layer: bool,
    libraries: Libraries | None,
    earlier: Earlier,
) -> dict[str, str]:
    """The variables that say what to load and how to save it (lisp/prepare/load.lisp)."""
    return {
        **setup.environment(),
        **earlier.environment(),
        **texts_of_fasls(code),
        "OBLIST_SYSTEMS": "\n".join(systems),
        **(libraries.environment() if libraries else _NOT_LIBRARIES),
        "OBLIST_SNAPSHOT": str(snapshot or ""),
        "OBLIST_LAYER": "yes" if layer else "",
        "OBLIST_SERVER": str(code / SERVER),
    }


def _above(code: Path, core: Path, records: int) -> dict[str, str]:
    """The variables for an image that starts from the ``core`` of a layer (lisp/prepare/above.lisp)."""
    return {
        "OBLIST_RECORDS": str(records),
        "OBLIST_DUMPER": str(code / DUMPER),
        "OBLIST_BASE_FILES": str(base_files(core)),
        "OBLIST_DEFERRED_SYMBOLS": str(deferred_symbols(core)),
    }


def _from_core(sbcl: Sbcl, core: Path) -> list[str]:
    """The command that starts the ``core`` of a layer."""
    # No --lose-on-corruption: printing an object that exhausts the stack costs that object's text alone.
    return [
        *(str(sbcl.path), "--core", str(core), "--noinform", "--disable-ldb"),
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
        **texts_of_fasls(code),
        **_above(code, core, records),
        **_NOT_LIBRARIES,
        "OBLIST_SYSTEMS": "\n".join(systems),
        "OBLIST_REFRESH": "yes",
        "OBLIST_BELOW": below,
        "OBLIST_DEFERRED": "\n".join(deferred),
        "OBLIST_OWNERS": "\n".join(owners),
        "OBLIST_CHANGED": _lines_or_star(changed),
        "OBLIST_LOADED": "\n".join(loaded),
        "OBLIST_LAST_GOOD": str(last_good or ""),
        "OBLIST_SERVER": str(code / SERVER),
        "OBLIST_SNAPSHOT": str(snapshot or ""),
    }
    environment = {**(environment or os.environ), **variables}
    return start_process(_from_core(sbcl, core), environment, setup.folder, records, output)


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
    return subprocess.Popen(
        ending_with_us(command),
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        pass_fds=(records,),
        start_new_session=True,
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


def stop(process: subprocess.Popen[bytes], grace_seconds: float = 0.0) -> None:
    """End ``process`` and every process it started.

    With ``grace_seconds`` it gets a SIGTERM first, so that it can flush its output.
    """
    if grace_seconds and process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(grace_seconds)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
