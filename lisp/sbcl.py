"""Find SBCL, run it, and compile our Lisp code with it."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .descendants import OwnedProcess, stop
from .disk import printed_reason
from .sources import SOURCES, SYSTEMS, source_files
from .unfinished import drop_unfinished, unfinished_folder
from .whole import is_whole, write_checksums

SBCL_VARIABLE = "SBCL"
OLDEST = "2.0.11"
PREPARE, DUMPER, SERVER, EVALUATOR = "prepare.fasl", "dump.fasl", "serve.fasl", "evaluate.fasl"
_COMPILING = "compiling-"
_FASLS, _MOST_FASLS = "fasl-", 8
_COMPILE_SECONDS = 120
_VERSION_SECONDS = 20


class SbclError(Exception):
    """SBCL is missing or unusable; the message says what to do."""


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
            f"No SBCL found: {where}. Install SBCL (on Debian: apt-get install sbcl sbcl-source), "
            "or name one with --sbcl PATH or the environment variable SBCL."
        )
    try:
        code, answer = _run([found, "--version"], _VERSION_SECONDS, os.environ)
    except subprocess.TimeoutExpired as error:
        late = f"{found} did not answer --version within {_VERSION_SECONDS} s."
        raise SbclError(f"{late} Name another SBCL with --sbcl.") from error
    except OSError as error:
        raise SbclError(
            f"{found} does not start: {error.strerror}. Name another SBCL with --sbcl."
        ) from error
    words = answer.split()
    if code != 0 or words[:1] != ["SBCL"] or len(words) < 2:
        said = answer.strip()[:80]
        raise SbclError(f"{found} is not SBCL: --version prints {said!r}. Name another with --sbcl.")
    # Absolute, because the current folder may change; links are kept, because wrappers depend on their name.
    return Sbcl(Path(found).absolute(), words[1])


def _run(
    command: Sequence[str], seconds: float, environment: Mapping[str, str], folder: Path | None = None
) -> tuple[int, str]:
    """Run ``command`` without input; returns its exit code and what it printed.

    Raises TimeoutExpired after ``seconds``, and OSError. Nothing that it started is left running.
    """
    process = OwnedProcess(command, environment, folder, output=subprocess.PIPE, errors=subprocess.STDOUT)
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


def run_sbcl(
    sbcl: Sbcl, forms: Sequence[str], seconds: float, environment: Mapping[str, str], folder: Path
) -> tuple[int, str]:
    """Evaluate ``forms`` in an SBCL of its own, in a folder; returns its exit code and what it printed.

    Raises SbclError after ``seconds``, or if it does not start. Nothing that it started is left running.
    """
    try:
        return _run(ending_with_us(sbcl_arguments(sbcl, forms)), seconds, environment, folder)
    except subprocess.TimeoutExpired as error:
        raise SbclError(f"SBCL did not finish within {seconds:,.0f} s") from error
    except OSError as error:
        raise SbclError(f"{sbcl.path} does not start: {error}") from error


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
    try:
        status = runtime.stat()
    except OSError as error:
        raise _not_starting(sbcl, error) from error
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
    if is_whole(folder):
        with suppress(OSError):
            os.utime(folder)
        return folder
    try:
        cache.mkdir(parents=True, exist_ok=True, mode=0o700)
        drop_unfinished(cache, _COMPILING)
        with unfinished_folder(cache, _COMPILING) as work:
            _compile(sbcl, work)
            write_checksums(work)
            if not is_whole(folder):  # otherwise another process was first, with the same result
                shutil.rmtree(folder, ignore_errors=True)
                work.rename(folder)
    except OSError as error:
        if not is_whole(folder):
            raise _cache_error(cache, error.strerror or str(error)) from error
    _drop_old_code(cache)
    return folder


def _not_starting(sbcl: Sbcl, error: OSError) -> SbclError:
    return SbclError(
        f"{sbcl.path} does not start: {error.strerror}. Install it again, or name another SBCL with --sbcl."
    )


def _cache_error(cache: Path, reason: str) -> SbclError:
    return SbclError(
        f"The cache folder {cache} cannot be written to: {reason}. "
        "Make room in it, make it writable, or set XDG_CACHE_HOME to another folder."
    )


def _compile(sbcl: Sbcl, folder: Path) -> None:
    """Compile our code with ``sbcl`` into ``folder``; raises SbclError."""
    command = sbcl_arguments(sbcl, [load_form(SOURCES / "build.lisp")])
    variables = {"OBLIST_LISP": str(SOURCES), "OBLIST_FASLS": str(folder)}
    try:
        code, printed = _run(command, _COMPILE_SECONDS, {**os.environ, **variables})
    except subprocess.TimeoutExpired as error:
        raise SbclError(f"{sbcl.path} did not compile oblist within {_COMPILE_SECONDS} s.") from error
    except OSError as error:
        raise _not_starting(sbcl, error) from error
    if code != 0 and (reason := printed_reason(printed)):
        raise _cache_error(folder.parent, reason)
    if code != 0 and _numbers(sbcl.version) < _numbers(OLDEST):
        raise SbclError(
            f"{sbcl.path} is SBCL {sbcl.version}, but oblist needs {OLDEST} or newer. "
            f"Name another with --sbcl PATH or the environment variable {SBCL_VARIABLE}."
        )
    if code != 0:
        raise SbclError(f"{sbcl.path} (SBCL {sbcl.version}) cannot compile oblist:\n{printed[-2000:]}")
    if not all((folder / name).is_file() for name in (PREPARE, DUMPER, SERVER, EVALUATOR)):
        raise SbclError(
            f"{sbcl.path} (SBCL {sbcl.version}) did not compile oblist, although it ended without an "
            "error. Is it an SBCL? Name another with --sbcl."
        )


def _numbers(version: str) -> list[int]:
    """The numbers that a version such as 2.2.9.debian begins with."""
    begins = re.match(r"[0-9.]*", version)
    return [int(number) for number in begins[0].split(".") if number] if begins else []


def _drop_old_code(cache: Path) -> None:
    """Keep only the most recently used compiled code: one folder per SBCL and version of our sources."""
    with suppress(OSError):  # another process may remove them too
        folders = sorted(cache.glob(f"{_FASLS}*"), key=lambda path: path.stat().st_mtime_ns)
        for folder in folders[:-_MOST_FASLS]:
            shutil.rmtree(folder, ignore_errors=True)
