"""The walk that finds what a text does with a slot."""

from __future__ import annotations

from typing import NamedTuple

from ...syntax.names.meanings import Meanings, Symbol
from ...syntax.nodes import Form, Node
from ...syntax.walk.files import WALKERS
from ...syntax.walk.forms import NAMES, Walk
from ...syntax.walk.nodes import KEYWORD, LIST, QUOTE, SYMBOL, heads, part
from ...syntax.walk.results import Binding, LeveledBinding
from .family import Family

DEFINES, OVERRIDES, INITIALIZES, READS, WRITES, CHANGES, TESTS, BINDS, SPECIALIZES = RELATIONS = (
    *("defines", "overrides", "initializes", "reads", "writes", "changes", "tests", "binds", "specializes"),
)
"""What a place does with a slot, in the order in which they are shown."""
_SLOT_FUNCTIONS = {
    "SLOT-VALUE": READS,
    "SLOT-BOUNDP": TESTS,
    "SLOT-EXISTS-P": TESTS,
    "SLOT-MAKUNBOUND": WRITES,
}
_DEFINING_CLASSES = ("DEFCLASS", "DEFINE-CONDITION", "DEFSTRUCT")
_WITH_CLASS_FIRST = ("MAKE-INSTANCE", "MAKE-CONDITION", "ERROR", "SIGNAL", "WARN")
_WITH_OBJECT_FIRST = ("REINITIALIZE-INSTANCE", "CHANGE-CLASS")


class FoundPlace(NamedTuple):
    """A place in a text that has to do with a slot; ``start`` counts characters of the text from 0."""

    start: int
    length: int
    relation: str
    via: Symbol | str
    perhaps: bool


