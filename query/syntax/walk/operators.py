"""Walk the arguments of standard operators as the grammar says.

A description is made into a function of arguments that finds out whether they fit, and gathers what is to be
done with each of them.
"""

from __future__ import annotations

from collections.abc import Callable

from .declarations import type_argument, type_specifier
from .forms import Walk, Walker, declared_special
from .grammar import Description, rules
from .lambda_lists import method
from .nodes import COMMA, HOLE, KEYWORD, LIST, READ_TIME, Node, UnfitArguments
from .terms import TERMS, Act, Pass, Steps, WalkStep, walk_condition, walk_initargs

_Thing = Callable[[Node, Steps], None]
_Arguments = Callable[[list[Node], Steps], None]
_OTHERS = "T"


# Things: descriptions of one argument


def _in_pass(when: Pass, act: Act) -> _Thing:
    def gather(node: Node, steps: Steps) -> None:
        steps.passes[when].append((act, node))

    return gather


def _thing(thing: Description) -> _Thing:
    if isinstance(thing, str):
        return _thing(_named(thing)) if thing.startswith(":") else _in_pass(*TERMS[thing])
    head = thing[0]
    make = _THINGS.get(head) if isinstance(head, str) else None
    if make is not None:
        return make(thing[1:])
    return _unless_hole(_list(_arguments(thing)))


def _named(name: str) -> Description:
    """What the rule of this name describes."""
    return next(rule[1] for rule in rules() if rule[0] == name)


def _list(arguments: _Arguments) -> _Thing:
    def gather(node: Node, steps: Steps) -> None:
        arguments(node.items, steps)

    return gather


def _unless_hole(thing: _Thing) -> _Thing:
    """The same, but for a hole in a template, where anything may come."""

    def gather(node: Node, steps: Steps) -> None:
        if node.kind != HOLE:
            thing(node, steps)

    return gather


def _or(things: list[Description]) -> _Thing:
    atom, one_list = map(_thing, things)

    def gather(node: Node, steps: Steps) -> None:
        if node.kind in (COMMA, READ_TIME):  # what comes there may be either
            steps.passes[Pass.OUTSIDE].append((_inserted, node))
        else:
            (one_list if node.kind == LIST else atom)(node, steps)

    return gather


def _inserted(walk: Walk, node: Node, _: Steps) -> None:
    walk.inserted(node)


def _atom(things: list[Description]) -> _Thing:
    atom = _thing(things[0])

    def gather(node: Node, steps: Steps) -> None:
        if node.kind == LIST:
            raise UnfitArguments
        atom(node, steps)

    return gather


def _in(things: list[Description]) -> _Thing:
    thing = _thing(things[0])

    def gather(node: Node, steps: Steps) -> None:
        inner = Steps()
        thing(node, inner)
        for one in inner.passes:
            steps.passes[Pass.INSIDE].extend(one)

    return gather


def _in_order(things: list[Description]) -> _Thing:
    thing = _thing(things[0])

    def gather(node: Node, steps: Steps) -> None:
        inner = Steps()
        thing(node, inner)
        outside, binding, inside = inner.passes
        steps.passes[Pass.BINDING].extend([*outside, *binding])
        steps.passes[Pass.INSIDE].extend(inside)

    return gather


def _each(things: list[Description]) -> _Thing:
    thing = _thing(things[0])
    is_clause = isinstance(things[0], list)

    def gather(node: Node, steps: Steps) -> None:
        inner = Steps()
        thing(node, inner)

        def act(walk: Walk, _: Node, __: Steps) -> None:
            form = walk.form
            if is_clause:
                walk.form = node
            inner.run(walk)
            walk.form = form

        steps.passes[Pass.OUTSIDE].append((act, node))

    return gather


def _by_key(clauses: list[Description]) -> _Thing:
    by_key = {key: _arguments(rest) for keys, rest in map(_clause, clauses) for key in keys}

    def gather(node: Node, steps: Steps) -> None:
        parts = node.items if node.kind == LIST else [node]
        if not parts:
            raise UnfitArguments
        by_key.get(parts[0].word, by_key[_OTHERS])(parts[1:], steps)

    return _unless_hole(gather)


def _clause(clause: Description) -> tuple[list[str], list[Description]]:
    """The keys of a clause, and the rest of it."""
    keys = clause[0]
    return [str(key) for key in keys] if isinstance(keys, list) else [keys], list(clause[1:])


def _typed(walk_type: Callable[[Walk, Node, str], None]) -> Callable[[list[Description]], _Thing]:
    """Things that are types, with the relation of their names."""

    def make(relations: list[Description]) -> _Thing:
        relation = str(relations[0]).lstrip(":").lower()

        def act(walk: Walk, node: Node, _: Steps) -> None:
            walk_type(walk, node, relation)

        return _in_pass(Pass.OUTSIDE, act)

    return make


def _key(walk: Walk, node: Node, relation: str) -> None:
    if node.word in ("OTHERWISE", "T"):
        walk.datum(node)
    else:
        type_specifier(walk, node, relation)


