"""The handlers of the standard's special operators and macros together, by name."""

from __future__ import annotations

from .clause_handlers import CLAUSES
from .defining import DEFINING
from .forms import Handler
from .handlers import SPECIAL
from .loops import LOOP

HANDLERS: dict[str, Handler] = {**SPECIAL, **CLAUSES, **DEFINING, **LOOP}
EVALUATING: dict[str, Handler] = {**SPECIAL, **CLAUSES, **DEFINING}
"""Those that do not take apart what they are given, as LOOP does."""
