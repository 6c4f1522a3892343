"""The rule unknown-initarg."""

from __future__ import annotations

from ..walked import WalkFault, WalkRule


class _UnknownInitarg(WalkRule):
    def message(self, fault: WalkFault) -> str:
        return f"the class {fault.name} has no initarg {fault.detail}"

    def suggestions(self, fault: WalkFault) -> tuple[str, ...]:
        return fault.nearest.keywords(fault.node, fault.operators.initargs.of(fault.symbol) or ())


RULE = _UnknownInitarg("unknown-initarg", "warning", __file__)
