"""Runs the example commands of the documentation against an index of the bare image.

The catalog has what comes with SBCL, and the sources of oblist itself.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from oblist.lisp.sbcl import find_sbcl

Answerer = Callable[[str], str]
INDEX_SHOWN = "/home/me/.local/share/oblist/oblist.db"
_LISP = Path(__file__).parent.parent.parent / "lisp"
SHOP = {
    "shop.asd": '(defsystem "shop" :components ((:file "shop")))\n',
    "shop.lisp": """\
(defpackage shop (:use :cl) (:export #:price))
(in-package shop)

(defun price (box)
  (* 2 (length box)))

(defun total (boxes)
  (reduce #'+ (mapcar #'price boxes)))
""",
}
"""The project in the folder ``shop``, whose index is in it, for the commands that change a project."""
_EXAMPLES_FROM = re.compile(r"<!-- examples: SBCL (\S+) -->")


@contextmanager
def answerer(page: Path) -> Iterator[Answerer | None]:
    """A function from a command line to its output; None if ``page`` names another version of SBCL."""
    wanted = _EXAMPLES_FROM.search(page.read_text(encoding="utf-8"))
    found = find_sbcl().version
    if wanted is None or wanted[1] != found:
        wrong = f"The examples need SBCL {wanted and wanted[1]}, but this is {found}; left unchanged"
        print(wrong, file=sys.stderr)
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        index, catalog = Path(folder) / "oblist.db", Path(folder) / "catalog.db"
        environment = {
            **os.environ,
            "OBLIST_INDEX": str(index),
            "OBLIST_CATALOG": str(catalog),
            "OBLIST_NO_SNAPSHOT": "",
            "XDG_CACHE_HOME": f"{folder}/cache",  # for the core, which values are read from
            # Another ASDF that is installed would take the place of SBCL's.
            "CL_SOURCE_REGISTRY": "(:source-registry :ignore-inherited-configuration)",
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        }
        subprocess.run(["oblist", "index", "--quiet"], env=environment, check=True)
        build = ["oblist", "catalog", "build", "--quiet", "--below", str(_LISP), "--store", f"{folder}/store"]
        subprocess.run(build, env=environment, check=True)

        work = Path(folder) / "work"
        work.mkdir()
        (work / "shop").mkdir()
        for name, text in SHOP.items():
            (work / "shop" / name).write_text(text, encoding="utf-8")
        project = ["--project", "shop", "--output", "shop/.oblist/oblist.db", "--no-snapshot"]
        subprocess.run(["oblist", "index", "--quiet", *project], env=environment, cwd=work, check=True)

        def answered(line: str) -> str:
            done = subprocess.run(
                ["bash", "-c", line],
                env=environment,
                cwd=work,
                capture_output=True,
                text=True,
                check=False,
            )
            return done.stdout.replace(str(index), INDEX_SHOWN)

        yield answered
