"""An SBCL that is indexed in a third of the time, for tests that build often.

It is the SBCL that the tests run, but its core lacks the references within SBCL's own code, and the place of
SBCL's sources: neither matters to how a build begins, fails and ends, or to what a project adds.
"""

from __future__ import annotations

import shlex
import subprocess
from functools import cache
from pathlib import Path

from oblist.lisp.sbcl import Sbcl, find_sbcl, load_form, sbcl_arguments
from support.builds.build_cache import kept, tested_sbcl
from support.live import LISP_SOURCES

_SCRIPT = LISP_SOURCES / "small_sbcl.lisp"
# A caller that names another core, such as a snapshot, gets that one.
_WRAPPER = """#!/bin/sh
[ "$1" = --core ] || set -- --core {core} "$@"
exec {sbcl} "$@"
"""


@cache
def small_sbcl() -> Sbcl:
    """The SBCL, a script that starts the smaller core."""
    return find_sbcl(str(kept("small-sbcl", _build, [_SCRIPT]) / "sbcl"))


def _build(folder: Path) -> None:
    sbcl, core = tested_sbcl(), folder / "small.core"
    command = sbcl_arguments(sbcl, [load_form(_SCRIPT)])
    done = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert core.exists(), done.stdout + done.stderr
    script = folder / "sbcl"
    script.write_text(_WRAPPER.format(core=shlex.quote(str(core)), sbcl=shlex.quote(str(sbcl.path))))
    script.chmod(0o755)