class SlotWalk(Walk):
    """A walk through one toplevel form that records what the form does with the slot of a family."""

    def __init__(self, package: str, meanings: Meanings, family: Family) -> None:
        super().__init__(package, meanings, WALKERS)
        self._family = family
        self.found: dict[int, FoundPlace] = {}
        """The places by their starts."""
        self._classes: dict[int, int] = {}
        """The classes of variables, by the start of what binds these."""
        self._aliases: dict[int, tuple[Symbol | str, bool]] = {}
        """The variables that stand for the slot, by the start of what binds these; whether that is sure."""
        self._set: set[int] = set()
        """Where local variables are set."""
        self._place: Node | None = None
        """The place that is written to."""
        self._default_initargs: dict[int, int] = {}
        """The initargs in class options, by their starts, with their classes."""

    # What is evaluated

    def calls(self, form: Form, head: Node, arguments: list[Node]) -> None:
        """Take down calls of accessors, constructors and what takes the name of a slot."""
        word = head.word
        if word in _SLOT_FUNCTIONS:
            self._slot_function(arguments, _SLOT_FUNCTIONS[word], head.text.lower())
        elif word in ("WITH-SLOTS", "WITH-ACCESSORS"):
            self._binding(word, arguments)
        elif word == "DEFMETHOD":
            self._specialized(arguments)
        elif word in ("LET", "LET*"):
            self._initialized(arguments)
        elif word in _DEFINING_CLASSES:
            self._class_options(arguments)
        elif head.symbol is not None and head.symbol.number in self._family.constructors:
            self._constructor(head, head.symbol, arguments)
        elif self._is_accessor(head, None):
            self._add(head, READS, head.symbol, self._object_of_accessor(head, part(arguments, 0)))
        elif word not in (*_WITH_CLASS_FIRST, *_WITH_OBJECT_FIRST, "CERROR"):
            self._passed_on(arguments)

    def _passed_on(self, arguments: list[Node]) -> None:
        """Take down initargs after the quoted name of a class, with which a function may make an instance."""
        classes = (at for at, one in enumerate(arguments) if self._names_class(one))
        for one in arguments[next(classes, len(arguments)) + 1 :: 2]:
            if one.kind == KEYWORD and one.symbol is not None and one.symbol.number in self._family.initargs:
                self._add(one, INITIALIZES, one.symbol, perhaps=True)

    def _names_class(self, node: Node) -> bool:
        named = _quoted_symbol(node)
        return named is not None and named.number in self._family.classes

    def changes(self, place: Form, form: Node) -> None:
        """Remember the place that is written to, whose accessor comes next."""
        self._place = place

    def note_accessor(self, head: Node, *, changed: bool) -> None:
        """Take down a place that is written to."""
        relation = CHANGES if changed else WRITES
        arguments = self._place.items[1:] if self._place is not None else []
        if head.word == "SLOT-VALUE":
            self._slot_function(arguments, relation, head.text.lower())
        elif self._is_accessor(head, "SETF"):
            self._add(head, relation, head.symbol, self._object_of_accessor(head, part(arguments, 0)))

    def names_function(self, node: Node, form: Node) -> None:
        """Take down an accessor that is passed on."""
        if self._is_accessor(node, None):
            self._add(node, READS, node.symbol, self._object_of_accessor(node, None))

    def sets_local(self, node: Node) -> None:
        """Remember where a local variable is set."""
        self._set.add(node.start)

    def use(self, node: Node, entry: LeveledBinding | None) -> None:
        """Take down the use of a variable that stands for the slot."""
        if entry is not None and (alias := self._aliases.get(entry[0].start)) is not None:
            self._add(node, WRITES if node.start in self._set else READS, alias[0], alias[1])

    def bound(self, node: Node, kind: str, form: Node) -> Binding:
        """Return the place of a local name; a constructor's variable initializes the slot."""
        if (
            heads(form, "DEFSTRUCT")
            and self._is_slot(node)
            and self._class_defined(form) in self._family.classes
        ):
            self._add(node, INITIALIZES, "defstruct", perhaps=False)
        return Binding(node.start, node.end - node.start, node.text, kind, 0, 0)

    # What names something

    def note(self, node: Node | None, relation: str, operator: str | None = None) -> None:
        """Take down names of accessors: in definitions, quoted, or after ``(function (setf ..))``."""
        if node is None or not self._is_accessor(node, operator):
            return
        if relation == "defines":
            self._defined(node)
        elif (
            relation == NAMES
            and heads(self.form, "WITH-ACCESSORS")
            and node.start in self._names_of_accessors()
        ):
            self._add(node, BINDS, node.symbol, self._object_of_accessor(node, part(self.form.items, 2)))
        elif relation == NAMES and not self.template:
            relation = WRITES if operator else READS
            self._add(node, relation, node.symbol, self._object_of_accessor(node, None))

    def note_slot(self, node: Node | None) -> None:
        """Take down the name of a slot where one is bound or defined."""
        if node is None or not self._is_slot(node):
            return
        head = self.form.items[0].word if self.form.items else ""
        if head == "WITH-SLOTS":
            self._add(node, BINDS, "with-slots", self._object(part(self.form.items, 2)))
        elif head in _DEFINING_CLASSES:
            of = self._class_defined(self.form)
            if of in self._family.classes:
                relation = DEFINES if of in self._family.topmost else OVERRIDES
                self._add(node, relation, head.lower(), perhaps=False)

    def note_initarg(self, node: Node) -> None:
        """Take down an initarg."""
        family, symbol = self._family, node.symbol
        if symbol is None or symbol.number not in family.initargs:
            return
        head = self.form.items[0].word if self.form.items else ""
        if head in _WITH_CLASS_FIRST or head == "CERROR":
            made = _quoted_symbol(part(self.form.items, 2 if head == "CERROR" else 1))
            self._initializes(node, made.number if made is not None else None)
        elif head in _WITH_OBJECT_FIRST:
            self._add(node, INITIALIZES, symbol, self._object(part(self.form.items, 1)))
        elif node.start in self._default_initargs:
            self._initializes(node, self._default_initargs[node.start])

    def _initializes(self, node: Node, of: int | None) -> None:
        """Take down an initarg for an instance of a class, if that has the slot, or may have."""
        if of is None or of in self._family.classes:
            self._add(node, INITIALIZES, node.symbol, perhaps=of is None)

    # Parts of forms

    def _slot_function(self, arguments: list[Node], relation: str, via: str) -> None:
        named = part(arguments, 1)
        if named is not None and named.kind == QUOTE and self._is_slot(named.items[0]):
            self._add(named.items[0], relation, via, self._object(arguments[0]))

    def _binding(self, word: str, arguments: list[Node]) -> None:
        """Remember the variables that stand for the slot."""
        for one in arguments[0].items if arguments and arguments[0].kind == LIST else ():
            variable, named = (one, one) if one.kind == SYMBOL else (part(one.items, 0), part(one.items, 1))
            if variable is None or named is None:
                continue
            if word == "WITH-SLOTS":
                perhaps = self._object(part(arguments, 1)) if self._is_slot(named) else None
                via: Symbol | str | None = "with-slots"
            else:
                is_ours = self._is_accessor(named, None)
                perhaps = self._object_of_accessor(named, part(arguments, 1)) if is_ours else None
                via = named.symbol
            if perhaps is not None and via is not None:
                self._aliases[variable.start] = via, perhaps

    def _names_of_accessors(self) -> set[int]:
        """Where WITH-ACCESSORS names accessors."""
        bindings = part(self.form.items, 1)
        return {one.items[1].start for one in _lists(bindings) if len(one.items) > 1}

    def _specialized(self, arguments: list[Node]) -> None:
        """Remember the classes of the parameters of a method."""
        lambda_list = next((one for one in arguments[1:] if one.kind == LIST), None)
        for one in _lists(lambda_list):
            of = part(one.items, 1)
            if (
                of is not None
                and of.kind == SYMBOL
                and of.symbol is not None
                and of.symbol.number is not None
            ):
                self._classes[one.items[0].start] = of.symbol.number

    def _initialized(self, arguments: list[Node]) -> None:
        """Remember the classes of variables that are bound to a new instance."""
        for one in _lists(part(arguments, 0)):
            if len(one.items) == 2 and (of := self._class_of(one.items[1])) is not None:
                self._classes[one.items[0].start] = of

    def _class_options(self, arguments: list[Node]) -> None:
        """Remember the default initargs of a class."""
        named = part(arguments, 0)
        number = named.symbol.number if named is not None and named.symbol is not None else None
        for option in arguments[3:] if number is not None else ():
            if option.kind == LIST and option.items and option.items[0].word == ":DEFAULT-INITARGS":
                self._default_initargs |= dict.fromkeys(
                    (one.start for one in option.items[1::2]), number or 0
                )

    def _constructor(self, head: Node, symbol: Symbol, arguments: list[Node]) -> None:
        """Take down the keyword of the slot in a call of a constructor, or one that has it by position."""
        ordered = self._family.by_position.get(symbol.number or 0, [])
        if self._family.name in ordered[: len(arguments)]:
            self._add(head, INITIALIZES, symbol, perhaps=False)
        for one in arguments[len(ordered) :: 2]:
            if one.kind == KEYWORD and one.name == self._family.name:
                self._add(one, INITIALIZES, symbol, perhaps=False)

    def _class_defined(self, form: Node) -> int | None:
        """The class that a form defines."""
        named = part(form.items, 1)
        if named is not None and named.kind == LIST:
            named = part(named.items, 0)
        return named.symbol.number if named is not None and named.symbol is not None else None

    def _defined(self, node: Node) -> None:
        """Take down a method of an accessor, or its name in the definition of the slot."""
        if heads(self.form, "DEFMETHOD"):
            classes = [
                self._classes[one.items[0].start]
                for one in self._parameters()
                if one.items[0].start in self._classes
            ]
            if any(one in self._family.classes for one in classes):
                self._add(node, SPECIALIZES, node.symbol, perhaps=False)
        elif self._class_defined(self.form) in self._family.classes or heads(self.form, "DEFGENERIC"):
            self._add(node, DEFINES, node.symbol, perhaps=False)

    def _parameters(self) -> list[Node]:
        lambda_list = next((one for one in self.form.items[2:] if one.kind == LIST), None)
        return [one for one in _lists(lambda_list) if one.items]

    # Of which class objects are

    def _is_slot(self, node: Node) -> bool:
        if self._family.is_structure:
            return node.kind == SYMBOL and node.name == self._family.name
        return node.symbol is not None and node.symbol.number == self._family.symbol

    def _is_accessor(self, node: Node, operator: str | None) -> bool:
        """Whether a node names a reader, or with an ``operator`` a writer, which structures lack."""
        number = node.symbol.number if node.symbol is not None else None
        if number is None or number not in self._family.accessors:
            return False
        return self._family.is_structure or (number, operator) in self._family.functions

    def _object(self, node: Node | None) -> bool | None:
        """Whether the object may be of another class with such a slot; None if it is of such a class."""
        of = self._class_of(node) if node is not None else None
        if of in self._family.classes:
            return False
        if of in self._family.others:
            return None
        return bool(self._family.others)

    def _object_of_accessor(self, accessor: Node, node: Node | None) -> bool | None:
        """The same for the argument of an accessor, which other classes may share."""
        number = accessor.symbol.number if accessor.symbol is not None else None
        others = self._family.shared.get(number or 0)
        if not others:
            return False
        of = self._class_of(node) if node is not None else None
        if of in self._family.classes:
            return False
        return None if of in others else True

    def _class_of(self, node: Node) -> int | None:
        """The class of what a form evaluates to, as far as the text tells."""
        if node.kind == SYMBOL:
            entry = self.variables.get(node.symbol) if node.symbol is not None else None
            return self._classes.get(entry[0].start) if entry is not None else None
        if node.kind != LIST or not node.items:
            return None
        head = node.items[0]
        if head.word == "THE" and len(node.items) > 2 and node.items[1].symbol is not None:
            return node.items[1].symbol.number
        if head.word in ("MAKE-INSTANCE", "MAKE-CONDITION"):
            made = _quoted_symbol(part(node.items, 1))
            return made.number if made is not None else None
        number = head.symbol.number if head.symbol is not None else None
        return self._family.constructors.get(number) if number is not None else None

    def _add(self, node: Node, relation: str, via: Symbol | str | None, perhaps: bool | None) -> None:
        """Take down a place, unless another event has told of it, or it is about another class."""
        if perhaps is not None and via is not None and node.start not in self.found:
            self.found[node.start] = FoundPlace(node.start, node.end - node.start, relation, via, perhaps)


def _lists(node: Node | None) -> list[Node]:
    """The lists in a list that have at least one element."""
    return [one for one in node.items if one.kind == LIST and one.items] if node is not None else []


def _quoted_symbol(node: Node | None) -> Symbol | None:
    """The symbol that a node quotes."""
    is_quoted = node is not None and node.kind == QUOTE and bool(node.items)
    return node.items[0].symbol if node is not None and is_quoted else None
