"""examples: the uses of a name that teach most.

Short whole forms are chosen, first those from tests and from systems other than the one that defines the
name, and such that differ in their arguments, above all in their keywords, and in their places.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.shown import unindented
from ...syntax.features import Features
from ...syntax.nodes import Atom, Form, Node
from ...syntax.printed import printed_lambda_list
from ...syntax.reader import read
from ...syntax.tokens import Tokens
from ..xref.ask import ask, written_form
from ..xref.caller_names import CallerNames
from ..xref.parameters import XrefParameters
from . import sql
from .answer import ExamplesAnswer, UsageExample
from .parameters import ExamplesParameters
from .sql import ExampleRunRow, ExampleUseRow, HomeRow

_MOST_LOOKED_AT = 800  # uses of a run
_MOST_READ = 60  # forms
_MOST_OF_A_FILE = 4
_LINES_READ = 30
_LONGEST_LINE = 1000  # characters; longer ones are not written by hand
_MOST_LINES, _MOST_CHARACTERS = 12, 500
_MOST_OF_BINDING, _MOST_AROUND = 2, 110
_LEAST, _MOST = 16, 220  # characters of a form that is neither trivial nor long
_TEACHING = re.compile(
    r"(?:^|[/_.-])(?:tests?|examples?|demos?|t|samples?|tutorial)(?:[/_.-]|$)", re.IGNORECASE
)
_OTHER_SYSTEM, _IN_TEACHING, _SAME_FILE, _SBCLS = 2.0, 1.5, -2.0, -1.0
_KEYWORDS, _GOOD_LENGTH, _ARGUMENTS = 0.7, 1.0, 0.5
_EXPLICIT, _ECHO, _RECURSIVE = 1.2, -0.8, -1.5
_CALLABLE = ("MACRO", "GENERIC-FUNCTION", "FUNCTION")
_SAME_SHAPE, _FROM_SAME_FILE, _SAME_CALLER = 1.5, 0.7, 1.0


@dataclass(frozen=True, slots=True)
class FormInUse:
    """A use, the text of its form, the form's shape, and how much it teaches by itself."""

    row: ExampleUseRow
    relation: str
    text: str
    shape: tuple[object, ...]
    worth: float


def examples(index: Reading, asked: ExamplesParameters) -> ExamplesAnswer | NotFound:
    """Answer examples from ``index``."""
    question = ask(index, XrefParameters(asked.name, asked.package))
    if isinstance(question, NotFound):
        return question
    runs, chosen = forms_in_use(index, question.found.symbol, question.operator, asked.limit)
    names = CallerNames(index)
    written = written_form(index, question)
    return ExamplesAnswer(
        name=question.name,
        package=question.found.home,
        written=written,
        total=sum(run.total for run in runs),
        reason=None if chosen else _why_none(written, runs),
        examples=[_example(index, names, one, asked.context) for one in chosen],
    )


def forms_in_use(
    index: Reading, symbol: int, operator: str | None, limit: int
) -> tuple[list[ExampleRunRow], list[FormInUse]]:
    """The runs of uses of a symbol or its setf function, and the forms that teach most; ``limit`` 0: all."""
    runs = [ExampleRunRow._make(row) for row in index.rows(sql.RUNS, symbol=symbol, operator=operator)]
    return runs, _different(_candidates(index, runs, symbol), limit)


def _why_none(written: str, runs: list[ExampleRunRow]) -> str:
    if runs:
        return f"{written} is used, but no form that uses it is short enough to show; xref lists its uses."
    return f"Nothing in the code or text of this index uses {written}."


