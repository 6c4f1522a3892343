"""Which arguments of a macro are evaluated unchanged, according to the templates in its definition.

Nothing is expanded. An argument is evaluated if all that the definition does with its parameter is to insert
it, with a comma, where the standard's operators evaluate a form: ``,@body`` in ``(let (..) ,@body)``. A
definition that uses a parameter in any other way may do anything with it, and so may one that binds local
functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ...syntax.features import Features
from ...syntax.lambda_list import LambdaList, read_lambda_list
from ...syntax.names.meanings import Meanings
from ...syntax.nodes import Atom, Form, Node, forms_in
from ...syntax.reader import read
from ...syntax.tokens import Tokens
from ...syntax.walk.files import WALKERS
from ...syntax.walk.forms import Walker
from ...syntax.walk.nodes import AtomNames, heads
from ..world.evaluated import Evaluated
from .evaluating import Evaluating, Expansions

# The operators that bind local functions or macros, whose names a template may take from anywhere.
_BINDING = frozenset(
    {"FLET", "LABELS", "MACROLET", "WITH-HASH-TABLE-ITERATOR", "WITH-PACKAGE-ITERATOR", "&WHOLE"}
)
# LOOP takes its arguments apart.
_EVALUATING = {word: walker for word, walker in WALKERS.items() if word != "LOOP"}
_LEAST_PARTS = 4  # DEFMACRO, the name, the lambda list, and a form


class _Reaching(Evaluating):
    """Walks a template as the code that it makes, up to the commas that stand where a form is evaluated."""

    def __init__(
        self, package: str, meanings: Meanings, walkers: Mapping[str, Walker], expansions: Expansions
    ) -> None:
        super().__init__(package, meanings, walkers, expansions)
        self.open = True
        self.reached: list[int] = []
        """The identities of the commas that stand where a form is evaluated."""

    def unquoted(self, node: Node) -> None:
        """Take down a comma, unless a macro that is not standard is around it."""
        if self.level == 0:
            self.reached.append(id(node))

    def inserted(self, node: Node) -> None:
        """Leave out a comma where no form is evaluated."""

    def told(self) -> tuple[int, ...]:
        """Return the number of commas."""
        return (len(self.reached),)

    def untell(self, told: tuple[int, ...]) -> None:
        """Drop the commas since then."""
        del self.reached[told[0] :]


class Templates:
    """Reads definitions of macros."""

    def __init__(
        self, meanings: Meanings, tokens: Tokens, features: Features, expansions: Expansions
    ) -> None:
        self._meanings = meanings
        self._tokens = tokens
        self._features = features
        self._expansions = expansions

    def evaluated(self, text: str, package: str) -> Evaluated | None:
        """The arguments that a macro evaluates; None if nothing is known of any.

        ``text`` is its definition, and ``package`` the package in which that was read.
        """
        toplevel = next(iter(read(text, self._features)), None)
        node = toplevel.node if toplevel is not None and toplevel.whole else None
        if not isinstance(node, Form) or len(node.items) < _LEAST_PARTS:
            return None
        AtomNames(package, self._meanings, self._tokens).tell(node)
        if not heads(node, "DEFMACRO") or self._name(node.items[2]) is not None:
            return None
        forms = node.items[3:]
        if self._binds_functions(node) or any(_is_nested(one.items[0]) for one in _templates(forms)):
            return None
        parameters = node.items[2]
        assert isinstance(parameters, Form)
        lambda_list = read_lambda_list(text[parameters.start : parameters.end], self._tokens, self._features)
        if lambda_list is None or not lambda_list.regular:
            return None
        return self._of(lambda_list, forms, package)

    def _of(self, lambda_list: LambdaList, forms: Sequence[Node], package: str) -> Evaluated | None:
        reached: set[int] = set()
        for template in _templates(forms):
            walk = _Reaching(package, self._meanings, _EVALUATING, self._expansions)
            walk.walk(template.items[0])
            reached.update(walk.reached)

        def is_evaluated(written: str) -> bool:
            name = self._name_of(written)
            uses = [] if name is None else list(self._uses(name, forms))
            return bool(uses) and all(id(one) in reached for one in uses)

        return _parts(lambda_list, is_evaluated)

    def _uses(self, name: str, forms: Sequence[Node]) -> Iterator[Node]:
        """The commas before a variable; the variable itself where there is no comma before it."""
        rest = list(forms)
        while rest:
            node = rest.pop()
            if isinstance(node, Atom):
                if self._name(node) == name:
                    yield node
            elif node.kind == "," and self._name(node.items[0]) == name:
                yield node
            elif not heads(node, "DECLARE"):
                rest += node.items

    def _name(self, node: Node) -> str | None:
        return self._name_of(node.text) if isinstance(node, Atom) else None

    def _name_of(self, written: str) -> str | None:
        token = self._tokens.symbol(written)
        return token.name if token is not None else None

    def _binds_functions(self, node: Form) -> bool:
        atoms = (item for form in forms_in(node) for item in form.items if isinstance(item, Atom))
        return any(self._name(atom) in _BINDING for atom in atoms)


def _templates(forms: Sequence[Node]) -> Iterator[Form]:
    """The outermost backquoted forms."""
    rest = list(forms)
    while rest:
        node = rest.pop()
        if isinstance(node, Form):
            if node.kind == "`":
                yield node
            else:
                rest += node.items


def _is_nested(node: Node) -> bool:
    """Whether there is a backquoted form in a backquoted form, other than after a comma."""
    rest = [node]
    while rest:
        one = rest.pop()
        if isinstance(one, Form) and one.kind != ",":
            if one.kind == "`":
                return True
            rest += one.items
    return False


def _parts(lambda_list: LambdaList, is_evaluated: Callable[[str], bool]) -> Evaluated | None:
    """The evaluated parts of what a lambda list takes; None if there are none."""
    positions, inner = set(), {}
    for at, one in enumerate(lambda_list.positional):
        if one.inner is None:
            positions.update([at] if is_evaluated(one.name) else [])
        elif (parts := _parts(one.inner, is_evaluated)) is not None:
            inner[at] = parts
    rest, last = None, lambda_list.rest
    if last is not None and last.inner is None and lambda_list.takes_anything_more:
        rest = len(lambda_list.positional) if is_evaluated(last.name) else None
    if not positions and not inner and rest is None:
        return None
    return Evaluated(frozenset(positions), rest, inner)