_THINGS: dict[str, Callable[[list[Description]], _Thing]] = {
    "OR": _or,
    "ATOM": _atom,
    "IN": _in,
    "IN-ORDER": _in_order,
    "EACH": _each,
    "BY-KEY": _by_key,
    "TYPE": _typed(type_specifier),
    "KEY": _typed(_key),
    "TYPE-ARGUMENT": _typed(type_argument),
}


# Descriptions of all arguments


def _arguments(description: list[Description]) -> _Arguments:
    if not description:
        return _no_more
    first, rest = description[0], description[1:]
    if isinstance(first, str) and first.startswith("&"):
        return _MARKED[first](rest)
    if isinstance(first, list) and first[0] == "EITHER":
        return _either([_arguments(list(one)) for one in first[1:]])
    thing, others = _thing(first), _arguments(rest)

    def gather(nodes: list[Node], steps: Steps) -> None:
        if not nodes:
            raise UnfitArguments
        thing(nodes[0], steps)
        others(nodes[1:], steps)

    return gather


def _no_more(nodes: list[Node], _: Steps) -> None:
    if nodes:
        raise UnfitArguments


def _optional(description: list[Description]) -> _Arguments:
    if not description or (isinstance(description[0], str) and description[0].startswith("&")):
        return _arguments(description)
    thing, others = _thing(description[0]), _optional(description[1:])

    def gather(nodes: list[Node], steps: Steps) -> None:
        if nodes:
            thing(nodes[0], steps)
            others(nodes[1:], steps)

    return gather


def _rest(description: list[Description]) -> _Arguments:
    thing = _thing(description[0])
    last = _thing(description[2]) if len(description) > 1 else thing

    def gather(nodes: list[Node], steps: Steps) -> None:
        for node in nodes[:-1]:
            thing(node, steps)
        for node in nodes[-1:]:
            last(node, steps)

    return gather


def _pairs(description: list[Description]) -> _Arguments:
    things = [_thing(one) for one in description]

    def gather(nodes: list[Node], steps: Steps) -> None:
        for position, node in enumerate(nodes):
            things[position % 2](node, steps)

    return gather


def _keys(description: list[Description]) -> _Arguments:
    by_key = {key: _thing(rest[0]) for keys, rest in map(_clause, description) for key in keys}

    def gather(nodes: list[Node], steps: Steps) -> None:
        for key, value in zip(nodes[::2], nodes[1::2], strict=False):
            by_key.get(key.word, by_key[_OTHERS])(value, steps)

    return gather


def _options(description: list[Description]) -> _Arguments:
    thing, others = _thing(description[0]), _arguments(description[1:])

    def gather(nodes: list[Node], steps: Steps) -> None:
        while len(nodes) > 1 and nodes[0].kind == KEYWORD:
            thing(nodes[1], steps)
            nodes = nodes[2:]
        others(nodes, steps)

    return gather


def _either(alternatives: list[_Arguments]) -> _Arguments:
    first, second = alternatives

    def gather(nodes: list[Node], steps: Steps) -> None:
        trial = Steps()
        try:
            first(nodes, trial)
        except UnfitArguments:
            second(nodes, steps)
        else:
            first(nodes, steps)

    return gather


_Act = Callable[[Walk, list[Node]], None]


def _to_the_end(when: Pass, act: _Act, least: int = 0, *, declares: bool = False) -> _Arguments:
    """What is done with all nodes at once; in a body, there may be declarations."""

    def gather(nodes: list[Node], steps: Steps) -> None:
        if len(nodes) < least:
            raise UnfitArguments
        if declares:
            steps.special = declared_special(nodes)
        if nodes:
            step: WalkStep = (lambda walk, _, __: act(walk, nodes)), nodes[0]
            steps.passes[when].append(step)

    return gather


_MARKED: dict[str, Callable[[list[Description]], _Arguments]] = {
    "&OPTIONAL": _optional,
    "&REST": _rest,
    "&PAIRS": _pairs,
    "&KEYS": _keys,
    "&OPTIONS": _options,
    "&BODY": lambda _: _to_the_end(Pass.INSIDE, lambda walk, nodes: walk.body(nodes), declares=True),
    "&TAGS": lambda _: _to_the_end(Pass.INSIDE, lambda walk, nodes: walk.tagged(nodes), declares=True),
    "&INITARGS": lambda _: _to_the_end(Pass.OUTSIDE, walk_initargs),
    "&METHOD": lambda _: _to_the_end(Pass.INSIDE, method),
    "&CONDITION": lambda _: _to_the_end(Pass.OUTSIDE, walk_condition, 1),
}


# Operators


def _walker(arguments: _Arguments) -> Walker:
    def walk_arguments(walk: Walk, nodes: list[Node]) -> None:
        steps = Steps()
        arguments(nodes, steps)
        steps.run(walk)

    return walk_arguments


def _walkers() -> dict[str, Walker]:
    found: dict[str, Walker] = {}
    for operators, *description in rules():
        names = [operators] if isinstance(operators, str) else [str(one) for one in operators]
        if not names[0].startswith(":"):
            found |= dict.fromkeys(names, _walker(_arguments(description)))
    return found


WALKERS = _walkers()
"""The standard operators whose arguments the grammar describes."""
