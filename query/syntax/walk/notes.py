"""The walk that records what it meets: occurrences of symbols, bindings of local names and their uses.

In all files, symbols count that have a definition or are exported; a keyword counts only where it is an
initarg, and the name of a slot only where slots are named. In the project's own files every other name of the
index counts too that is not local.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..names.defined import defined_name
from ..names.meanings import FUNCTION, MACRO, SPECIAL_OPERATOR, Meanings, Symbol
from ..nodes import Form
from .forms import MENTIONS, NAMES, Walk, Walker, is_symbol_macro
from .nodes import KEYWORD, SYMBOL, Node, UnfitArguments
from .results import BLOCK, Binding, LeveledBinding, LocalUse, Occurrence, Walked, WalkedDefinition

MadeByForms = Mapping[int, Collection[int]]
"""The numbers of the symbols that a file defines, by the offsets of the forms that do so."""
_OF_TEMPLATES = frozenset(("instantiates", "handles", "tests", "declares", "inherits"))
"""The relations that a backquoted form has as code would; what else it mentions is merely named."""


class Noting(Walk):
    """Records each place only once: the first event of a place knows best what it is for."""

    def __init__(
        self, package: str, meanings: Meanings, walkers: Mapping[str, Walker], made: MadeByForms, *, own: bool
    ) -> None:
        """``own`` is whether the file is one of the project's."""
        super().__init__(package, meanings, walkers)
        self._own = own
        self._made_at = made
        self._seen: set[int] = set()
        """Where the nodes begin that have been met."""
        self._occurrences: list[Occurrence] = []
        self._bindings: list[Binding] = []
        self._uses: list[LocalUse] = []
        self._implicit: set[Binding] = set()
        self._definitions: dict[int, WalkedDefinition] = {}
        """The definitions by the starts of their names."""
        self._data: set[int] = set()
        """Where symbols begin that are noted as parts of data."""
        self._slots: set[int] = set()
        self._captured: set[int] = set()
        self._defined: dict[Symbol, None] = {}
        """The functions that the toplevel form defines and the index does not know."""

    def walked(self, root: Node) -> Walked:
        """Walk a form, and return what was taken down, with mentions of all symbols that no walk has met."""
        self.walk(root)
        rest = [root]
        while rest:
            one = rest.pop()
            if one.kind in (SYMBOL, KEYWORD):
                self.note(one, MENTIONS)
            elif one.items:
                rest += one.items
        return self.taken()

    def taken(self) -> Walked:
        """Return what was taken down, in the order of the text."""
        return Walked(
            tuple(sorted(self._occurrences, key=_start)),
            tuple(sorted(self._bindings, key=_start)),
            tuple(sorted(self._uses, key=_start)),
            tuple(sorted(self._definitions.values(), key=_start)),
            frozenset(self._data),
            frozenset(self._slots),
            frozenset(self._captured),
        )

    # Calls

    def compound(self, form: Form) -> None:
        """Note the name of a definition that the form makes, or seems to, if it is its second element."""
        made = self._made_at.get(form.start)
        seems = self._seems_to_define(form.items[0])
        name = _named(form) if made is not None or seems else None
        if name is not None and name.symbol is not None:
            is_made = made is not None and name.symbol.number in made
            if is_made or seems:
                self._define(name, form)
            if is_made:
                self.note(name, "defines")
        super().compound(form)

    def _seems_to_define(self, head: Node) -> bool:
        """Whether an operator that is not the standard's may define something, by its name."""
        symbol = head.symbol
        named = symbol is not None and symbol.name[:3].upper() == "DEF" and head.word not in self.walkers
        return named and head.facts.operator != FUNCTION and symbol not in self.functions

    def _define(self, name: Node, form: Node) -> None:
        """Take down a definition, whose form is the innermost around the name."""
        if name.symbol is not None and not self.template and name.start not in self._definitions:
            head = form.items[0].symbol
            is_named = isinstance(form, Form) and _named(form) is name and head is not None
            macro = head.name if is_named and head is not None else ""
            self._definitions[name.start] = WalkedDefinition(
                name.start, name.end - name.start, name.symbol, macro, form.start, form.end
            )

    def calls(self, form: Form, head: Node, arguments: list[Node]) -> None:
        """Note the operator. In a macro, a list without an operator may be a variable with its value."""
        self.note_if_certain(head, self._relation(head))
        if head.word not in self.walkers and not self.certain and head.facts.operator is None:
            self.doubt(head)

    def _relation(self, head: Node) -> str:
        if head.word == "DECLARE":
            return "declares"
        symbol, operator = head.symbol, head.facts.operator
        if symbol is None or (symbol.number is None and not self.is_defined(symbol)):
            return "calls" if head.word in self.walkers else "references"
        if operator == SPECIAL_OPERATOR:
            return "calls"
        return "macroexpands" if operator == MACRO else "calls"

    def defines_function(self, node: Node) -> None:
        """Remember a function that the index does not know."""
        if node.symbol is not None and node.symbol.number is None:
            self._defined[node.symbol] = None

    def is_defined(self, symbol: Symbol) -> bool:
        """Whether the form around defines a function of this name."""
        return symbol in self._defined

    def evaluates(self, node: Node) -> None:
        """Note a variable; a symbol that is not a variable is only mentioned."""
        if self.template and node.facts.variable is None:
            self._captured.add(node.start)
        self.note(node, "references" if node.facts.variable is not None else MENTIONS)

    def sets(self, node: Node) -> None:
        """Note a variable that is set."""
        if node.symbol is not None and node.facts.always_global:
            self.note_if_certain(node, "sets")
        else:
            self.note(node, "sets" if is_symbol_macro(node) else MENTIONS)

    # Names

    def note(self, node: Node | None, relation: str, operator: str | None = None) -> None:
        """Note the symbol that a node names, if it is indexed."""
        if relation == "defines" and node is not None:
            self._define(node, self.form)
        if node is None or node.kind not in (SYMBOL, KEYWORD) or node.start in self._seen:
            return
        if self.template and relation not in _OF_TEMPLATES:
            return
        if node.value is not None and self._is_indexed(node, node.value):
            self._seen.add(node.start)
            self._add(node, node.value, relation, operator)
        elif not self.template:
            self._seen.add(node.start)

    def _is_indexed(self, node: Node, symbol: Symbol) -> bool:
        """Whether a symbol is indexed everywhere, or here."""
        if node.kind == SYMBOL and node.facts.indexed:
            return True
        return self._own and symbol.number is not None and symbol not in self.variables

    def note_if_certain(self, node: Node, relation: str) -> None:
        """Note a symbol in this relation, or as a mention where the relation is not certain."""
        self.note(node, relation if self.certain else MENTIONS)

    def note_accessor(self, head: Node, *, changed: bool) -> None:
        """Note the accessor of a place that is written to; one that is ``changed`` is read first: a call."""
        operator = "SETF" if head.facts.setf_operator else None
        self.note(head, NAMES, operator)
        if changed and operator and not self.template and head.facts.indexed and head.value is not None:
            read = "macroexpands" if head.facts.operator == MACRO else "calls"
            self._add(head, head.value, read if self.certain else MENTIONS, None)

    def note_slot(self, node: Node | None) -> None:
        """Note the name of a slot, indexed or not."""
        if node is not None and not node.word.startswith(":"):
            self._slots.add(node.start)
            self.note_initarg(node)

    def note_initarg(self, node: Node) -> None:
        """Note an initarg, indexed or not."""
        symbol = node.symbol
        if symbol is None or symbol.number is None or self.template or node.start in self._seen:
            return
        self._seen.add(node.start)
        self._add(node, symbol, NAMES, None)

    def note_designated(self, node: Node, package: str | None, relation: str) -> None:
        """Note the symbol of a package that a symbol of any kind, or a string, designates."""
        if node.name is not None and package is not None:
            symbol = self.meanings.designated(node.name, package)
            if symbol is not None and self.meanings.facts(symbol).indexed:
                if not self.template and node.start not in self._seen:
                    self._seen.add(node.start)
                    self._add(node, symbol, relation, None)
                return
        self.note(node, relation)

    def note_datum(self, node: Node) -> None:
        """Note a symbol that is a part of data."""
        if not self.template and node.start not in self._seen:
            self._data.add(node.start)
        self.note(node, MENTIONS)

    def skip(self, node: Node | None) -> None:
        """Leave out a node that names nothing global."""
        if node is None:
            raise UnfitArguments
        if not self.template:
            self._seen.add(node.start)

    def _add(self, node: Node, symbol: Symbol, relation: str, operator: str | None) -> None:
        self._occurrences.append(Occurrence(node.start, node.end - node.start, symbol, operator, relation))

    # Local names

    def bound(self, node: Node, kind: str, form: Node) -> Binding:
        """Note the place where ``form`` binds a local name."""
        binding = _binding(node, kind, form)
        self._bindings.append(binding)
        return binding

    def bound_implicitly(self, node: Node, form: Node) -> Binding:
        """Make the block of a definition, which is noted if something returns from it."""
        binding = _binding(node, BLOCK, form)
        self._implicit.add(binding)
        return binding

    def use(self, node: Node, entry: LeveledBinding | None) -> None:
        """Note a use of a local name; without an entry, its binding is unknown."""
        binding = None
        if entry is not None and self.certain and entry[1] == self.level:
            binding = entry[0]
            if binding in self._implicit:
                self._implicit.discard(binding)
                self._bindings.append(binding)
        self._uses.append(LocalUse(node.start, node.end - node.start, binding))

    def doubt(self, node: Node) -> None:
        """Note a name that may or may not be one that is bound outside of a macro."""
        if node.symbol in self.variables or node.symbol in self.functions:
            self._uses.append(LocalUse(node.start, node.end - node.start, None))

    def told(self) -> tuple[int, ...]:
        """Return the numbers of bindings, uses and definitions."""
        return len(self._bindings), len(self._uses), len(self._defined), len(self._definitions)

    def untell(self, told: tuple[int, ...]) -> None:
        """Drop what was found since: a form is not what it seemed to be."""
        bindings, uses, defined, definitions = told
        self._implicit.update(one for one in self._bindings[bindings:] if one.kind == BLOCK)
        del self._bindings[bindings:]
        del self._uses[uses:]
        for symbol in list(self._defined)[defined:]:
            del self._defined[symbol]
        for start in list(self._definitions)[definitions:]:
            del self._definitions[start]

    def forget(self, first: tuple[int, ...], last: tuple[int, ...], form: Node) -> None:
        """Forget which bindings the uses between two moments mean that may mean others elsewhere."""
        names = {one.name for one in self._bindings[: last[0]] if one.form_start == form.start}
        names |= {one.name for one in self._bindings[last[0] :]}
        for at in range(first[1], last[1]):
            use = self._uses[at]
            if use.binding is not None and use.binding.name in names:
                self._uses[at] = LocalUse(use.start, use.length, None)


def _named(form: Form) -> Node | None:
    """What a form defines, if it defines its second element."""
    return defined_name(form.items[1], told=True)[0] if len(form.items) > 1 else None


def _binding(node: Node, kind: str, form: Node) -> Binding:
    name = node.symbol.name if node.symbol is not None else node.text
    return Binding(node.start, node.end - node.start, name, kind, form.start, form.end)


def _start(found: Occurrence | Binding | LocalUse | WalkedDefinition) -> int:
    return found.start
