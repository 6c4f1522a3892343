"""The number of callers of a definition: of the definitions that call or expand what it defines.

The Lisp side counts them for a whole image (lisp/dump/uses/runs.lisp); these count by the rows of an index.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection

from .uses import COUNTED_RELATIONS

_COUNT = f"""
UPDATE definitions SET callers_count = (
  SELECT count(DISTINCT callers.definition_id)
  FROM used_symbols JOIN symbol_references AS used ON used.id BETWEEN first_id AND last_id
  JOIN callers ON callers.id = caller_id
  WHERE used_symbols.relation_id IN {COUNTED_RELATIONS}
    AND used_symbols.symbol_id = definitions.symbol_id AND used_symbols.operator IS definitions.operator)
WHERE id IN (SELECT value FROM json_each(?)) AND symbol_id IS NOT NULL
  AND kind IN (SELECT kind FROM kinds WHERE documentation_type = 'FUNCTION')
"""
_WRONG = f"""
SELECT symbols.name FROM definitions JOIN symbols ON symbols.id = definitions.symbol_id
JOIN kinds ON kinds.kind = definitions.kind
LEFT JOIN (SELECT callee_id, callee_operator, count(DISTINCT callers.definition_id) AS number
           FROM symbol_references JOIN callers ON callers.id = symbol_references.caller_id
           WHERE relation_id IN {COUNTED_RELATIONS}
           GROUP BY 1, 2) AS counted
  ON counted.callee_id = definitions.symbol_id AND counted.callee_operator IS definitions.operator
WHERE kinds.documentation_type = 'FUNCTION' AND definitions.callers_count <> coalesce(counted.number, 0)
"""


def count_callers(connection: sqlite3.Connection, definitions: Collection[int]) -> None:
    """Count the callers of these definitions."""
    connection.execute(_COUNT, [json.dumps(list(definitions))])


def wrong_callers(connection: sqlite3.Connection, most: int) -> list[str]:
    """The names of what definitions with a wrong number of callers define, ``most`` at most."""
    return [name for (name,) in connection.execute(_WRONG).fetchmany(most)]
