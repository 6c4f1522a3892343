"""Local names: where the walk says that they are bound, the compiler finds them bound."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query.syntax.names.meanings import LISP, MACRO
from oblist.query.syntax.nodes import Atom, Form, Node
from oblist.query.syntax.walk.files import walk_text
from oblist.query.syntax.walk.results import SYMBOL_MACRO, VARIABLE, Binding, LocalUse
from support.bindings import Place, Verdict, bound_places
from support.builds.systems import LIBRARIES
from support.walks import WalkedFile, Walks

_VARIABLES = (VARIABLE, SYMBOL_MACRO)
# Most places that are drawn name no variable, or one in a macro.
_DRAWN = {False: 700, True: 20_000}
_WANTED = {False: 200, True: 5_000}
_MOST_UNKNOWN = 0.1


@dataclass(frozen=True)
class Drawn:
    """What the walk says about a place, and whether a template or a macro that is not standard is around."""

    use: LocalUse | None
    uses: dict[int, LocalUse]
    in_macro: bool


def names_twice(walks: Walks, file: WalkedFile) -> Iterator[tuple[Place, Drawn]]:
    """The places in a file that name a symbol that their toplevel form names more than once."""
    for walked in file.forms:
        node = walked.toplevel.node
        if isinstance(node, Atom) or not (walked.toplevel.closed and walked.toplevel.standard):
            continue
        uses = {use.start: use for use in walked.walked.uses}
        places: dict[tuple[str | None, str], list[tuple[int, bool]]] = {}
        for atom, in_macro in atoms(walks, node, walked.package):
            token = walks.tokens.symbol(atom.text) if atom.text[0] not in ':#"' else None
            if token is not None:
                found = walks.meanings.symbol(token, walked.package)
                if found is None or not walks.meanings.facts(found).always_global:
                    key = (found.package, found.name) if found is not None else (None, token.name)
                    places.setdefault(key, []).append((atom.start, in_macro))
        for several in places.values():
            for start, in_macro in several if len(several) > 1 else ():
                place = Place(file.path, node.start, start, walked.package)
                yield place, Drawn(uses.get(start), uses, in_macro)


def atoms(walks: Walks, node: Form, package: str) -> Iterator[tuple[Atom, bool]]:
    """The atoms in a form; and whether each is in a template, in a macro's form, or in what is no call."""
    rest: list[tuple[Node, bool]] = [(node, False)]
    while rest:
        one, in_macro = rest.pop()
        if isinstance(one, Atom):
            yield one, in_macro
        else:
            inside = in_macro or one.kind == "`" or is_macro(walks, one, package)
            rest += [(item, inside) for item in one.items]


def is_macro(walks: Walks, form: Form, package: str) -> bool:
    head = form.items[0] if form.items else None
    token = walks.tokens.symbol(head.text) if isinstance(head, Atom) and form.kind == "(" else None
    found = walks.meanings.symbol(token, package) if token is not None else None
    if token is None:
        return False
    if found is None:
        return True
    return found.name == "MACROLET" or (
        walks.meanings.facts(found).operator == MACRO and found.package != LISP
    )


def judged(place: Place, drawn: Drawn, verdict: Verdict) -> str:
    """Whether the walk is right about a place."""
    use = drawn.use
    binding = use.binding if use is not None and use.binding and use.binding.kind in _VARIABLES else None
    if verdict.kind == "bound" and binding is not None and verdict.bound is not None:
        # A macro may bind its own variable where it uses another, as in (PPRINT-LOGICAL-BLOCK (STREAM) ..).
        there = drawn.uses.get(verdict.bound)
        through = there is not None and there.binding == binding
        return "right" if binding.start == verdict.bound or through else "wrong"
    if verdict.kind == "bound":
        return "unknown in a macro" if drawn.in_macro else "unknown"
    if verdict.kind == "free":
        return "wrong" if binding is not None else "free"
    return verdict.kind