def _candidates(index: Reading, runs: list[ExampleRunRow], symbol: int) -> list[FormInUse]:
    """The uses that may be examples, those that promise most first, with their forms."""
    homes = [HomeRow._make(row) for row in index.rows(sql.HOMES, symbol=symbol)]
    files, systems = {home.file for home in homes}, {home.system for home in homes}
    own = {home.definition for home in homes}
    positional = [one for home in homes for one in printed_lambda_list(home.arglist or "()").positional]
    parameters = frozenset(one.name.lower() for one in positional)
    found: list[tuple[float, str, ExampleUseRow]] = []
    for run in runs:
        if run.relation == "instantiates" and homes and homes[0].type in _CALLABLE:
            continue  # a condition or class of the same name
        some = list(range(run.first, run.last + 1, 1 + run.total // _MOST_LOOKED_AT))
        for row in map(ExampleUseRow._make, index.rows(sql.USES, uses=json.dumps(some))):
            promise = _promise(row, files, systems, run.relation)
            promise += _RECURSIVE * (row.definition in own)
            found.append((promise, run.relation, row))
    found.sort(key=lambda one: (-one[0], one[2].path, one[2].line, one[2].column))
    forms: list[FormInUse] = []
    by_file: dict[int, int] = {}
    tokens = Tokens(index.upcase)
    features = Features(index.facts.get("features", ""), tokens)
    for promise, relation, row in found:
        if len(forms) >= _MOST_READ:
            break
        if by_file.get(row.file, 0) >= _MOST_OF_A_FILE:
            continue
        by_file[row.file] = by_file.get(row.file, 0) + 1
        form = _form_at(index, row, features, relation)
        if form is not None:
            text, node = form
            worth = promise + _worth(text, node, parameters)
            forms.append(FormInUse(row, relation, text, _shape(node), worth))
    return forms


def _promise(row: ExampleUseRow, files: set[int | None], systems: set[str | None], relation: str) -> float:
    """How much a use promises by where it is."""
    promise = 0.0
    if row.file in files:
        promise += _SAME_FILE
    elif row.system not in systems or row.system is None:
        promise += _OTHER_SYSTEM
    if _TEACHING.search(row.path):
        promise += _IN_TEACHING
    if row.root == "sbcl":
        promise += _SBCLS
    return promise - (relation == "names")


def _form_at(
    index: Reading, row: ExampleUseRow, features: Features, relation: str
) -> tuple[str, Form] | None:
    """The text of the form that uses the name, and the form; None unless it is whole and short."""
    lines = [
        text for (text,) in index.rows(sql.LINES, file=row.file, first=row.line, last=row.line + _LINES_READ)
    ]
    if not lines or len(lines[0]) > _LONGEST_LINE:
        return None
    start = _opening(lines[0], row.column - 1)
    if start is None or not _is_operator(lines[0][: row.column - 1], relation):
        return None
    found = _whole_form(lines, start, features)
    if found is not None and len(found[1].items) == 1:
        found = _around(lines, start, features) or found
    return found


def _whole_form(lines: list[str], start: int, features: Features) -> tuple[str, Form] | None:
    """The form that begins at ``start`` of the first line; None unless it is whole and short."""
    text = "\n".join([lines[0][start:], *lines[1:]])
    toplevel = next(read(text, features), None)
    node = toplevel.node if toplevel is not None else None
    if toplevel is None or not toplevel.whole or not isinstance(node, Form) or node.kind != "(":
        return None
    shown = unindented(text[: node.end], start)
    if len(shown) > _MOST_CHARACTERS or shown.count("\n") >= _MOST_LINES or _is_of_a_template(node):
        return None
    return shown, node


def _around(lines: list[str], start: int, features: Features) -> tuple[str, Form] | None:
    """The short form around a call without arguments, which tells what its value is good for.

    A list of two may be a binding, and so may be one that begins a list; in a slot, a keyword follows.
    """
    outer = _opening(lines[0], start)
    found = _whole_form(lines, outer, features) if outer is not None else None
    if outer is None or found is None or lines[0][:outer].endswith("("):
        return None
    text, node = found
    is_call = len(node.items) > _MOST_OF_BINDING and isinstance(node.items[0], Atom)
    return found if is_call and not _keywords(node) and len(text) <= _MOST_AROUND else None


def _is_operator(before: str, relation: str) -> bool:
    """Whether the text ``before`` a name says that it is called, expanded, instantiated or passed on.

    What is only an argument may be a slot, a variable or anything else of that name.
    """
    ends = {"names": ("#'",), "instantiates": ("'", "(")}
    return before.endswith(ends.get(relation, ("(", "'")))


def _opening(line: str, at: int) -> int | None:
    """The position of the parenthesis that opens the list around a position, if it is on the same line."""
    depth = 0
    for place in range(at - 1, -1, -1):
        if line[place] == ")":
            depth += 1
        elif line[place] == "(":
            if not depth:
                return place
            depth -= 1
    return None


def _is_of_a_template(node: Node) -> bool:
    """Whether a form has a comma that belongs to a backquote around it."""
    if isinstance(node, Atom) or node.kind == "`":
        return False
    return node.kind == "," or any(map(_is_of_a_template, node.items))


def _worth(text: str, node: Form, parameters: frozenset[str]) -> float:
    """How much a form teaches by itself: more with explicit arguments, less if it repeats the arglist."""
    worth = _GOOD_LENGTH if _LEAST <= len(text) <= _MOST else 0.0
    arguments = node.items[1:]
    if arguments:
        worth += _ARGUMENTS
        names = [one.text.lower() for one in arguments if isinstance(one, Atom) and _is_name(one.text)]
        worth += _EXPLICIT * (1 - len(names) / len(arguments))
        worth += _ECHO * (len(names) == len(arguments) and parameters.issuperset(names))
    return worth + (_KEYWORDS if _keywords(node) else 0.0)


def _is_name(text: str) -> bool:
    return not text[0].isdigit() and text[0] not in '":#' and text.lower() not in ("t", "nil")


def _keywords(node: Form) -> frozenset[str]:
    return frozenset(
        one.text.lower() for one in node.items[1:] if isinstance(one, Atom) and one.text[0] == ":"
    )


def _shape(node: Form) -> tuple[object, ...]:
    """What two forms of one kind have in common: how many arguments of which kind, and which keywords."""
    kinds = tuple("(" if isinstance(one, Form) else one.text[0] in '":0123456789' for one in node.items[1:4])
    return len(node.items), kinds, _keywords(node)


def _different(candidates: list[FormInUse], limit: int) -> list[FormInUse]:
    """As many as wanted, each time the one that adds most to those before."""
    chosen: list[FormInUse] = []
    left = list({" ".join(one.text.split()): one for one in reversed(candidates)}.values())
    while left and (not limit or len(chosen) < limit):
        best = max(left, key=lambda one: (_added(one, chosen), -len(one.text), one.row.path, -one.row.line))
        left.remove(best)
        chosen.append(best)
    return chosen


def _added(one: FormInUse, chosen: list[FormInUse]) -> float:
    worth = one.worth
    for other in chosen:
        worth -= _SAME_SHAPE * (one.shape == other.shape)
        worth -= _FROM_SAME_FILE * (one.row.file == other.row.file)
        worth -= _SAME_CALLER * (one.row.definition == other.row.definition is not None)
    return worth


def _example(index: Reading, names: CallerNames, one: FormInUse, context: int) -> UsageExample:
    row = one.row
    around = None
    if context:
        first, last = max(1, row.line - context), row.line + one.text.count("\n") + context
        lines = index.rows(sql.LINES, file=row.file, first=first, last=last)
        around = "\n".join(str(text) for (text,) in lines)
    return UsageExample(
        form=one.text,
        relation=one.relation,
        caller=names.caller(row.definition, row.code).name,
        system=row.system,
        path=index.local_path(row.path),
        line=row.line,
        context=around,
    )
