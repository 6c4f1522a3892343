"""The first pass over a file, which collects its definitions."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import pairwise

from ...index.meanings import IndexMeanings
from ...index.present.lines import TextLines
from ...syntax.mentions import name_parts
from ...syntax.names.designators import designated
from ...syntax.nodes import Atom, Form, Node, Toplevel, forms_in
from ...syntax.texts import ReadTexts
from ...syntax.tokens import Tokens
from .declarations import Circumstances, Declarations, DeclaredPackage, FormDeclarations
from .definition_forms import DefinitionForms
from .package_forms import CHANGING, DEFINING, MAKING, PackageForms
from .standard_names import Operator, StandardNames

USER = "COMMON-LISP-USER"
SYSTEM_USER = "ASDF-USER"
# The forms inside these are processed as they are (CLHS 3.2.3.1), or once when the file is loaded.
_TRANSPARENT = (
    "PROGN",
    "EVAL-WHEN",
    "LOCALLY",
    "LET",
    "LET*",
    "FLET",
    "LABELS",
    "MACROLET",
    "SYMBOL-MACROLET",
)
# The forms inside these are still toplevel forms.
_TOPLEVEL = ("PROGN", "EVAL-WHEN", "LOCALLY", "MACROLET", "SYMBOL-MACROLET")
_MOST_NESTED = 50
_NONE_DECLARED: Mapping[str, DeclaredPackage] = {}


def package_of(path: str) -> str:
    """The package that a file starts in."""
    return SYSTEM_USER if path.endswith(".asd") else USER


def in_package(node: Node, operator: Operator, tokens: Tokens) -> str | None:
    """The name of the package that an IN-PACKAGE form enters; None for any other form."""
    if operator(node) != "IN-PACKAGE" or not isinstance(node, Form) or len(node.items) != 2:
        return None
    return designated(node.items[1], tokens)


def entered_within(node: Node, operator: Operator, tokens: Tokens) -> list[tuple[Form, str]]:
    """The IN-PACKAGE forms that are processed at toplevel, in order, with their packages.

    The rest of the same toplevel form was read before IN-PACKAGE was processed: its symbols belong to the
    previous package.
    """
    found = []
    for form in processed(node, operator, within=_TOPLEVEL):
        name = in_package(form, operator, tokens)
        if name is not None:
            found.append((form, name))
    return found


def declarations_of(
    text: str,
    path: str,
    texts: ReadTexts,
    tokens: Tokens,
    meanings: IndexMeanings,
    start: str,
    declared: Mapping[str, DeclaredPackage] = _NONE_DECLARED,
) -> Declarations:
    """The definitions in ``text``, the content of ``path``, which starts in the package ``start``.

    ``meanings`` are the index's, which tell the case that the text is read in. ``declared`` are the packages
    of other files, as far as they are known.
    """
    found = Declarations()
    reading = _FirstReading(
        path, text, found, StandardNames(meanings.index, ChainMap(found.packages, dict(declared)))
    )
    current = start
    makers: tuple[str, ...] = ()
    read = texts.of(path, text)
    for form, case in read.with_cases(start, meanings, tokens):
        if case != tokens.case:
            tokens = tokens.in_case(case)
        line, column = reading.lines.place(form.start)
        circumstances = Circumstances(current, case, column, makers)
        known = form.kept
        if declared or not isinstance(known, FormDeclarations) or known.circumstances != circumstances:
            known = reading.form(form.toplevel, FormDeclarations(circumstances, line), tokens)
            form.kept = known
        else:
            form.kept = known = known.moved(line)
            for package in known.packages:
                found.declare(package)
        found.obscure |= known.obscure
        found.initargs |= known.initargs
        found.definitions += known.definitions
        if known.packages:
            makers = *makers, form.text
        current = known.entered or current
        if current not in found.entered:
            found.entered.append(current)
    found.is_whole = not read.faults.found
    return found


class _FirstReading:
    """Collects the definitions in the toplevel forms of a text."""

    def __init__(self, path: str, text: str, found: Declarations, names: StandardNames) -> None:
        """``found`` takes the packages, which ``names`` knows from there."""
        self.lines = TextLines(text)
        self._path = path
        self._text = text
        self._found = found
        self._names = names

    def form(self, toplevel: Toplevel, into: FormDeclarations, tokens: Tokens) -> FormDeclarations:
        """Collect the definitions in a toplevel form."""
        current = into.circumstances.package
        packages = PackageForms(self._path, self.lines, tokens)
        definitions = DefinitionForms(self._path, self._text, self.lines, tokens)
        into.obscure |= _obscure(toplevel, self._text)
        operator_of = partial(self._names.operator, package=current, tokens=tokens)
        entered = entered_within(toplevel.node, operator_of, tokens)
        there = {id(form): name for form, name in entered}
        running = current
        settled = set()
        for form in processed(toplevel.node, operator_of):
            settled.add(id(form))
            running = there.get(id(form), running)
            operator = operator_of(form)
            if operator in DEFINING or operator in MAKING:
                package = packages.defined(operator, form)
            elif operator in CHANGING:
                package = packages.changed(operator, form, running)
            else:
                continue
            if package is not None:
                into.packages.append(package)
                self._found.declare(package)
        for form in toplevel.definers:
            into.definitions += definitions.defined(form, current, settled=id(form) in settled)
            into.initargs.update(_initargs(form, tokens))
        if entered:
            into.entered = entered[-1][1]
        return into


def _obscure(toplevel: Toplevel, text: str) -> set[str]:
    """The names, upcased, in a toplevel form with a syntax of its own; none in any other."""
    node = toplevel.node
    if isinstance(node, Atom) or (toplevel.whole and toplevel.standard):
        return set()
    end = node.end if toplevel.closed else len(text)
    return set(map(str.upper, name_parts(text[node.start : end])))


def _initargs(form: Form, tokens: Tokens) -> Iterator[str]:
    """The names after :INITARG in a defining form, at any depth."""
    for one in forms_in(form):
        for before, after in pairwise(one.items):
            if isinstance(before, Atom) and before.text.lower() == ":initarg":
                name = designated(after, tokens)
                if name is not None:
                    yield name


def processed(
    node: Node, operator: Operator, depth: int = 0, within: tuple[str, ...] = _TRANSPARENT
) -> Iterator[Form]:
    """The forms that are processed with a toplevel form: the form itself, and those in PROGN and the like."""
    if isinstance(node, Atom) or node.kind != "(":
        return
    yield node
    if depth < _MOST_NESTED and operator(node) in within:
        for item in node.items[1:]:
            yield from processed(item, operator, depth + 1, within)
