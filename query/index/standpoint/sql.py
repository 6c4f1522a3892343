"""The SELECTs by which names are written for one package, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

# The packages in which the reader finds a symbol as present there.
PRESENT_IN = "SELECT package_id, status FROM presences WHERE symbol_id = :symbol"


class PresenceRow(NamedTuple):
    """One row of PRESENT_IN."""

    package: int
    status: str


LOCAL_NICKNAMES = "SELECT nickname, target_id FROM package_local_nicknames WHERE package_id = :package"

SHADOWS = "SELECT 1 FROM package_shadowing WHERE package_id = :package AND symbol_id = :symbol"

LOCKED = "SELECT locked FROM packages WHERE id = :package"
