"""A session with the emporium at an editor: what someone does, step by step, and what they must see.

Every client does the same steps. It is told what to do in which file and at which words, and tells what it
shows in a form that is the same for all: a place is ``shop.lisp:3:8 total``, with line and column from 1, the
column in characters, and the text that the client marks or jumps to.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.editors.emporium import GOODS, SHOP, emporium

_SBCL = "SELECT path FROM roots WHERE name = 'sbcl'"
_WARNING = "total: no arguments given, at least 1 expected; its lambda list is (wares &key (tax 0))"
_MISSPELT = "there is no function or macro mapcra; did you mean mapcar or mapcan or mapc?"
_CAPABILITIES = """
callHierarchyProvider codeActionProvider codeLensProvider completionProvider declarationProvider
definitionProvider diagnosticProvider documentFormattingProvider documentHighlightProvider
documentLinkProvider documentOnTypeFormattingProvider documentRangeFormattingProvider documentSymbolProvider
foldingRangeProvider hoverProvider implementationProvider inlayHintProvider referencesProvider
renameProvider selectionRangeProvider semanticTokensProvider signatureHelpProvider typeDefinitionProvider
typeHierarchyProvider workspaceSymbolProvider
"""

_JUMPS = ("definition", "implementation", "typeDefinition")


@dataclass(frozen=True)
class Holding:
    """Expected of a text: that it holds all of some words."""

    words: tuple[str, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and all(one in other for one in self.words)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Step:
    """Something to do, and what the client shows after it."""

    name: str
    do: str
    expected: Any
    file: str = "shop.lisp"
    words: str = ""
    more: int = 1
    to: str = ""

    def told(self) -> dict[str, Any]:
        """The step as the scripts read it, which do not know what is expected."""
        return {name: getattr(self, name) for name in ("name", "do", "file", "words", "more", "to")}


def holding(*words: str) -> Holding:
    """A text with all of these words in it."""
    return Holding(words)


def _library(file: str, marked: str) -> str:
    """A place in SBCL's sources."""
    with closing(sqlite3.connect(emporium() / ".oblist" / "oblist.db")) as index:
        ((sources,),) = index.execute(_SBCL)
    return _place(Path(file).name, (Path(sources) / "src" / file).read_text(encoding="utf-8"), marked)


def _goods(marked: str, text: str = GOODS) -> str:
    return _place("goods.lisp", text, marked)


def _shop(marked: str, text: str = SHOP) -> str:
    return _place("shop.lisp", text, marked)


def _numbers(marked: str) -> str:
    """Line and column alone of a place in the shop."""
    return _shop(marked).removeprefix("shop.lisp:").partition(" ")[0]


def _place(file: str, text: str, marked: str) -> str:
    """The place of what is between angle quotes, in words that the text has once."""
    before, name, after = re.split("[«»]", marked)
    words = f"{before}{name}{after}"
    assert text.count(words) == 1, (file, words)
    at = text.index(words) + len(before)
    return f"{file}:{text.count(chr(10), 0, at) + 1}:{at - text.rfind(chr(10), 0, at)} {name}"


def _at_the_start() -> list[Step]:
    return [
        Step("the server says what it can do", "start", _CAPABILITIES.split()),
        Step("one file has no diagnostics", "open", [], "goods.lisp"),
        Step("nor has the other", "open", [], "shop.lisp"),
    ]


def _hovers() -> list[Step]:
    function = holding(
        *("(emporium:total WARES &KEY (TAX 0))", "exported from EMPORIUM", "shop.lisp:3"),
        "The prices of WARES together, with TAX.",
    )
    macro = holding(
        "(emporium::with-discount (AMOUNT) &BODY BODY)", "macro", "Run BODY while AMOUNT is taken"
    )
    variable = holding("emporium::*discount*", "variable", "What is taken off every price.", "goods.lisp:4")
    class_ = holding("emporium::book", "class", "A ware that one reads.", "goods.lisp:16")
    local = holding("(let ((sum (reduce", "sum", "a local variable, bound on line 5")
    return [
        Step("hover on a function", "hover", function, words="total ("),
        Step("hover on a macro", "hover", macro, words="with-discount (50"),
        Step("hover on a variable", "hover", variable, "goods.lisp", "*discount*))"),
        Step("hover on a class", "hover", class_, "goods.lisp", "book (ware"),
        Step("hover on a local variable", "hover", local, words="sum tax"),
    ]


def _prices(text: str = GOODS) -> list[str]:
    """The generic function and its methods, the more special one first."""
    forms = ("(defgeneric «price»", "(defmethod «price» ((book", "(defmethod «price» ((ware")
    return [_goods(one, text) for one in forms]


def _entries(text: str = SHOP) -> list[str]:
    return [_shop(one, text) for one in ("(«entry» (ware)", "#'«entry»", "(«entry» (first")]


def _places() -> list[Step]:
    mapcar = [
        _library("code/list.lisp", "(define-list-map «mapcar»"),
        _library("compiler/fndb.lisp", "(defknown («mapcar»"),
        _library("compiler/seqtran.lisp", "(define-source-transform «mapcar»"),
    ]
    uses = [_shop("(«price» ware)"), _shop("#'«price»"), _goods('«"PRICE"»')]
    sum_, entry = [_shop("((«sum» (reduce")], [_shop("((«entry» (ware)")]
    ware = [_goods("(defclass «ware» ()")]
    return [
        Step("definition of a local variable", "definition", sum_, words="sum tax"),
        Step("definition of a local function", "definition", entry, words="entry (first"),
        Step("definition of a library's function", "definition", mapcar, words="mapcar #'price"),
        Step("definition of a function with methods", "definition", _prices(), words="price ware)"),
        Step("its methods", "implementation", _prices()[1:], words="price ware)"),
        Step("the class of a name", "typeDefinition", ware, "goods.lisp", "ware))"),
        Step("references", "references", [*_prices(), *uses], words="price ware)"),
        Step("highlights of a local function", "highlight", _entries(), words="entry (first"),
    ]


