"""A project of two systems, one of which does not load, in each of many ways."""

from __future__ import annotations

from pathlib import Path

SYSTEMS = """(asdf:defsystem "fine" :pathname "fine" :components ((:file "fine")))
(asdf:defsystem "fine/bad" :pathname "bad" :depends-on ("fine"{more}) :components ((:file "bad")))
{others}"""
FINE = '(defpackage "FINE" (:use "CL") (:export "H"))\n(in-package "FINE")\n(defun h (x) (list x))\n'
BAD = '(defpackage "BAD" (:use "CL" "FINE") (:export "F" "G"))\n(in-package "BAD")\n(defun f () (h 1))\n'
_END = '(sb-alien:alien-funcall (sb-alien:extern-alien "{}" (function sb-alien:int sb-alien:int)) {})\n'

# What is added to the source of the system that does not load, in each way.
IN_SOURCE = {
    "read": "(defun g (\n",
    "compile": "(defmacro m () (car 5))\n(defun g () (m))\n",
    "at load": '(error "No ~A today." "luck")\n',
    "endless": "(loop (sleep 1))\n",
    "endless and deaf": "(sb-sys:without-interrupts (loop))\n",
    "exit": "(sb-ext:exit :code 3 :abort t)\n",
    "end": _END.format("_exit", 0),
    "signal": _END.format("raise", 9),
    "package": '(in-package "NO-SUCH-PACKAGE")\n',
    "prompt": '(defvar *answer* (y-or-n-p "Shall I?"))\n',
    "debugger": '(cerror "Go on." "Shall I go on?")\n',
}
# The systems that it needs as well, and their definitions.
IN_DEFINITION = {
    "missing": (' "no-such-library"', ""),
    "circular": (' "fine/other"', '(asdf:defsystem "fine/other" :depends-on ("fine/bad"))\n'),
}
WAYS = (*IN_SOURCE, *IN_DEFINITION)


def write_project(folder: Path, way: str | None = None, *, fine: str = "") -> None:
    """Write the project to ``folder``; in one ``way``, its system FINE/BAD does not load.

    ``fine`` is added to the source of the other one.
    """
    more, others = IN_DEFINITION.get(way or "", ("", ""))
    texts = {
        "fine.asd": SYSTEMS.format(more=more, others=others),
        "fine/fine.lisp": FINE + fine,
        "bad/bad.lisp": BAD + IN_SOURCE.get(way or "", ""),
    }
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
