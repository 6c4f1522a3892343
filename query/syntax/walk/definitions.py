"""The standard defining macros."""

from __future__ import annotations

from .clauses import initargs
from .declarations import declaration, type_specifier
from .forms import OPERATORS, Walk
from .lambda_lists import bind_lambda_list, function, method
from .nodes import KEYWORD, LIST, STRING, SYMBOL, Node, fit, items_of, pairs, part
from .notes import MENTIONS, NAMES

_DEFINES, _DECLARES, _INHERITS = "defines", "declares", "inherits"


def _definition(walk: Walk, name: Node | None) -> None:
    """Note the name of a definition: a symbol, (SETF SYMBOL), or another list."""
    if name is None or name.kind != LIST:
        walk.note(name, _DEFINES)
    elif name.items and name.items[0].word in OPERATORS:
        walk.function_name(name, _DEFINES)
    else:
        walk.datum(name)


def _block(walk: Walk, name: Node) -> None:
    """Bind the block that a definition has the name of."""
    named = name if name.kind == SYMBOL else part(name.items, 1)
    if named is not None:
        walk.bind_implicit_block(named, walk.form)


def _defun(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 2)
    _definition(walk, arguments[0])
    if arguments[0].symbol is not None and arguments[0].symbol.number is None:
        walk.defined.add(arguments[0].symbol)
    with walk.scope():
        _block(walk, arguments[0])
        function(walk, arguments[1], arguments[2:])


def _defmacro(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 2)
    _definition(walk, arguments[0])
    with walk.scope():
        _block(walk, arguments[0])
        function(walk, arguments[1], arguments[2:], destructuring=True)


