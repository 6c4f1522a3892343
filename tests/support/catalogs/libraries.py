"""Small libraries in two roots, with every way in which a release goes wrong; and the catalog of them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

from oblist.indexer.catalog.build import CatalogRequest, Engine, build_catalog
from oblist.indexer.catalog.making.orders import ReleaseLimits
from oblist.indexer.catalog.store.results import Store
from support.builds.build_cache import kept, tested_sbcl
from support.builds.small_sbcl import small_sbcl
from support.catalogs import seeds
from support.catalogs.seeds import MEGABYTES

SECONDS = 4.0
DEBIAN = Path("/usr/share/common-lisp/source")
_WRITES_ITSELF = "cl-unicode"  # loading all its systems writes sources that other tests have compiled

_SHAPES = """(defpackage "SHAPES" (:use "CL") (:nicknames "SHP") (:export "AREA" "SQUARE" "SIDE" {exports}))
(in-package "SHAPES")
(defclass square () ((side :initarg :side :reader side)))
(defgeneric area (shape) (:documentation "The area of SHAPE, in square metres."))
(defmethod area ((shape square)) (expt (side shape) 2))
{more}
(defun helper (x) (list x))
"""
_OLD = '(defun circumference (shape) "The length around SHAPE." (* 4 (side shape)))'
_NEW = '(defun around (shape &key exact) "The length around SHAPE." (list exact (helper shape)))'
_DRAWING = """(defpackage "DRAWING" (:use "CL" "SHAPES") (:export "DRAW" "CIRCLE" "*INK*"))
(in-package "DRAWING")
(defvar *ink* :black "The colour of all lines.")
(defclass circle () ((radius :initarg :radius :reader radius)))
(defmethod area ((shape circle)) (* 3 (expt (radius shape) 2)))
(defmethod print-object ((shape circle) stream) (format stream "circle"))
(defmethod make-load-form ((shape (eql (make-instance 'circle))) &optional environment) environment)
(defun draw (shape)
  "Paint SHAPE on the canvas with the ink."
  (list *ink* (area shape) (shapes::helper shape)))
"""


def _system(name: str, source: str = "", *, depends: str = "", more: str = "") -> dict[str, str]:
    needs = f":depends-on ({depends})" if depends else ""
    components = f':components ((:file "{name}"))' if source else ""
    files = {f"{name}.asd": f'(defsystem "{name}" {needs} {more} {components})\n'}
    return files | ({f"{name}.lisp": source} if source else {})


def _plain(name: str, body: str = "") -> str:
    return f'(defpackage "{name}" (:use "CL"))\n(in-package "{name}")\n{body}\n'


# A function that is documented and then replaced: what it was calls nothing any more.
_TWO = _plain(
    "TWO",
    """(defun second-of-all () (one::first-of-all))
(setf (documentation #'second-of-all 'function) "Passes on.")
(fmakunbound 'second-of-all)
(setf (fdefinition 'second-of-all) #'one::first-of-all)""",
)


SOURCES: dict[str, dict[str, str]] = {
    "first/shapes-1.0": _system(
        "shapes",
        _SHAPES.format(exports='"CIRCUMFERENCE"', more=_OLD),
        more=':version "1.0" :licence "MIT" :description "Plane figures and their sizes"',
    ),
    "second/shapes-2.0": _system(
        "shapes",
        _SHAPES.format(exports='"AROUND"', more=_NEW),
        more=':version "2.0" :licence "MIT" :description "Plane figures and their sizes"',
    ),
    "first/drawing": {
        **_system("drawing", _DRAWING, depends='"shapes"', more=':description "Paint on a canvas"'),
        "drawing-extras.asd": '(defsystem "drawing-extras" :depends-on ("drawing" "no-such-library"))\n',
    },
    "first/broken": _system("broken", _plain("BROKEN", '(defun f () (car 1 2))\n(error "No luck.")')),
    "first/on-broken": {
        "on-broken.asd": '(defsystem "on-broken" :components ((:file "fine")))\n'
        '(defsystem "on-broken/more" :depends-on ("broken"))\n',
        "fine.lisp": _plain("ON-BROKEN"),
    },
    "first/endless": _system("endless", _plain("ENDLESS", "(loop (sleep 1))")),
    "first/leaving": _system("leaving", _plain("LEAVING", "(sb-ext:exit :code 3 :abort t)")),
    "first/asking": _system("asking", _plain("ASKING", '(defvar *answer* (y-or-n-p "Shall I?"))')),
    "first/hungry": _system("hungry", _plain("HUNGRY", "(defvar *all* (loop collect (make-array 1000000)))")),
    "first/unreadable": {"unreadable.asd": '(defsystem "unreadable" :depends-on (\n'},
    "first/tool": _system("tool", _plain("TOOL", "(defparameter *level* 7)")),
    "first/with-tool": _system("with-tool", _plain("WITH-TOOL"), more=':defsystem-depends-on ("tool")'),
    "first/one": {
        "one.asd": '(defsystem "one" :components ((:file "one")))\n'
        '(defsystem "one/two" :depends-on ("two"))\n',
        "one.lisp": _plain("ONE", "(defun first-of-all ())"),
    },
    "first/two": _system("two", _TWO, depends='"one"'),
    "first/inferred": {
        "inferred.asd": '(defsystem "inferred" :class :package-inferred-system'
        ' :depends-on ("inferred/part"))\n',
        "part.lisp": '(defpackage "INFERRED/PART" (:use "CL" "SHAPES") (:export "TWICE"))\n'
        '(in-package "INFERRED/PART")\n(defun twice (shape) (* 2 (area shape)))\n',
    },
    "first/modules": _system(
        "modules",
        "(eval-when (:compile-toplevel :load-toplevel :execute) (require :sb-posix))\n"
        + _plain("MODULES", "(defun me () (sb-posix:getpid))"),
    ),
    "first/shapes-test": _system("shapes-test", _plain("SHAPES-TEST"), depends='"shapes"'),
    "first/.hidden": _system("hidden", _plain("HIDDEN")),
}


class Libraries(NamedTuple):
    """The catalog, its store, and the folder of the sources, which has the roots ``first`` and ``second``."""

    catalog: Path
    store: Path
    sources: Path

    @property
    def folder(self) -> Path:
        """The folder of all of it."""
        return self.catalog.parent


def write_libraries(folder: Path, names: tuple[str, ...] = tuple(SOURCES)) -> None:
    """Write the libraries to ``folder``."""
    for name in names:
        for file, text in SOURCES[name].items():
            path = folder / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def request_for(sources: Path, **options: object) -> CatalogRequest:
    """The request to catalog both roots."""
    limits = ReleaseLimits(SECONDS, MEGABYTES)
    return CatalogRequest([sources / "first", sources / "second"], limits=limits, **options)  # type: ignore[arg-type]


def libraries() -> Libraries:
    """The catalog of the libraries, made once, by one process with the small SBCL."""
    folder = kept("catalog", _make, [Path(seeds.__file__)])
    return Libraries(folder / "catalog.db", folder / "store", folder / "sources")


def _make(folder: Path) -> None:
    write_libraries(folder / "sources")
    build_catalog(
        folder / "catalog.db",
        Store.at(folder / "store"),
        small_sbcl(),
        request_for(folder / "sources"),
        command="tests",
    )


def debian_catalog() -> Libraries:
    """The catalog of all of Debian's libraries that are installed, made once."""
    folder = kept("debian", _make_of_debian)
    return Libraries(folder / "catalog.db", folder / "store", DEBIAN)


def _make_of_debian(folder: Path) -> None:
    copied = folder / _WRITES_ITSELF
    shutil.copytree(DEBIAN / _WRITES_ITSELF, copied)
    others = [path for path in sorted(DEBIAN.iterdir()) if path.name != _WRITES_ITSELF]
    build_catalog(
        folder / "catalog.db",
        Store.at(folder / "store"),
        tested_sbcl(),
        CatalogRequest([*others, copied]),
        command="tests",
        engine=Engine(jobs=2),
    )
