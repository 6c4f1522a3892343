"""A project of one system that loads and one for each of many ways of not loading."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.command import oblist

FINE = '(defpackage "FINE" (:use "CL") (:export "H"))\n(in-package "FINE")\n(defun h (x) (list x))\n'
_SYSTEM = """(asdf:defsystem "fine/{name}" :pathname "{name}" :depends-on ("fine"{more})
  :components ((:file "{name}")))
"""
_BAD = (
    '(defpackage "{name}" (:use "CL" "FINE") (:export "F" "G"))\n(in-package "{name}")\n(defun f () (h 1))\n'
)
_END = '(sb-alien:alien-funcall (sb-alien:extern-alien "{}" (function sb-alien:int sb-alien:int)) {})\n'

# What is added to the source of the system that does not load, in each way.
IN_SOURCE = {
    "read": "(defun g (\n",
    "compile": "(defmacro m () (car 5))\n(defun g () (m))\n",
    "at-load": '(error "No ~A today." "luck")\n',
    "endless": "(loop (sleep 1))\n",
    "endless-and-deaf": "(sb-sys:without-interrupts (loop (sleep 1)))\n",
    "exit": "(sb-ext:exit :code 3 :abort t)\n",
    "end": _END.format("_exit", 0),
    "kill": _END.format("raise", 9),
    "package": '(in-package "NO-SUCH-PACKAGE")\n',
    "prompt": '(defvar *answer* (y-or-n-p "Shall I?"))\n',
    "debugger": '(cerror "Go on." "Shall I go on?")\n',
}
# The systems that it needs as well, and their definitions.
IN_DEFINITION = {
    "missing": (' "no-such-library"', ""),
    "circular": (' "fine/other"', '(asdf:defsystem "fine/other" :depends-on ("fine/circular"))\n'),
}
WAYS = (*IN_SOURCE, *IN_DEFINITION)
# The ways that end the image: only another one can say so, and not in which line.
ENDING = ("end", "kill", "endless-and-deaf")
# How long each system may load, in seconds: what loads takes less, even on a busy machine.
LIMIT = 5


def write_project(folder: Path, *ways: str, fine: str = "", systems: Collection[str] = ()) -> None:
    """Write the project to ``folder``; its systems FINE/way do not load, for each of these ``ways``.

    ``fine`` is added to the source of FINE; ``systems`` are ways whose systems are there too, and load.
    """
    definitions = ['(asdf:defsystem "fine" :pathname "fine" :components ((:file "fine")))\n']
    texts = {"fine/fine.lisp": FINE + fine}
    for way in (one for one in WAYS if one in ways or one in systems):
        bad = way in ways
        more, others = IN_DEFINITION.get(way, ("", "")) if bad else ("", "")
        definitions.append(_SYSTEM.format(name=way, more=more) + others)
        texts[f"{way}/{way}.lisp"] = _BAD.format(name=way.upper()) + (IN_SOURCE.get(way, "") if bad else "")
    texts["fine.asd"] = "".join(definitions)
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def failing_project() -> Path:
    """A folder with the project, of which nothing but FINE loads; its index, and what the build printed."""
    return kept("failing", _build)


def _build(folder: Path) -> None:
    write_project(folder / "project", *WAYS)
    environment = {
        "SBCL": str(small_sbcl().path),
        "ASDF_OUTPUT_TRANSLATIONS": f"/:{folder / 'fasl'}/",
    }
    options = ["--load-timeout", str(LIMIT), "--no-userinit", "--no-snapshot"]
    arguments = ["--project", folder / "project", "--output", folder / "oblist.db", *options]
    done = oblist("index", *arguments, environment=environment)
    assert done.returncode == 1, done.stderr
    (folder / "errors").write_text(done.stderr)
