"""The rule deprecated."""

from __future__ import annotations

from ..walked import WalkFault, WalkRule


class _Deprecated(WalkRule):
    def message(self, fault: WalkFault) -> str:
        meaning, what = fault.operators.meaning(fault.symbol), fault.detail
        found = meaning.deprecated_variable if what == "variable" else meaning.deprecated
        since = f" as of {found.since}" if found is not None and found.since else ""
        instead = f"; use {found.replacement}" if found is not None and found.replacement else ""
        return f"the {what} {fault.name} is deprecated{since}{instead}"


RULE = _Deprecated("deprecated", "warning", __file__)
