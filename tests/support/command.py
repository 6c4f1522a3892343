"""Run the command ``oblist`` as a person does: another process, its output and exit code."""

from __future__ import annotations

import os
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from support.starts.programs import counted_program

OBLIST = counted_program("oblist")
SECONDS = 250


def oblist(
    *arguments: str | Path, environment: dict[str, str] | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """The finished command; it never has a terminal, and always a limit."""
    return subprocess.run(
        [OBLIST, *map(str, arguments)],
        env={**os.environ, **(environment or {})},
        input=stdin,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def check(index: Path, *arguments: str | Path) -> tuple[int, str, str]:
    """Exit code, output and errors of ``oblist check``."""
    done = oblist("check", *arguments, "--index", index)
    return done.returncode, done.stdout, done.stderr


def start_oblist(*arguments: str | Path, environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """The command, still running."""
    return subprocess.Popen(
        [OBLIST, *map(str, arguments)],
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def until_it_has_open(process: int, path: Path) -> None:
    """Wait until a process has opened the file at ``path``; it is well under way then."""
    deadline = time.monotonic() + SECONDS
    while str(path) not in _open_files(process):
        assert time.monotonic() < deadline, f"{path} is not opened"
        time.sleep(0.02)


def _open_files(process: int) -> set[str]:
    found = set()
    for link in Path(f"/proc/{process}/fd").iterdir():
        with suppress(OSError):  # closed meanwhile
            found.add(str(link.readlink()))
    return found


def processes_with(word: str) -> list[str]:
    """The command lines of all running processes that have ``word`` in them."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            except OSError:
                continue
            if word in line:
                found.append(line)
    return found


def write_system(folder: Path, name: str, source: str) -> dict[str, str]:
    """Write an ASDF system of one file; the environment in which ASDF finds it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.asd").write_text(f'(asdf:defsystem "{name}" :components ((:file "{name}")))\n')
    (folder / f"{name}.lisp").write_text(source, encoding="utf-8")
    return {"CL_SOURCE_REGISTRY": f"{folder}:", "ASDF_OUTPUT_TRANSLATIONS": f"/:{folder}/fasl/"}
