"""Ask SBCL where ASDF finds systems."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from .sbcl import PREPARE, Sbcl, SbclError, load_form, sbcl_arguments

_SECONDS = 120


@dataclass(frozen=True, slots=True)
class AsdfPlaces:
    """The definition files that ASDF finds, by system, and the modules that come with SBCL."""

    files: dict[str, Path]
    modules: frozenset[str]


def known_places(sbcl: Sbcl, code: Path) -> AsdfPlaces:
    """The systems that ASDF finds with the user's configuration; raises SbclError.

    ``code`` is the folder from ``compiled_code``. The Lisp side is prepare/places.lisp.
    """
    try:
        done = subprocess.run(
            sbcl_arguments(sbcl, [load_form(code / PREPARE), "(oblist::list-places)", "(sb-ext:exit)"]),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise SbclError(f"{sbcl.path} did not list the systems within {_SECONDS} s.") from error
    if done.returncode != 0:
        words = done.stderr.decode("utf-8", "replace")[-2000:]
        raise SbclError(f"{sbcl.path} could not list the systems that ASDF finds:\n{words}")
    files: dict[str, Path] = {}
    modules = {"asdf", "uiop"}
    for line in done.stdout.decode("utf-8", "surrogateescape").splitlines():
        name, _, path = line.partition(" ")
        if name.startswith(";"):  # what SBCL and ASDF say while they begin
            continue
        if path:
            files[name] = Path(path)
        else:
            modules.add(name)
    return AsdfPlaces(files, frozenset(modules))
