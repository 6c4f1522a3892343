"""The meanings of symbols: functions and macros with their lambda lists, variables, deprecations."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...index.reading import Reading
from ...syntax.features import Features
from ...syntax.lambda_list import read_lambda_list
from ...syntax.tokens import Tokens
from .. import sql
from ..declare.declarations import Declarations, DeclaredDefinition
from ..declare.definition_forms import INCLUDING, UNKNOWN
from ..declare.lost import NOTHING_LOST, Lost
from .call_shape import CallShape, call_shape
from .classes import Initargs
from .indexed import WorldSymbol, indexed_packages
from .packages import World, WorldPackage

FUNCTION, MACRO, SPECIAL = "function", "macro", "special-operator"
_OPERATORS = {"function": FUNCTION, "generic-function": FUNCTION, "macro": MACRO, "special-operator": SPECIAL}
_CLASSES = ("class", "structure", "condition")
# Definitions for SBCL's compiler, which need no function of the name.
_OF_THE_COMPILER = ("declaration", "vop", "transform", "optimizer", "source-transform", "ir1-convert")
_MOST_SHAPES = 20_000
_VARIABLES = ("variable", "constant", "symbol-macro")


@dataclass(frozen=True, slots=True)
class Deprecation:
    """A deprecation: since when, and what to use instead, if known."""

    state: str
    since: str | None
    replacement: str | None


class SymbolMeaning:
    """The meaning of one symbol."""

    __slots__ = (
        "anything",
        "calls",
        "deprecated",
        "deprecated_variable",
        "generic",
        "is_class",
        "is_type",
        "kind",
        "maybe",
        "settable",
        "variable",
    )

    def __init__(self) -> None:
        self.kind: str | None = None
        """function, macro or special-operator; None if it names no operator."""
        self.calls: CallShape | None = None
        """The shape of its calls; None if unknown."""
        self.variable = False
        self.maybe = False
        """Whether an unknown form may define it."""
        self.deprecated: Deprecation | None = None
        self.deprecated_variable: Deprecation | None = None
        self.generic = False
        self.is_class = False
        self.is_type = False
        """Whether DEFTYPE defines it."""
        self.settable = False
        """Whether it heads a place that SETF can set."""
        self.anything = False
        """Whether there is a definition of any kind."""


class Operators:
    """Looks up the meanings of symbols, each once, in the index and in the files, which take precedence."""

    def __init__(
        self,
        index: Reading,
        declarations: Declarations,
        world: World,
        tokens: Tokens,
        features: Features,
        lost: Lost = NOTHING_LOST,
    ) -> None:
        self._index = index
        self._lost = lost
        self._world = world
        self._tokens = tokens
        self._features = features
        self._meanings: dict[WorldSymbol, SymbolMeaning] = {}
        self._declared: dict[WorldSymbol, list[DeclaredDefinition]] = {}
        self._slots: frozenset[str] | None = None
        self._shapes = indexed_packages(index).shapes
        self.initargs = Initargs(index, declarations, self._shape)
        standard: dict[tuple[str, str], bool] = {}
        for definition in declarations.definitions:
            package = world.package(definition.package)
            found = world.find(package, definition.name) if package is not None else None
            if package is None or found is None or definition.kind == INCLUDING:
                continue
            # A file does not define the standard's functions: it must really be read in another package.
            foreign = found[0].home == "COMMON-LISP" and package.name == "COMMON-LISP-USER"
            if not (foreign and definition.kind in _OPERATORS):
                maker = definition.operator, definition.package
                if maker not in standard:
                    standard[maker] = self._standard(definition, package, world)
                certain = definition.settled and standard[maker]
                kept = definition if certain else _of_a_kind_unknown(definition)
                self._declared.setdefault(found[0], []).append(kept)

    def _standard(self, definition: DeclaredDefinition, package: WorldPackage, world: World) -> bool:
        """Whether the defining macro is the standard's or SB-EXT's, and not another of the same name."""
        token = self._tokens.symbol(definition.operator)
        maker = world.symbol(token, package) if token is not None else None
        return maker is not None and maker.home in ("COMMON-LISP", "SB-EXT")

    def meaning(self, symbol: WorldSymbol) -> SymbolMeaning:
        """The meaning of ``symbol``."""
        try:
            return self._meanings[symbol]
        except KeyError:
            meaning = self._meanings[symbol] = self._looked_up(symbol)
            return meaning

    def is_declared(self, symbol: WorldSymbol) -> bool:
        """Whether the files define it in any way."""
        return symbol in self._declared

    def declared_macro(self, symbol: WorldSymbol) -> DeclaredDefinition | None:
        """The only definition of ``symbol`` in the files, if it is a macro whose text is known."""
        found = self._declared.get(symbol, ())
        return found[0] if len(found) == 1 and found[0].settled and found[0].text is not None else None

    def lost_from(self, symbol: WorldSymbol) -> str | None:
        """The path in the index of the file that lost a definition of ``symbol``; None if none did."""
        return self._lost.symbols.get(symbol.number) if symbol.number is not None else None

    def _looked_up(self, symbol: WorldSymbol) -> SymbolMeaning:
        meaning = SymbolMeaning()
        methods: list[CallShape] = []
        if symbol.number is not None:
            found = self._index.remembered(sql.DEFINITIONS, symbol=symbol.number)
            gone = self._lost.definitions
            rows = [row for row in map(sql.KnownDefinitionRow._make, found) if row.definition not in gone]
            for row in rows:
                self._take_row(meaning, methods, row)
            meaning.maybe = meaning.kind is None and self._was_there(symbol.number, rows)
        declared = self._declared.get(symbol)
        if declared:
            self._take_declared(meaning, methods, declared)
        if self.lost_from(symbol) is None:
            meaning.maybe |= self._world.is_inherited_accessor(symbol.home, symbol.name)
        if meaning.generic and meaning.calls is not None:
            meaning.calls = meaning.calls.with_keywords_of(methods)
        return meaning

    def _was_there(self, symbol: int, rows: list[sql.KnownDefinitionRow]) -> bool:
        """Whether the compiler knew what to do with calls of what is neither a function nor a macro now."""
        if symbol in self._lost.symbols:
            return False
        if any(row.kind in _OF_THE_COMPILER for row in rows):
            return True
        return bool(self._index.remembered(sql.EXPANDED, symbol=symbol))

    def _take_row(
        self, meaning: SymbolMeaning, methods: list[CallShape], row: sql.KnownDefinitionRow
    ) -> None:
        meaning.anything = True
        deprecation = None
        if row.deprecated is not None:
            deprecation = Deprecation(row.deprecated, row.deprecated_since, row.replacement)
        if row.kind in _VARIABLES:
            meaning.variable = True
            meaning.deprecated_variable = deprecation or meaning.deprecated_variable
        meaning.settable |= row.operator == "SETF" or row.kind == "setf-expander"
        if row.operator is not None:
            return
        meaning.is_class |= row.kind in _CLASSES
        meaning.is_type |= row.kind == "type"
        if row.kind == "method":
            methods += filter(None, [self._shape(row.arglist)])
        elif row.kind in _OPERATORS:
            meaning.kind = _OPERATORS[row.kind]
            meaning.generic = row.kind == "generic-function"
            meaning.calls = self._shape(row.arglist)
            meaning.deprecated = deprecation or meaning.deprecated

    def _take_declared(
        self, meaning: SymbolMeaning, methods: list[CallShape], declared: list[DeclaredDefinition]
    ) -> None:
        """Apply the definitions in the files, which are newer than the index, as far as they agree."""
        meaning.anything = True
        callable_ = [one for one in declared if one.kind in _OPERATORS]
        methods += filter(None, [self._shape(one.arglist) for one in declared if one.kind == "method"])
        meaning.variable |= any(one.kind in _VARIABLES for one in declared)
        meaning.maybe |= any(one.kind == UNKNOWN for one in declared)
        meaning.is_class |= any(one.kind in _CLASSES for one in declared)
        meaning.is_type |= any(one.kind == "type" for one in declared)
        # What a slot defines may be an accessor.
        meaning.settable |= any(one.kind.startswith("setf-") or one.variant == "slot" for one in declared)
        if not callable_:
            if meaning.kind is None and methods:  # a method implies its generic function (CLHS 7.6.1)
                meaning.kind = FUNCTION
            return
        shapes = {self._with_inherited_slots(one, meaning.calls) for one in callable_}
        meaning.kind = _OPERATORS[callable_[-1].kind]
        meaning.generic = callable_[-1].kind == "generic-function"
        meaning.calls = shapes.pop() if len(shapes) == 1 else None

    def _with_inherited_slots(self, one: DeclaredDefinition, indexed: CallShape | None) -> CallShape | None:
        """The shape of calls of a definition; the index knows the slots that a structure includes.

        Those that the files have added since may be in any structure.
        """
        shape = self._shape(one.arglist)
        if one.variant != "slot" or shape is None or not shape.other_keywords:
            return shape
        if indexed is None or indexed.keywords is None or indexed.other_keywords:
            return shape
        if self._slots is None:
            made = (two for found in self._declared.values() for two in found if two.variant == "slot")
            known = (self._shape(two.arglist) for two in made)
            self._slots = frozenset().union(*(two.keywords or () for two in known if two is not None))
        return replace(indexed, keywords=indexed.keywords | self._slots)

    def _shape(self, text: str | None) -> CallShape | None:
        """The shape of calls for a lambda list as written; None if it is unknown."""
        if not text:
            return None
        if text in ("()", "NIL"):
            return CallShape(0, text="()")
        if text not in self._shapes:
            if len(self._shapes) >= _MOST_SHAPES:
                self._shapes.clear()
            found = read_lambda_list(text, self._tokens, self._features)
            self._shapes[text] = None if found is None else call_shape(found, text)
        return self._shapes[text]


def _of_a_kind_unknown(definition: DeclaredDefinition) -> DeclaredDefinition:
    """The definition as if an unknown macro made it, which may define anything."""
    if definition.kind == UNKNOWN and definition.arglist is None:
        return definition
    return replace(definition, kind=UNKNOWN, arglist=None)
