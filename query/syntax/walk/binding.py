"""The standard operators that bind variables, functions, blocks and tags, and those that only have bodies."""

from __future__ import annotations

from collections.abc import Callable

from .declarations import declaration, type_specifier
from .forms import NOT_SPECIAL, OPERATORS, Walk, declared_special
from .lambda_lists import bind_destructuring, function
from .meanings import Named
from .nodes import LIST, Node, fit, items_of, part
from .notes import NAMES
from .results import BLOCK, FUNCTION, MACRO, SYMBOL_MACRO, VARIABLE, Binding

_Special = frozenset[Named]


def _body(walk: Walk, arguments: list[Node]) -> None:
    walk.body(arguments)


def _quote(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 0, 1)
    for one in arguments:
        walk.quoted(one)


def _function(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 0, 1)
    for one in arguments:
        walk.function_name(one, NAMES)


def _the(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    type_specifier(walk, arguments[0], "tests")
    walk.forms(arguments[1:])


def _declare(walk: Walk, arguments: list[Node]) -> None:
    for one in arguments:
        declaration(walk, one)


def _eval_when(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    walk.datum(arguments[0])
    walk.forms(arguments[1:])


# Blocks and tags


def _block(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    name = arguments[0]
    walk.skip(name)
    with walk.scope():
        if name.symbol is not None:
            walk.bind(walk.blocks, name, name.symbol, BLOCK, walk.form)
        walk.forms(arguments[1:])


def _return_from(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    name = arguments[0]
    walk.skip(name)
    if name.symbol is not None:
        walk.use(name, walk.blocks.get(name.symbol))
    walk.forms(arguments[1:])


def _go(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1, 1)
    tag = arguments[0]
    walk.skip(tag)
    walk.use(tag, walk.tags.get(tag.symbol or tag.text))


def _tagbody(walk: Walk, arguments: list[Node]) -> None:
    walk.tagged(arguments)


# Variables


def _bindings(
    walk: Walk,
    node: Node,
    special: _Special,
    *,
    sequential: bool,
    kind: str = VARIABLE,
    steps: list[Node] | None = None,
) -> None:
    """Walk bindings as of LET, and bind the variables; in those of DO, put the step forms into ``steps``."""
    variables = []
    for binding in items_of(node):
        parts = binding.items if binding.kind == LIST else [binding]
        if steps is None or len(parts) < 3:
            walk.forms(parts[1:])
        else:
            walk.walk(parts[1])
            steps += parts[2:]
        if sequential:
            walk.bind_variable(part(parts, 0), special, kind)
        else:
            variables.append(part(parts, 0))
    for variable in variables:
        walk.bind_variable(variable, special, kind)


def _let(walk: Walk, arguments: list[Node], *, sequential: bool, rest: Callable[[list[Node]], None]) -> None:
    fit(arguments, 1)
    with walk.scope():
        body = arguments[1:]
        _bindings(walk, arguments[0], declared_special(body), sequential=sequential)
        rest(body)


def _let_parallel(walk: Walk, arguments: list[Node]) -> None:
    _let(walk, arguments, sequential=False, rest=walk.body)


def _let_sequential(walk: Walk, arguments: list[Node]) -> None:
    _let(walk, arguments, sequential=True, rest=walk.body)


def _prog(walk: Walk, arguments: list[Node]) -> None:
    _let(walk, arguments, sequential=False, rest=walk.tagged)


def _prog_sequential(walk: Walk, arguments: list[Node]) -> None:
    _let(walk, arguments, sequential=True, rest=walk.tagged)


def _symbol_macrolet(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    first_use = len(walk.uses)
    with walk.scope():
        _bindings(walk, arguments[0], NOT_SPECIAL, sequential=False, kind=SYMBOL_MACRO)
        last_use = len(walk.uses)
        bound = {one.name for one in walk.bindings if one.form_start == walk.form.start}
        before = len(walk.bindings)
        walk.body(arguments[1:])
    # An expansion means what its names mean where it is used.
    bound |= {one.name for one in walk.bindings[before:]}
    walk.forget(first_use, last_use, bound)


def _do(walk: Walk, arguments: list[Node], *, sequential: bool) -> None:
    fit(arguments, 2)
    with walk.scope():
        steps: list[Node] = []
        body = arguments[2:]
        _bindings(walk, arguments[0], declared_special(body), sequential=sequential, steps=steps)
        walk.forms(steps)
        walk.forms(items_of(arguments[1]))
        walk.tagged(body)


def _do_parallel(walk: Walk, arguments: list[Node]) -> None:
    _do(walk, arguments, sequential=False)


def _do_sequential(walk: Walk, arguments: list[Node]) -> None:
    _do(walk, arguments, sequential=True)


def _dolist(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    parts, body = items_of(arguments[0]), arguments[1:]
    fit(parts, 1)
    if len(parts) > 1:
        walk.walk(parts[1])
    with walk.scope():
        walk.bind_variable(parts[0], declared_special(body))
        walk.forms(parts[2:])
        walk.tagged(body)


def _with_open(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    parts, body = items_of(arguments[0]), arguments[1:]
    fit(parts, 1)
    walk.forms(parts[1:])
    with walk.scope():
        walk.bind_variable(parts[0], declared_special(body))
        walk.body(body)


def _multiple_value_bind(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 2)
    body = arguments[2:]
    walk.walk(arguments[1])
    with walk.scope():
        walk.bind_variables(items_of(arguments[0]), declared_special(body))
        walk.body(body)


def _destructuring_bind(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 2)
    body = arguments[2:]
    walk.walk(arguments[1])
    with walk.scope():
        bind_destructuring(walk, arguments[0], declared_special(body))
        walk.body(body)


def _with_slots(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 2)
    walk.walk(arguments[1])
    with walk.scope():
        for slot in items_of(arguments[0]):
            if slot.kind == LIST:
                walk.note_slot(part(slot.items, 1))
                walk.bind_variable(part(slot.items, 0), kind=SYMBOL_MACRO)
            else:
                walk.note_slot(slot)
                if slot.symbol is not None:
                    walk.bind(walk.variables, slot, slot.symbol, SYMBOL_MACRO, walk.form)
        walk.body(arguments[2:])


def _with_accessors(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 2)
    walk.walk(arguments[1])
    with walk.scope():
        for accessor in items_of(arguments[0]):
            fit(items_of(accessor), 1, 2)
            walk.note(part(accessor.items, 1), NAMES)
            walk.bind_variable(accessor.items[0], kind=SYMBOL_MACRO)
        walk.body(arguments[2:])


def _with_arguments(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    walk.forms(items_of(arguments[0]))
    walk.body(arguments[1:])


# Functions


def _lambda(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    function(walk, arguments[0], arguments[1:])


_Names = list[tuple[Node, Named | tuple[str, Named]] | None]


def _names(definitions: Node) -> _Names:
    """The names that local definitions define: nodes with their keys among functions; None without one."""
    found: _Names = []
    for definition in items_of(definitions):
        name = part(items_of(definition), 0)
        operator = OPERATORS.get(name.items[0].word) if name is not None and name.items else None
        setf = part(name.items, 1) if name is not None and operator else None
        if name is not None and name.symbol is not None:
            found.append((name, name.symbol))
        elif operator is not None and setf is not None and setf.symbol is not None:
            found.append((setf, (operator, setf.symbol)))
        else:
            found.append(None)
    return found


def _bind_functions(walk: Walk, definitions: Node, names: _Names, kind: str) -> list[Binding | None]:
    """Bind the local functions or macros that definitions make."""
    made: list[Binding | None] = []
    for definition, name in zip(definitions.items, names, strict=True):
        one = part(definition.items, 0)
        walk.skip(one)
        for inner in one.items if one is not None else ():
            walk.skip(inner)
        made.append(walk.bind(walk.functions, name[0], name[1], kind, walk.form) if name else None)
    return made


def _definitions(walk: Walk, node: Node, made: list[Binding | None], *, destructuring: bool = False) -> None:
    """Walk the lambda lists and bodies of local definitions, each in the block of its name."""
    form = walk.form
    for definition, binding in zip(node.items, made, strict=True):
        parts = definition.items
        fit(parts, 1)
        if len(parts) > 1:
            walk.form = definition
            with walk.scope():
                block = parts[0].symbol or (parts[0].items[1].symbol if len(parts[0].items) > 1 else None)
                if binding is not None and block is not None:
                    walk.bind_block_of(binding, block)
                function(walk, parts[1], parts[2:], destructuring=destructuring)
    walk.form = form


def _flet(walk: Walk, arguments: list[Node]) -> None:
    _local_functions(walk, arguments, FUNCTION, visible=False)


def _labels(walk: Walk, arguments: list[Node]) -> None:
    _local_functions(walk, arguments, FUNCTION, visible=True)


def _macrolet(walk: Walk, arguments: list[Node]) -> None:
    _local_functions(walk, arguments, MACRO, visible=False)


def _local_functions(walk: Walk, arguments: list[Node], kind: str, *, visible: bool) -> None:
    """Walk FLET, LABELS or MACROLET; the functions may be visible to each other."""
    fit(arguments, 1)
    names = _names(arguments[0])
    with walk.scope():
        mark = walk.mark()
        made = _bind_functions(walk, arguments[0], names, kind)
        if not visible:
            walk.leave(mark)
        expanding, walk.expanding = walk.expanding, walk.expanding or kind == MACRO
        _definitions(walk, arguments[0], made, destructuring=kind == MACRO)
        walk.expanding = expanding
        if not visible:
            walk.bind_again([(one, name[1]) for one, name in zip(made, names, strict=True) if one and name])
        walk.body(arguments[1:])


def _with_iterator(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    parts = items_of(arguments[0])
    walk.skip(part(parts, 0))
    walk.forms(parts[1:])
    with walk.scope():
        if parts[0].symbol is not None:
            walk.bind(walk.functions, parts[0], parts[0].symbol, MACRO, walk.form)
        walk.body(arguments[1:])


_BODIES = (
    *("PROGN", "PROGV", "IF", "CATCH", "THROW", "UNWIND-PROTECT", "LOCALLY", "AND", "OR", "WHEN", "UNLESS"),
    *("PROG1", "PROG2", "RETURN", "IGNORE-ERRORS", "MULTIPLE-VALUE-LIST", "NTH-VALUE", "TIME", "STEP"),
    *("MULTIPLE-VALUE-CALL", "MULTIPLE-VALUE-PROG1", "LOAD-TIME-VALUE", "WITH-COMPILATION-UNIT"),
)

WALKERS = {
    **dict.fromkeys(_BODIES, _body),
    **dict.fromkeys(("THE", "SB-EXT:TRULY-THE"), _the),
    **{"QUOTE": _quote, "FUNCTION": _function, "DECLARE": _declare, "EVAL-WHEN": _eval_when},
    **{"BLOCK": _block, "RETURN-FROM": _return_from, "GO": _go, "TAGBODY": _tagbody},
    **{"LET": _let_parallel, "LET*": _let_sequential, "PROG": _prog, "PROG*": _prog_sequential},
    **{"DO": _do_parallel, "DO*": _do_sequential},
    **dict.fromkeys(("DOLIST", "DOTIMES", "DO-SYMBOLS", "DO-EXTERNAL-SYMBOLS", "DO-ALL-SYMBOLS"), _dolist),
    **dict.fromkeys(
        ("WITH-OPEN-FILE", "WITH-OPEN-STREAM", "WITH-OUTPUT-TO-STRING", "WITH-INPUT-FROM-STRING"), _with_open
    ),
    **{"MULTIPLE-VALUE-BIND": _multiple_value_bind, "DESTRUCTURING-BIND": _destructuring_bind},
    **{"WITH-SLOTS": _with_slots, "WITH-ACCESSORS": _with_accessors, "SYMBOL-MACROLET": _symbol_macrolet},
    **dict.fromkeys(("PRINT-UNREADABLE-OBJECT", "PPRINT-LOGICAL-BLOCK"), _with_arguments),
    **{"LAMBDA": _lambda, "FLET": _flet, "LABELS": _labels, "MACROLET": _macrolet},
    **dict.fromkeys(("WITH-HASH-TABLE-ITERATOR", "WITH-PACKAGE-ITERATOR"), _with_iterator),
}