def check(path: Path, sbcl: Sbcl, systems: tuple[str, ...], folder: Path, *, full: bool) -> None:
    plain, knowing = (drawn_in(path, systems, knows_macros=knows) for knows in (False, True))
    places = sorted(plain)
    chosen = random.Random(1).sample(places, min(_DRAWN[full], len(places)))
    verdicts = bound_places(sbcl, systems, chosen, folder)
    counts, by_macros = counted(plain, verdicts), counted(knowing, verdicts)
    assert counts["right"] + counts["unknown"] >= _WANTED[full], counts
    assert counts["unknown"] <= _MOST_UNKNOWN * counts["right"], counts
    assert counts["unread"] <= 0.05 * len(chosen), counts
    assert by_macros["right"] > counts["right"], (counts, by_macros)


def drawn_in(path: Path, systems: tuple[str, ...], *, knows_macros: bool) -> dict[Place, Drawn]:
    with Walks(path, knows_macros=knows_macros) as walks:
        # Files that are not loaded may use macros that do not exist.
        return {
            place: drawn
            for file in walks.files(of_sbcl=False, systems=systems)
            if not file.path.endswith(".asd")
            for place, drawn in names_twice(walks, file)
        }


def counted(found: dict[Place, Drawn], verdicts: dict[Place, Verdict]) -> Counter[str]:
    """How often a walk is right, and that it never is wrong."""
    counts, wrong = Counter[str](), []
    for place, verdict in verdicts.items():
        judgement = judged(place, found[place], verdict)
        counts[judgement] += 1
        if judgement == "wrong":
            wrong.append((place, verdict, found[place].use))
    assert not wrong, (counts, wrong[:10])
    return counts


def test_the_compiler_finds_the_same_bindings(libraries_index: Path, sbcl: Sbcl, tmp_path: Path) -> None:
    systems = tuple(name for name in LIBRARIES if not name.startswith("sb-"))
    check(libraries_index, sbcl, systems, tmp_path, full=False)


# Libraries with much code of all kinds; the compiler would take too long for the whole corpus.
MANY = (
    *(
        "alexandria",
        "cl-ppcre",
        "split-sequence",
        "iterate",
        "closer-mop",
        "hunchentoot",
        "drakma",
        "local-time",
    ),
    *("lparallel", "esrap", "cl-containers", "flexi-streams", "chunga", "postmodern", "cl-postgres", "s-sql"),
    *("cl-unicode", "metabang-bind", "puri", "named-readtables", "fiveam", "salza2", "usocket", "babel"),
    *(
        "cffi",
        "swank",
        "consfigurator",
        "ironclad",
        "cxml",
        "cl-markdown",
        "yason",
        "zip",
        "zpb-ttf",
        "uax-15",
    ),
)


@pytest.mark.full
def test_the_compiler_finds_the_same_bindings_in_many_libraries(
    corpus_index: Path, sbcl: Sbcl, tmp_path: Path
) -> None:
    check(corpus_index, sbcl, MANY, tmp_path, full=True)


