"""The terms of the grammar: what is done with one argument, and when."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from ..names.defined import OPERATORS
from ..names.meanings import Symbol
from .declarations import declaration
from .forms import MENTIONS, NAMES, Walk
from .lambda_lists import bind_destructuring, bind_lambda_list, function, method
from .nodes import BACKQUOTE, KEYWORD, LIST, QUOTE, SYMBOL, Node, UnfitArguments, fit, items_of, pairs, part
from .places import place
from .results import BLOCK, FUNCTION, MACRO, SYMBOL_MACRO, Binding

Special = frozenset[Symbol]


class Pass(IntEnum):
    """When something is done: before names are bound, to bind them, and where they are visible."""

    OUTSIDE, BINDING, INSIDE = range(3)


class Steps:
    """The steps to take with the arguments of one operator, by pass.

    ``special`` are the variables that its body declares special, and ``after`` is called when all is done.
    """

    __slots__ = ("after", "passes", "special")

    def __init__(self) -> None:
        self.passes: tuple[list[WalkStep], list[WalkStep], list[WalkStep]] = ([], [], [])
        self.special: Special = frozenset()
        self.after: list[Callable[[], None]] = []

    def run(self, walk: Walk) -> None:
        """Take the steps, in a scope of their own."""
        mark = walk.mark()
        for steps in self.passes:
            for act, node in steps:
                act(walk, node, self)
        walk.leave(mark)
        for act_after in self.after:
            act_after()


Act = Callable[[Walk, Node, Steps], None]
WalkStep = tuple[Act, Node]


def walk_named(walk: Walk, node: Node) -> None:
    """Walk what may be a name, a form or options."""
    if node.kind == SYMBOL:
        walk.note(node, NAMES)
    else:
        walk.uncertain([node])


def walk_initargs(walk: Walk, nodes: list[Node]) -> None:
    """Walk initargs and their values."""
    for initarg, value in pairs(nodes):
        if initarg.kind == KEYWORD:
            walk.note_initarg(initarg)
        else:
            walk.walk(initarg)
        if value is not None:
            walk.walk(value)


def walk_condition(walk: Walk, nodes: list[Node]) -> None:
    """Walk a condition designator, and its arguments."""
    if _is_quoted_name(nodes[0]):
        walk.note(nodes[0].items[0], "instantiates")
        walk_initargs(walk, nodes[1:])
    else:
        walk.forms(nodes)


def _is_quoted_name(node: Node) -> bool:
    return node.kind == QUOTE and node.items[0].kind == SYMBOL


def _uncertain(walk: Walk, node: Node) -> None:
    walk.uncertain([node])


def _name(walk: Walk, node: Node) -> None:
    walk.note(node, NAMES)


def _package_name(walk: Walk, node: Node) -> None:
    if node.kind == SYMBOL:
        walk.note(node, MENTIONS)
    else:
        walk.datum(node)


def _function_name(walk: Walk, node: Node) -> None:
    walk.function_name(node, NAMES, walk.form)


def _named_function(walk: Walk, node: Node) -> None:
    if node.kind == LIST:
        walk.function_name(node, NAMES)
    else:
        walk_named(walk, node)


def _declaration_argument(walk: Walk, node: Node) -> None:
    if node.kind in (QUOTE, BACKQUOTE) and node.items:
        declaration(walk, node.items[0])
    else:
        walk.walk(node)


def _changed_place(walk: Walk, node: Node) -> None:
    place(walk, node, changed=True)


def _inherited(walk: Walk, node: Node) -> None:
    walk.note(node, "inherits")


def _initarg(walk: Walk, node: Node) -> None:
    if node.kind == KEYWORD:
        walk.note_initarg(node)
    else:
        walk_named(walk, node)


def _class_argument(walk: Walk, node: Node) -> None:
    if _is_quoted_name(node):
        walk.note(node.items[0], "instantiates")
    else:
        walk.walk(node)


def _slot_argument(walk: Walk, node: Node) -> None:
    if _is_quoted_name(node):
        walk.note_slot(node.items[0])
    else:
        walk.walk(node)


# Blocks and tags


def _block_name(walk: Walk, node: Node) -> None:
    walk.skip(node)
    if node.symbol is not None:
        walk.bind(walk.blocks, node, node.symbol, BLOCK, walk.form)


def _block_used(walk: Walk, node: Node) -> None:
    walk.skip(node)
    if node.symbol is not None:
        walk.use(node, walk.blocks.get(node.symbol))


def _tag_used(walk: Walk, node: Node) -> None:
    walk.skip(node)
    walk.use(node, walk.tags.get(node.symbol or node.text))


# Variables


def _variable(walk: Walk, node: Node, steps: Steps) -> None:
    walk.bind_variable(node, steps.special)


def _symbol_macro(walk: Walk, node: Node) -> None:
    walk.bind_variable(node, kind=SYMBOL_MACRO)


def _slot_variable(walk: Walk, node: Node) -> None:
    walk.note_slot(node)
    if node.symbol is not None:
        walk.bind(walk.variables, node, node.symbol, SYMBOL_MACRO, walk.form)


def _symbol_macros(walk: Walk, node: Node, steps: Steps) -> None:
    """Walk the bindings of SYMBOL-MACROLET: an expansion means what its names mean where it is used."""
    first = walk.told()
    named = []
    with walk.opened():
        for binding in items_of(node):
            parts = binding.items if binding.kind == LIST else [binding]
            walk.forms(parts[1:])
            named.append(part(parts, 0))
    for one in named:
        walk.bind_variable(one, kind=SYMBOL_MACRO)
    last, form = walk.told(), walk.form
    steps.after.append(lambda: walk.forget(first, last, form))


def _lambda_list(walk: Walk, node: Node, steps: Steps) -> None:
    bind_lambda_list(walk, node, steps.special)


def _destructuring(walk: Walk, node: Node, steps: Steps) -> None:
    bind_destructuring(walk, node, steps.special)


# Local functions

_Names = list[tuple[Node, Symbol | tuple[str, Symbol]] | None]


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
            mark = walk.mark()
            block = parts[0].symbol or (parts[0].items[1].symbol if len(parts[0].items) > 1 else None)
            if binding is not None and block is not None:
                walk.bind_block_of(binding, block)
            function(walk, parts[1], parts[2:], destructuring=destructuring)
            walk.leave(mark)
    walk.form = form


def _local_functions(walk: Walk, node: Node, kind: str, *, visible: bool) -> None:
    """Walk local definitions and bind their names, which may be visible to each other."""
    names, mark = _names(node), walk.mark()
    made = _bind_functions(walk, node, names, kind)
    if not visible:
        walk.leave(mark)
    expanding, walk.expanding = walk.expanding, walk.expanding or kind == MACRO
    _definitions(walk, node, made, destructuring=kind == MACRO)
    walk.expanding = expanding
    if not visible:
        walk.bind_again([(one, name[1]) for one, name in zip(made, names, strict=True) if one and name])


def _functions(walk: Walk, node: Node) -> None:
    _local_functions(walk, node, FUNCTION, visible=False)


def _recursive_functions(walk: Walk, node: Node) -> None:
    _local_functions(walk, node, FUNCTION, visible=True)


def _macros(walk: Walk, node: Node) -> None:
    _local_functions(walk, node, MACRO, visible=False)


def _macro(walk: Walk, node: Node) -> None:
    walk.skip(node)
    if node.symbol is not None:
        walk.bind(walk.functions, node, node.symbol, MACRO, walk.form)


# Definitions


def _defined(walk: Walk, node: Node) -> None:
    """Note the name of a definition: a symbol, (SETF SYMBOL), or another list."""
    if node.kind != LIST:
        walk.note(node, "defines")
    elif node.items and node.items[0].word in OPERATORS:
        walk.function_name(node, "defines")
    else:
        walk.datum(node)


def _defined_operator(walk: Walk, node: Node) -> None:
    """Note the name of a definition, which is also that of a block."""
    _defined(walk, node)
    named = node if node.kind == SYMBOL else part(node.items, 1)
    if named is not None:
        walk.bind_implicit_block(named, walk.form)


def _defined_function(walk: Walk, node: Node) -> None:
    _defined_operator(walk, node)
    walk.defines_function(node)


def _defined_accessor(walk: Walk, node: Node) -> None:
    if node.kind == LIST:
        walk.function_name(node, "defines")
    else:
        walk.note(node, "defines")


def _generic_function_option(walk: Walk, node: Node) -> None:
    if not node.items:
        raise UnfitArguments
    key, values = node.items[0].word, node.items[1:]
    if key == ":METHOD":
        method(walk, values)
    elif key == "DECLARE":
        walk.walk(node)
    else:
        for value in values:
            if key == ":ARGUMENT-PRECEDENCE-ORDER":
                walk.skip(value)
            else:
                walk_named(walk, value)


def _plain(act: Callable[[Walk, Node], None]) -> Act:
    """What needs to know nothing of the other arguments."""
    return lambda walk, node, _: act(walk, node)


def _open_form(walk: Walk, node: Node) -> None:
    with walk.opened():
        walk.walk(node)


_OUTSIDE: dict[str, Callable[[Walk, Node], None]] = {
    "FORM": lambda walk, node: walk.walk(node),
    "OPEN-FORM": _open_form,
    "UNCERTAIN": _uncertain,
    "QUOTED": lambda walk, node: walk.quoted(node),
    "DATUM": lambda walk, node: walk.datum(node),
    "NOTHING": lambda _, __: None,
    "NAME": _name,
    "NAMED": walk_named,
    "PACKAGE-NAME": _package_name,
    "FUNCTION-NAME": _function_name,
    "NAMED-FUNCTION": _named_function,
    "DECLARATION": declaration,
    "DECLARATION-ARGUMENT": _declaration_argument,
    "PLACE": place,
    "CHANGED-PLACE": _changed_place,
    "LOCAL": lambda walk, node: walk.skip(node),
    "INHERITED": _inherited,
    "SLOT-NAME": lambda walk, node: walk.note_slot(node),
    "INITARG": _initarg,
    "CLASS-ARGUMENT": _class_argument,
    "SLOT-ARGUMENT": _slot_argument,
    "BLOCK-USED": _block_used,
    "TAG-USED": _tag_used,
    "DEFINED": _defined,
    "DEFINED-OPERATOR": _defined_operator,
    "DEFINED-FUNCTION": _defined_function,
    "DEFINED-ACCESSOR": _defined_accessor,
    "GENERIC-FUNCTION-OPTION": _generic_function_option,
}
_BINDING: dict[str, Callable[[Walk, Node], None]] = {
    "BLOCK-NAME": _block_name,
    "SYMBOL-MACRO": _symbol_macro,
    "SLOT-VARIABLE": _slot_variable,
    "FUNCTIONS": _functions,
    "RECURSIVE-FUNCTIONS": _recursive_functions,
    "MACROS": _macros,
    "MACRO": _macro,
}
_BINDING_BY_BODY: dict[str, Act] = {
    "VARIABLE": _variable,
    "SYMBOL-MACROS": _symbol_macros,
    "LAMBDA-LIST": _lambda_list,
    "DESTRUCTURING-LAMBDA-LIST": _destructuring,
}
TERMS: dict[str, tuple[Pass, Act]] = {
    **{name: (Pass.OUTSIDE, _plain(act)) for name, act in _OUTSIDE.items()},
    **{name: (Pass.BINDING, _plain(act)) for name, act in _BINDING.items()},
    **{name: (Pass.BINDING, act) for name, act in _BINDING_BY_BODY.items()},
}
