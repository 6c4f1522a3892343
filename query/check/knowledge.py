"""The facts that all files of a check are judged by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..index.meanings import IndexMeanings
from ..syntax.features import Features
from ..syntax.texts import ReadTexts
from ..syntax.tokens import Tokens
from .code.expansions import MacroExpansions
from .evidence.definitions import CalledInDefinitions
from .evidence.recorded import RecordedCalls
from .evidence.uses_of_lost import UsesOfLost
from .memory import Memories
from .rules.suggestions import Suggestions
from .world.meanings import WorldMeanings
from .world.operators import Operators
from .world.packages import World


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The facts that all files are judged by."""

    tokens: Tokens
    features: Features
    texts: ReadTexts
    world: World
    operators: Operators
    symbols: WorldMeanings
    """What the world knows of symbols, which the walk asks."""
    suggestions: Suggestions
    meanings: IndexMeanings
    """What the index knows of symbols, which tells the case that a text is read in."""
    own: frozenset[str]
    """The names of the packages of the checked sources, in which names that nothing defines are faults."""
    asked: frozenset[str]
    """Those of them in which the operators of toplevel forms, too, are certainly meant to exist."""
    assumed: frozenset[str]
    """The names of packages that are assumed to exist, whatever the index says."""
    unsure: frozenset[str]
    """The names of packages that may have further names, created by code that did not load."""
    missing: Mapping[str, str]
    """The systems that the project needs and the index does not have, each with what is known of it."""
    recorded: RecordedCalls
    """The calls that the compiler recorded."""
    definitions: CalledInDefinitions | None
    """The same, found by definitions, for texts that have no place in a file."""
    expansions: MacroExpansions
    """The arguments that macros evaluate."""
    lost: UsesOfLost
    """The recorded uses of definitions that are gone."""
    memories: Memories | None
    """What was found in files before, for a server."""
