"""Forms with a fault in each position of each operator of the grammar, made from the grammar's descriptions.

A form is written once with all its positions filled, ``«`` and ``»`` around what fills each; then once for
each position, with a fault in it. A description that allows an atom or a list is written both ways.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

from oblist.query.syntax.walk.grammar import Description, rules

FAULT = "(wants-one 1 2)"
PRELUDE = "(defun wants-one (a) a)"
_HOLE = re.compile("«([^»]*)»")
_FORM = "«x»"
_TERMS = {
    **{
        "FORM": _FORM,
        "OPEN-FORM": _FORM,
        "QUOTED": "«y»",
        "DATUM": "«1»",
        "UNCERTAIN": "y",
        "NOTHING": ":class",
    },
    **{"NAME": "y", "NAMED": "y", "NAMED-FUNCTION": f"(lambda (a b) {_FORM} (list a b))"},
    **{
        "FUNCTION-NAME": f"(lambda () {_FORM})",
        "PACKAGE-NAME": "cl-user",
        "DECLARATION": "«(optimize speed)»",
    },
    **{
        "DECLARATION-ARGUMENT": "«'(optimize speed)»",
        "PLACE": f"(car {_FORM})",
        "CHANGED-PLACE": f"(car {_FORM})",
    },
    **{"LOCAL": "y", "BLOCK-NAME": "b", "BLOCK-USED": "block", "TAG-USED": "tag", "INHERITED": "base"},
    "SLOT-ARGUMENT": "«'slot»",
    **{"SLOT-NAME": "slot", "INITARG": ":y", "CLASS-ARGUMENT": "«'base»", "DEFINED-ACCESSOR": "y-of"},
    **{"VARIABLE": "v#", "SYMBOL-MACRO": "v#", "SLOT-VARIABLE": "slot", "MACRO": "v#"},
    "LAMBDA-LIST": f"(&optional (p {_FORM}) &key (q {_FORM}) &aux (r {_FORM}))",
    "DESTRUCTURING-LAMBDA-LIST": f"(&optional ((s &key (p {_FORM})) {_FORM})"
    f" &key (q {_FORM}) ((:t (u &optional (w {_FORM}))) {_FORM}) &aux (r {_FORM}))",
    "FUNCTIONS": f"((f (&optional (p {_FORM})) {_FORM} p))",
    "RECURSIVE-FUNCTIONS": f"((f (&optional (p {_FORM})) {_FORM} p) (g () (f)))",
    "MACROS": f"((f (&optional (p {_FORM})) {_FORM} p))",
    "GENERIC-FUNCTION-OPTION": f"(:method ((a integer) &optional (p {_FORM})) {_FORM} p)",
    **dict.fromkeys(("DEFINED", "DEFINED-OPERATOR", "DEFINED-FUNCTION"), "d#"),
}
_TYPE = "«integer»"
_KEYS = f"(&optional (p {_FORM}) &key (q {_FORM}))"
_SLOT = f"(slot :accessor y-of :initarg :y :type {_TYPE} :initform {_FORM} :allocation :class)"
# The arguments of operators that take less than the grammar allows, or whose names have to mean something.
_WRITTEN = {
    **dict.fromkeys(("RETURN", "MULTIPLE-VALUE-LIST", "TIME", "STEP", "POP"), _FORM),
    "POP": f"(car {_FORM})",
    "PUSH": f"{_FORM} (car {_FORM})",
    **dict.fromkeys(("SETQ", "PSETQ"), f"v {_FORM}"),
    "MULTIPLE-VALUE-SETQ": f"(v) {_FORM}",
    "EVAL-WHEN": f"(:execute) {_FORM}",
    "LOAD-TIME-VALUE": f"{_FORM} t",
    "SYMBOL-MACROLET": f"((m {_FORM})) (print m) {_FORM}",
    "CHECK-TYPE": f"(car {_FORM}) {_TYPE} {_FORM}",
    "DO-ALL-SYMBOLS": f"(v# {_FORM}) tag (print {_FORM}) (go tag)",
    "PRINT-UNREADABLE-OBJECT": f"(v {_FORM} :type {_FORM}) {_FORM}",
    "PPRINT-LOGICAL-BLOCK": f"(v {_FORM} :prefix {_FORM}) {_FORM}",
    "WITH-PACKAGE-ITERATOR": f"(v# {_FORM} :external) {_FORM}",
    "COND": f"({_FORM} {_FORM}) ({_FORM})",
    "HANDLER-CASE": f"{_FORM} ({_TYPE} (c) {_FORM}) (:no-error {_KEYS} {_FORM})",
    "DEFSETF": f"d# {_KEYS} (v#) {_FORM}",
    "DEFINE-MODIFY-MACRO": f"d# (&optional (p {_FORM})) list",
    "DEFINE-SYMBOL-MACRO": "d# y",
    "DEFINE-METHOD-COMBINATION": "d# :operator list",
    "DEFGENERIC": f"d# (a &optional p) (:method ((a integer) &optional (p {_FORM})) {_FORM} p)",
    "DEFCLASS": f"d# (base) (slot (other :initform {_FORM})) (:default-initargs :y {_FORM})"
    " (:metaclass standard-class)",
    "DEFINE-CONDITION": f"d# (base-condition) ({_SLOT}) (:default-initargs :y {_FORM})"
    f" (:report (lambda (a b) {_FORM} (list a b)))",
    "DEFSTRUCT": f"(d# (:include base-structure (slot {_FORM})) (:constructor d#-new (&aux (other {_FORM})))"
    " (:constructor d#-made))"
    f" (other {_FORM} :type {_TYPE})",
}
_TOPLEVEL = re.compile("def|sb-ext:def|declaim|in-package|proclaim")

_BEFORE, _AFTER = (
    "(defun f{} (x v) (block block (block nil (tagbody tag (print v) (return-from block ",
    ")))))",
)
_REST = {
    "&OPTIONAL": ("", ""),
    "&BODY": (f"{_FORM} {_FORM}",) * 2,
    "&TAGS": (f"tag (print {_FORM}) (go tag)",) * 2,
    "&INITARGS": (f":y {_FORM}",) * 2,
    "&METHOD": (f":around ((a integer) &optional (p {_FORM})) {_FORM} p",) * 2,
    "&CONDITION": (f"'simple-error :format-control {_FORM}", f'"~a" {_FORM}'),
}


class Planted(NamedTuple):
    """A toplevel form with a fault in the position ``at`` of an operator's form; None stands for no fault."""

    operator: str
    at: int | None
    text: str