# Forms with marks: <1 begins the first binding, =1 a use of it, =? a use that is not known, and nothing any
# other name. What is bound as a function, block or tag has the letter of its kind before the number.
CASES = """
(lambda (<1x) =1x)
(let ((<1x 1) (<2y x)) (list =1x =2y))
(let* ((<1x 1) (<2x =1x)) =2x)
(let ((<1x 1)) (let ((<2x =1x)) (setq =2x 1)) =1x)
(let ((<1x 1)) 'x '(x) `(x ,=1x ,@=1x))
(let ((<1x 1)) (declare (type fixnum =1x) (ignorable =1x)) =1x)
(let ((x 1)) (declare (special x)) x)
(let ((<1x 1)) (locally (declare (special x)) x) =1x)
(let ((*print-base* 8)) *print-base*)
(lambda (<1a &optional (<2b =1a <3c) &key ((:d <4e) =2b) (<5f =4e) &aux (<6g =5f)) (list =3c =6g))
(defun <bf (<1x) (return-from =bf =1x))
(defun f (<1x) (labels ((<2g (<3y) (=2g =3y) (return-from =2g =1x))) (=2g #'=2g)))
(flet ((<1g (<2y) (g =?y))) (=1g 1) #'=1g (function =1g))
(flet ((<1g ())) (declare (inline =1g)) (funcall #'=1g))
(macrolet ((<1m (<2x) `(list ,=2x))) (=1m y))
(symbol-macrolet ((<1s (car (list 1)))) (setf =1s =1s))
(block <1b (return-from =1b 1))
(tagbody <1a (go =1a) (go =2b) <2b (go =33) <33)
(prog ((<1x 1)) <2l (setq =1x 2) (go =2l))
(do ((<1i 0 (1+ =1i)) (<2j i (list =1i =2j))) ((= =1i 3) =2j) (print =1i))
(do* ((<1i 0 (1+ =1i)) (<2j =1i (list =1i =2j))) ((= =1i 3) =2j))
(dolist (<1x (list x) =1x) (print =1x))
(dotimes (<1i 3 =1i) (print =1i))
(multiple-value-bind (<1a <2b) (list a) (list =1a =2b))
(destructuring-bind (<1a (<2b &key <3c) . <4d) (list a) (list =1a =2b =3c =4d))
(defmethod m ((<1x integer) (<2y (eql 1))) (list =1x =2y (call-next-method)))
(defmacro mm (&whole <1w (<2a &optional <3b) &body <4c &environment <5e) (list =1w =2a =3b =4c =5e))
(let ((<1o 1)) (with-slots (<2a (<3b c)) =1o (list =2a =3b)))
(let ((<1o 1)) (with-accessors ((<2a car)) =1o (setf =2a 1)))
(with-open-file (<1s "x") (read =1s))
(let ((<1s "x")) (with-output-to-string (<2s nil :element-type =1s) =2s))
(handler-case 1 (error (<1c) =1c) (:no-error (&rest <2v) =2v))
(restart-case 1 (go-on (<1v) :report "x" =1v))
(handler-bind ((error (lambda (<1c) =1c))) 1)
(loop for <1x in (list x) collect =1x)
(loop for <1x = (list =1x) for <2y in (list =1x) do (print =2y))
(loop with <1x = 1 and <2y = (list x) with <3z = (list =1x =2y) return =3z)
(loop for (<1a . <2b) on (list a) by #'cddr when =1a collect =2b into <3r finally (return =3r))
(loop for <1k being the hash-keys of (list k) using (hash-value <2v) do (list =1k =2v))
(loop for <1i from 0 below (list i) for <2j from =1i to (list =1i) sum (+ =1i =2j))
(loop named <1l for <2i fixnum from 1 do (return-from =1l =2i))
(loop for <1x in (list 1) if =1x collect it)
(loop (let ((<1x 1)) =1x) (return))
(let ((<1x 1)) (unknown-macro-of-nobody =?x (let ((<2y 1)) (list =2y =?x))))
(let ((<1x 1)) (md5::assemble-ub32 =?x))
(let ((<1f #'car)) (funcall =1f 1) (f 1) #'f)
(let ((<1x 1)) (cond (=1x =1x)) (case =1x (x =1x)) (typecase =1x (integer =1x)))
(let ((<1x 1)) (incf =1x) (push 1 =1x) (multiple-value-setq (=1x) 1) #.(list x))
(let ((<1new-name 1)) #+sbcl =1new-name #-sbcl new-name)
"""
_MARK = re.compile(r"([<=])([?\w])([\w*-]+)")


@pytest.mark.parametrize("case", CASES.strip().split("\n"))
def test_bindings_by_example(case: str, libraries_index: Path) -> None:
    text, expected = _unmarked(case)
    with Walks(libraries_index) as walks:
        (walked,) = walk_text(text, "COMMON-LISP-USER", walks.features, walks.meanings, walks.tokens)
    starts = {mark: start for start, (sort, mark) in expected.items() if sort == "<"}
    uses = {start: starts.get(mark) for start, (sort, mark) in expected.items() if sort == "="}
    found = {use.start: use.binding.start if use.binding else None for use in walked.walked.uses}
    assert found == uses
    assert _starts(walked.walked.bindings) == sorted(starts.values())


def _starts(bindings: tuple[Binding, ...]) -> list[int]:
    return [one.start for one in bindings]


def _unmarked(case: str) -> tuple[str, dict[int, tuple[str, str]]]:
    """A case without its marks, and the marks by the offsets of what they mark."""
    text, marks, last = "", {}, 0
    for match in _MARK.finditer(case):
        text += case[last : match.start()]
        marks[len(text)] = (match[1], match[2])
        text += match[3]
        last = match.end()
    return text + case[last:], marks