def _defvar(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    _definition(walk, arguments[0])
    walk.forms(arguments[1:])


def _defsetf(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 2)
    _definition(walk, arguments[0])
    second, body = arguments[1], arguments[2:]
    if second.kind != LIST:
        walk.note(second, NAMES)
        walk.forms(body)
        return
    with walk.scope():
        _block(walk, arguments[0])
        bind_lambda_list(walk, second)
        walk.bind_variables(items_of(part(body, 0)))
        walk.body(body[1:])


def _define_modify_macro(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 3)
    _definition(walk, arguments[0])
    function(walk, arguments[1], [])
    walk.function_name(arguments[2], NAMES)
    walk.forms(arguments[3:])


def _define_method_combination(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    _definition(walk, arguments[0])
    walk.uncertain(arguments[1:])


# Generic functions


def _defmethod(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    _definition(walk, arguments[0])
    with walk.scope():
        _block(walk, arguments[0])
        method(walk, arguments[1:])


def _defgeneric(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 2)
    _definition(walk, arguments[0])
    function(walk, arguments[1], [])
    with walk.scope():
        _block(walk, arguments[0])
        for option in arguments[2:]:
            fit(option.items, 1)
            key, values = option.items[0].word, option.items[1:]
            if key == ":METHOD":
                method(walk, values)
            elif key == "DECLARE":
                walk.walk(option)
            elif key == ":ARGUMENT-PRECEDENCE-ORDER":
                for value in values:
                    walk.skip(value)
            else:
                _named(walk, values)


def _named(walk: Walk, nodes: list[Node]) -> None:
    """Walk what may be names or forms."""
    for node in nodes:
        if node.kind == SYMBOL:
            walk.note(node, NAMES)
        else:
            walk.walk(node)


def _functions_named(walk: Walk, nodes: list[Node]) -> None:
    """Walk what may be names of functions or lambda expressions."""
    for node in nodes:
        if node.kind == LIST:
            walk.function_name(node, NAMES)
        else:
            _named(walk, [node])


# Classes


def _slot_options(walk: Walk, options: list[Node]) -> None:
    for key, value in pairs(options):
        if value is None or key.word == ":ALLOCATION":
            continue
        if key.word in (":ACCESSOR", ":READER", ":WRITER"):
            walk.function_name(value, _DEFINES) if value.kind == LIST else walk.note(value, _DEFINES)
        elif key.word == ":INITARG":
            walk.note_initarg(value) if value.kind == KEYWORD else _named(walk, [value])
        elif key.word == ":TYPE":
            type_specifier(walk, value, _DECLARES)
        elif key.word in (":INITFORM", ":DOCUMENTATION"):
            walk.walk(value)
        else:
            walk.uncertain([value])


def _defclass(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 3)
    _definition(walk, arguments[0])
    for superclass in items_of(arguments[1]):
        walk.note(superclass, _INHERITS)
    for slot in items_of(arguments[2]):
        if slot.kind == LIST:
            walk.note_slot(part(slot.items, 0))
            _slot_options(walk, slot.items[1:])
        else:
            walk.note_slot(slot)
    for option in arguments[3:]:
        fit(option.items, 1)
        key, values = option.items[0].word, option.items[1:]
        if key == ":DEFAULT-INITARGS":
            initargs(walk, values)
        elif key == ":REPORT":
            _functions_named(walk, values)
        else:
            _named(walk, values)


# Structures


def _structure_option(walk: Walk, option: Node) -> None:
    parts = option.items if option.kind == LIST else [option]
    fit(parts, 1)
    key, values = parts[0].word, parts[1:]
    if key == ":INCLUDE":
        walk.note(part(values, 0), _INHERITS)
        for slot in values[1:]:
            _structure_slot(walk, slot)
    elif key == ":CONSTRUCTOR":
        _definition(walk, part(values, 0))
        if len(values) > 1:
            function(walk, values[1], [])
    elif key in (":COPIER", ":PREDICATE"):
        for value in values:
            _definition(walk, value)
    else:
        _other_structure_option(walk, key, values)


def _other_structure_option(walk: Walk, key: str, values: list[Node]) -> None:
    if key not in (":CONC-NAME", ":TYPE"):
        _functions_named(walk, values)
        return
    for value in values:
        if key == ":TYPE":
            type_specifier(walk, value, _DECLARES)
        else:
            walk.skip(value)


def _structure_slot(walk: Walk, slot: Node) -> None:
    if slot.kind != LIST:
        walk.note_slot(slot)
        return
    fit(slot.items, 1)
    walk.note_slot(slot.items[0])
    if len(slot.items) > 1:
        walk.walk(slot.items[1])
    for key, value in pairs(slot.items[2:]):
        if value is not None and key.word == ":TYPE":
            type_specifier(walk, value, _DECLARES)
        elif value is not None:
            walk.walk(value)


def _defstruct(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    name = arguments[0]
    if name.kind == LIST:
        _definition(walk, part(name.items, 0))
        for option in name.items[1:]:
            _structure_option(walk, option)
    else:
        _definition(walk, name)
    for slot in arguments[1:]:
        if slot.kind != STRING:
            _structure_slot(walk, slot)


# Proclamations


def _declaim(walk: Walk, arguments: list[Node]) -> None:
    for one in arguments:
        declaration(walk, one)


def _in_package(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1, 1)
    if arguments[0].kind == SYMBOL:
        walk.note(arguments[0], MENTIONS)
    else:
        walk.datum(arguments[0])


WALKERS = {
    "DEFUN": _defun,
    **dict.fromkeys(("DEFMACRO", "DEFINE-COMPILER-MACRO", "DEFTYPE", "DEFINE-SETF-EXPANDER"), _defmacro),
    **dict.fromkeys(
        ("DEFVAR", "DEFPARAMETER", "DEFCONSTANT", "SB-EXT:DEFGLOBAL", "DEFINE-SYMBOL-MACRO"), _defvar
    ),
    **{"DEFSETF": _defsetf, "DEFINE-MODIFY-MACRO": _define_modify_macro},
    "DEFINE-METHOD-COMBINATION": _define_method_combination,
    **{"DEFMETHOD": _defmethod, "DEFGENERIC": _defgeneric},
    **dict.fromkeys(("DEFCLASS", "DEFINE-CONDITION"), _defclass),
    **{"DEFSTRUCT": _defstruct, "DECLAIM": _declaim, "TRACE": _named, "UNTRACE": _named},
    "IN-PACKAGE": _in_package,
}
