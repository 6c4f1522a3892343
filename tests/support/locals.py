"""The local names that the dumper leaves out of an index: variables, functions, blocks and tags."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from oblist.indexer.format import user_cache_folder
from oblist.lisp.sbcl import DUMPER, PREPARE, Sbcl, compiled_code, load_form, sbcl_arguments

_SCRIPT = Path(__file__).parent / "lisp" / "local_names.lisp"
_SECONDS = 110


def local_names(sbcl: Sbcl, systems: Sequence[str], output: Path) -> set[tuple[str, int, int]]:
    """File, offset and length of each name that a dump of an image with ``systems`` takes to be local."""
    code = compiled_code(sbcl, user_cache_folder())
    loaded = [f'(asdf:load-system "{system}")' for system in systems]
    forms = ['(require "ASDF")', *loaded] if systems else []
    forms += [load_form(code / PREPARE), '(require "SB-INTROSPECT")', "(oblist::take-baseline)"]
    forms += [load_form(code / DUMPER), load_form(_SCRIPT)]
    done = subprocess.run(
        sbcl_arguments(sbcl, forms),
        env={**os.environ, "LOCAL_NAMES": str(output)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-3000:]
    lines = output.read_text(encoding="utf-8").splitlines()
    found = [line.rsplit("\t", 2) for line in lines]
    return {(path, int(start), int(length)) for path, start, length in found}