def _overviews() -> list[Step]:
    symbols = ["Function 3 total", "Function 8 receipt", "Function 15 sale"]
    found = [_goods("(defmacro «with-discount»"), _goods("(defvar «*discount*»"), _shop("(defun «sale»")]
    called = _numbers("(«total» wares)")
    above, below = _goods("(defclass «ware» ()"), _goods("(defclass «book»")
    return [
        Step("the symbols of a file", "symbols", symbols),
        Step("the symbols of the workspace", "workspace", found, to="with-discount"),
        Step("who calls a function", "incoming", [f"emporium:sale {called}"], words="total ("),
        Step(
            "whom a function calls",
            "outgoing",
            [f"emporium:total {called}", f"emporium::with-discount {_numbers('(«with-discount»')}"],
            words="sale (",
        ),
        Step("the class above", "supertypes", [f"emporium::ware {above}"], "goods.lisp", "book (w"),
        Step("the class below", "subtypes", [f"emporium::book {below}"], "goods.lisp", "ware ()"),
    ]


def _shapes() -> list[Step]:
    folds = ["3-6", "5-6", "8-13", "10-13", "12-13", "15-18", "17-18"]
    grown = ["sum", "+ sum tax", "(+ sum tax)"]
    return [
        Step("what can be folded", "folding", folds),
        Step("what a selection grows to", "selection", grown, words="sum tax"),
    ]


def _writing() -> list[Step]:
    """What helps while one writes; each step leaves the text as it was."""
    typo = SHOP.replace("mapcar #'entry", "mapcra #'entry")
    at = _shop("(«mapcra» #'entry", typo)
    wrong = [f"{at}: {_MISSPELT}"]
    renamed = SHOP.replace("sum", "whole")
    signature = holding("total wares &key (tax 0)")
    return [
        Step("what a word may become", "complete", "mapcar", words="mapcar #'price", more=4),
        Step("a local name comes first", "complete", "sum", words="sum tax", more=2),
        Step("what a function takes", "signature", signature, words="total wares)", more=8),
        Step("a name that is misspelt", "edit", wrong, words="mapcar #'entry", to="mapcra #'entry"),
        Step("is corrected", "fix", SHOP, words="mapcra #'entry", to="Write mapcar"),
        Step("a line that is not indented", "edit", [], words="    (+ sum tax", to="(+ sum tax"),
        Step("is indented", "format", SHOP),
        Step("a local name gets another", "rename", renamed, words="sum tax", to="whole"),
        Step("and its own again", "rename", SHOP, words="whole tax", to="sum"),
    ]


def _edits() -> list[Step]:
    call = _shop("(«total» wares)")
    wrong = [f"{call}: {_WARNING}"]
    lost = [f"{call}: there is no function or macro total: shop.lisp does not define it any more"]
    gone = holding(
        "emporium:total was defined at ", "shop.lisp:3 when the index was built; that form is gone."
    )
    above, beside = f";; 😀\n\n{GOODS}", SHOP.replace("(list (entry", '(list "😀é" (entry')
    return [
        Step("a call without arguments", "edit", wrong, words="(total wares)", to="(total)"),
        Step("and put right", "edit", [], words="(total)", to="(total wares)"),
        Step("lines above a definition", "edit", [], "goods.lisp", "(defpackage", to=";; 😀\n\n(defpackage"),
        Step("it is found where it is now", "definition", _prices(above), words="price ware)"),
        Step("letters of two units", "edit", [], words="(list (entry", to='(list "😀é" (entry'),
        Step(
            "names after them are found",
            "highlight",
            _entries(beside),
            words="entry (first",
        ),
        Step("another name for a function", "edit", lost, words="(defun total", to="(defun tally"),
        Step("the old one is gone", "definition", gone, words="total wares)"),
        Step(
            "a new one is found",
            "definition",
            [_shop("(defun «total»").replace("total", "tally")],
            words="tally (",
        ),
    ]


def steps(*, without: tuple[str, ...] = ()) -> list[Step]:
    """The session, without what a client cannot do."""
    session = [*_at_the_start(), *_hovers(), *_places(), *_overviews(), *_shapes(), *_writing(), *_edits()]
    session.append(Step("the server ends", "shutdown", "ended"))
    return [step for step in session if step.do not in without]


def assert_as_expected(session: list[Step], seen: dict[str, Any], *, in_order: bool = True) -> None:
    """Fail unless a client has shown what it must at each step; some sort what follows the first place."""
    assert len(session) >= 20
    wrong = [step for step in session if not (step.name in seen and _fits(step, seen[step.name], in_order))]
    assert wrong == [], "\n".join(f"{one.name}: {seen.get(one.name)}, not {one.expected}" for one in wrong)
    assert list(seen) == [step.name for step in session]


def _fits(step: Step, seen: Any, in_order: bool) -> bool:
    if in_order or not isinstance(step.expected, list) or not isinstance(seen, list):
        return bool(step.expected == seen)
    if step.do in _JUMPS and seen[:1] != step.expected[:1]:
        return False
    return sorted(seen) == sorted(step.expected)
