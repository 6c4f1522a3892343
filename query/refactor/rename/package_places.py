"""Where forms designate packages (CLHS 11), and where they name systems, which may have the same names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...syntax.nodes import Atom, Form, Node, forms_in
from ...syntax.walk.files import WalkedForm
from ...syntax.walk.nodes import LIST, QUOTE

_DEFINING = ("DEFPACKAGE", "DEFINE-PACKAGE")
_LISTS = (":USE", ":USE-REEXPORT", ":REEXPORT", ":MIX", ":MIX-REEXPORT", ":RECYCLE", ":IMPLEMENT")
_SOURCES = (":IMPORT-FROM", ":SHADOWING-IMPORT-FROM")
_NICKNAMES = ":LOCAL-NICKNAMES"
_ARGUMENTS = {
    **dict.fromkeys(("IN-PACKAGE", "FIND-PACKAGE", "DELETE-PACKAGE", "MAKE-PACKAGE", "RENAME-PACKAGE"), (1,)),
    **dict.fromkeys(("PACKAGE-NAME", "PACKAGE-NICKNAMES", "PACKAGE-USE-LIST", "PACKAGE-USED-BY-LIST"), (1,)),
    **dict.fromkeys(("PACKAGE-SHADOWING-SYMBOLS", "LOCK-PACKAGE", "UNLOCK-PACKAGE", "SYMBOL-CALL"), (1,)),
    **dict.fromkeys(("FIND-PACKAGE*", "ENSURE-PACKAGE", "PACKAGE-LOCKED-P"), (1,)),
    **dict.fromkeys(("USE-PACKAGE", "UNUSE-PACKAGE"), (1, 2)),
    **dict.fromkeys(("INTERN", "FIND-SYMBOL", "EXPORT", "UNEXPORT", "IMPORT", "SHADOW", "UNINTERN"), (2,)),
    **dict.fromkeys(("SHADOWING-IMPORT", "INTERN*", "FIND-SYMBOL*", "EXPORT*", "IMPORT*"), (2,)),
    **dict.fromkeys(("ADD-PACKAGE-LOCAL-NICKNAME",), (2, 3)),
    **dict.fromkeys(("REMOVE-PACKAGE-LOCAL-NICKNAME",), (2,)),
}
"""The arguments that designate packages, by the names of operators: those of CLHS 11, of SBCL and of UIOP."""
_CALLED_SO = ("PACKAGE", "PACKAGE-DESIGNATOR", "PACKAGE-NAME")
"""Parameters of a program's functions that take packages."""
_OF_LOOP = ("SYMBOL", "SYMBOLS", "PRESENT-SYMBOL", "PRESENT-SYMBOLS", "EXTERNAL-SYMBOL", "EXTERNAL-SYMBOLS")
_ITERATING = ("DO-SYMBOLS", "DO-EXTERNAL-SYMBOLS")
_SYSTEMS = frozenset(
    (
        *("DEFSYSTEM", "LOAD-SYSTEM", "TEST-SYSTEM", "COMPILE-SYSTEM", "FIND-SYSTEM", "QUICKLOAD", "REQUIRE"),
        *(
            "SYSTEM-RELATIVE-PATHNAME",
            "SYSTEM-SOURCE-DIRECTORY",
            "OPERATE",
            "OOS",
            "MAKE",
            "REGISTER-SYSTEM-PACKAGES",
        ),
    )
)
"""Operators whose arguments name systems, which may have the name of the package."""


def package_designators(
    form: Form, walked: WalkedForm, parameters: Callable[[int], Sequence[str]]
) -> Iterator[Atom]:
    """Yield what designates packages in the arguments of a form that is in a walked one.

    ``parameters`` tells the names of the positional parameters of a function, by the number of its symbol.
    """
    operator = _operator(form, walked)
    found: list[Node] = []
    if operator in _DEFINING:
        found += form.items[1:2]
        for option in form.items[2:]:
            key = _operator(option, walked) if isinstance(option, Form) else ""
            found += _of_option(f":{key}", option.items)
    elif operator in _ITERATING and len(form.items) > 1:
        found += form.items[1].items[1:2]
    elif operator == "LOOP":
        found += _of_loop(form.items, walked)
    elif operator in _ARGUMENTS:
        found += [form.items[at] for at in _ARGUMENTS[operator] if at < len(form.items)]
    else:
        found += _of_function(form, parameters)
    for one in found:
        yield from _atoms(one)


def _of_loop(items: Sequence[Node], walked: WalkedForm) -> Iterator[Node]:
    """What follows in ``being the symbols of package`` (CLHS 6.1.2.1.7)."""
    words = [walked.tokens.symbol(one.text) if isinstance(one, Atom) else None for one in items]
    names = [word.name if word is not None else "" for word in words]
    for at, name in enumerate(names[:-2]):
        if name in _OF_LOOP and names[at + 1] in ("OF", "IN"):
            yield items[at + 2]


def _of_function(form: Form, parameters: Callable[[int], Sequence[str]]) -> Iterator[Node]:
    """The arguments of a program's function whose parameters are called like packages."""
    head = form.items[0].value if form.kind == LIST and form.items else None
    is_literal = any(isinstance(one, Atom) and one.text[0] in ':"#' for one in form.items[1:])
    if head is None or head.number is None or not is_literal:
        return
    for argument, name in zip(form.items[1:], parameters(head.number), strict=False):
        if name.upper() in _CALLED_SO:
            yield argument


def features_pushed(form: Form, walked: WalkedForm) -> Iterator[int]:
    """Yield where a form has features: these may have the name of a package, but do not mean it."""
    is_push = _operator(form, walked) in ("PUSH", "PUSHNEW") and len(form.items) > len(("push", "feature"))
    if is_push and form.items[2].word == "*FEATURES*":
        yield form.items[1].start


def _of_option(key: str, items: Sequence[Node]) -> Sequence[Node]:
    rest = items[1:]
    if key in _LISTS:
        return rest
    if key in _SOURCES:
        return rest[:1]
    return [one for pair in rest for one in pair.items[1:2]] if key == _NICKNAMES else []


def _atoms(node: Node) -> Iterator[Atom]:
    if isinstance(node, Atom):
        yield node
    elif node.kind == QUOTE:
        for item in node.items:
            yield from (
                _atoms(item)
                if isinstance(item, Atom)
                else (one for one in item.items if isinstance(one, Atom))
            )


def is_system_definition(form: Form, walked: WalkedForm) -> bool:
    """Whether a form defines a system, and has a name."""
    return _operator(form, walked) == "DEFSYSTEM" and len(form.items) > 1


def system_names(form: Form, walked: WalkedForm) -> Iterator[int]:
    """Yield where the atoms of a form begin that names systems; none if it does not."""
    if _operator(form, walked) in _SYSTEMS:
        yield from (item.start for each in forms_in(form) for item in each.items)


def _operator(form: Form, walked: WalkedForm) -> str:
    """The name of a form's operator, in whatever package: the index need not have it."""
    head = form.items[0] if form.kind == LIST and form.items else None
    token = walked.tokens.symbol(head.text) if isinstance(head, Atom) else None
    return token.name if token is not None else ""