def planted_forms() -> Iterator[Planted]:
    """All operators' forms: without a fault, and with one in each position."""
    numbers = count(1)
    for operators, *description in rules():
        for operator in [operators] if isinstance(operators, str) else map(str, operators):
            if operator.startswith(":"):
                continue
            for written in dict.fromkeys(_written(operator, description, way) for way in (0, 1)):
                holes = len(_HOLE.findall(written))
                for at in (None, *range(holes)):
                    yield Planted(operator, at, _toplevel(_filled(written, at), next(numbers)))


def _written(operator: str, description: Sequence[Description], way: int) -> str:
    arguments = _WRITTEN.get(operator) or _arguments(description, way)
    return f"({operator.lower()} {arguments})"


def _filled(written: str, at: int | None) -> str:
    """A form with a fault in a position."""
    positions = count()
    return _HOLE.sub(lambda hole: FAULT if next(positions) == at else hole[1], written)


def _toplevel(form: str, number: int) -> str:
    """A form with names of its own, in a function with what it refers to unless it is a toplevel form."""
    names = count(1)
    form = re.sub(r"(?<=d)#", str(number), form)
    form = re.sub(r"(?<=v)#", lambda _: str(next(names)), form)
    if form.startswith("(declare"):
        return f"(defun f{number} () {form})"
    if _TOPLEVEL.match(form[1:]):
        return form
    return f"{_BEFORE.format(number)}{form}{_AFTER}"


def _arguments(description: Sequence[Description], way: int) -> str:
    rest, found = list(description), []
    while rest:
        first = rest.pop(0)
        if isinstance(first, str) and first.startswith("&"):
            found.append(_marked(first, rest, way))
            rest = rest[2:] if first == "&REST" and rest[1:2] == ["&LAST"] else rest
            if first != "&OPTIONAL" and first != "&OPTIONS":
                break
        elif isinstance(first, list) and first[0] == "EITHER":
            found.append(_arguments(list(first[1 + way]), way))
        else:
            found.append(_thing(first, way))
    return " ".join(filter(None, found))


def _marked(marker: str, rest: list[Description], way: int) -> str:
    match marker:
        case "&REST" if rest[1:2] == ["&LAST"]:
            return f"{_thing(rest[0], way)} {_thing(rest[2], way)}"
        case "&REST":
            return _thing(rest[0], way)
        case "&PAIRS":
            return " ".join(_thing(one, way) for one in rest)
        case "&KEYS":
            return " ".join(f"{key.lower()} {_thing(thing, way)}" for key, (thing,) in _clauses(rest))
        case "&OPTIONS":
            return f":report {_thing(rest.pop(0), way)}"
    return _REST[marker][way]


def _clauses(clauses: Sequence[Description]) -> Iterator[tuple[str, list[Description]]]:
    """The keys of clauses, but for that of all others, each with its arguments."""
    for keys, *arguments in clauses:
        for key in [keys] if isinstance(keys, str) else map(str, keys):
            if key != "T":
                yield key, arguments


def _thing(thing: Description, way: int) -> str:
    if isinstance(thing, str):
        if thing.startswith(":"):
            return _thing(next(rule[1] for rule in rules() if rule[0] == thing), way)
        return _TERMS[thing]
    match thing[0]:
        case "OR":
            return _thing(thing[1 + way], way)
        case "ATOM" | "IN" | "IN-ORDER" | "EACH":
            return _thing(thing[1], way)
        case "BY-KEY":
            return " ".join(f"({key.lower()} {_arguments(rest, way)})" for key, rest in _clauses(thing[1:]))
        case "TYPE" | "KEY":
            return _TYPE
        case "TYPE-ARGUMENT":
            return "«'integer»" if way else f"'{_TYPE}"
    return f"({_arguments(thing, way)})"
