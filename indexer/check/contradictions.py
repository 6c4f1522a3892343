"""Find contradictions in a whole index.

Pure: a connection in, a list of findings out. The same checks run at the end of every build, in
``oblist check-index`` and in CI.
"""

from __future__ import annotations

import sqlite3

from ..names import CaseFolding
from ..records import End
from ..write.callers import wrong_callers
from ..write.ranks import WRONG_DEFINITIONS, ranks
from ..write.short_patterns import wrong_short_patterns
from ..write.uses import CALLER, CODE_RELATIONS

_MOST_EXAMPLES = 5

# Each statement finds rows that must not be there; the text says what they contradict.
_RULES = (
    (
        "symbols without any presence",
        "SELECT name FROM symbols WHERE id NOT IN (SELECT symbol_id FROM presences)",
    ),
    (
        "symbols whose mark 'exported' differs from their presences",
        """SELECT name FROM symbols
           WHERE exported <> (id IN (SELECT symbol_id FROM presences WHERE status = 'external'))
             AND (exported OR NOT EXISTS (SELECT 1 FROM meta WHERE name = 'slice'))""",
    ),
    (
        "presences with a status that is neither external nor internal",
        "SELECT status FROM presences WHERE status NOT IN ('external', 'internal')",
    ),
    (
        "names that are present twice in one package",
        """SELECT symbols.name FROM presences JOIN symbols ON symbols.id = presences.symbol_id
           GROUP BY presences.package_id, symbols.name HAVING count(*) > 1""",
    ),
    (
        "definitions with both a symbol and a package, or with neither",
        "SELECT kind FROM definitions WHERE (symbol_id IS NULL) = (package_id IS NULL)",
    ),
    (
        "functions whose symbol has no function type",
        """SELECT symbols.name FROM definitions JOIN symbols ON symbols.id = definitions.symbol_id
           WHERE definitions.operator IS NULL
             AND (definitions.kind = 'macro' AND symbols.type <> 'MACRO'
               OR definitions.kind = 'generic-function' AND symbols.type <> 'GENERIC-FUNCTION'
               OR definitions.kind IN ('function', 'special-operator')
                  AND symbols.type NOT IN ('FUNCTION', 'MACRO'))""",
    ),
    (
        "source files with a root or a relative path, but not both",
        "SELECT recorded FROM source_files WHERE (root_id IS NULL) <> (relative_path IS NULL)",
    ),
    (
        "classes, structures and conditions without a row in classes",
        """SELECT id FROM definitions WHERE kind IN ('class', 'structure', 'condition')
           AND id NOT IN (SELECT class_id FROM classes)""",
    ),
    (
        "methods without specializers",
        """SELECT id FROM definitions WHERE kind = 'method' AND specializers <> '()'
           AND id NOT IN (SELECT definition_id FROM method_specializers)""",
    ),
    (
        "specializers that are both a class and an object",
        "SELECT definition_id FROM method_specializers WHERE symbol_id IS NOT NULL AND eql IS NOT NULL",
    ),
    (
        "callers with both a definition and a name, or with neither",
        "SELECT id FROM callers WHERE (definition_id IS NULL) = (name IS NULL)",
    ),
    (
        "names missing from full text",
        "SELECT name FROM symbols WHERE id NOT IN (SELECT id FROM symbols_fts_docsize)",
    ),
    (
        "exported names missing from full text",
        "SELECT name FROM exported_names WHERE search_id NOT IN (SELECT id FROM exported_names_fts_docsize)",
    ),
    (
        "definitions missing from full text",
        "SELECT id FROM definitions WHERE search_id NOT IN (SELECT id FROM definitions_fts_docsize)",
    ),
    (
        "signatures missing from full text",
        "SELECT id FROM signatures WHERE id NOT IN (SELECT id FROM signatures_fts_docsize)",
    ),
)


def contradictions(
    connection: sqlite3.Connection, *, expected: End | None = None, published: bool = False
) -> list[str]:
    """The contradictions in the index, one line each; none for a sound index.

    ``expected`` holds the counts of the image; then rows that contradict each other (``broken_rules``) are
    not looked for. ``published`` adds the checks that only a finished file passes: the mark ``complete``,
    SQLite's own check, folded names, counts of callers and of uses.
    """
    try:
        found = _broken_links(connection)
        if expected is not None:
            found += _wrong_counts(connection, expected)
        else:
            found += [f"{what}: {examples}" for what, examples in broken_rules(connection)]
        if published:
            found += [*_damage(connection), *_wrong_folding(connection)]
            found += [*_wrong_callers(connection), *_wrong_runs(connection), *_wrong_code_callers(connection)]
            found += [*_wrong_ranks(connection), *_unfinished(connection)]
    except sqlite3.DatabaseError as error:
        return [f"SQLite cannot read it: {error}"]
    return found


def file_contradictions(connection: sqlite3.Connection) -> list[str]:
    """What may be wrong in an index and a catalog alike: broken links, damage, an unfinished build."""
    try:
        return [*_broken_links(connection), *_damage(connection), *_unfinished(connection)]
    except sqlite3.DatabaseError as error:
        return [f"SQLite cannot read it: {error}"]


def _broken_links(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute("PRAGMA foreign_key_check").fetchmany(_MOST_EXAMPLES)
    return [f"{table} row {row} points to a missing row of {target}" for table, row, target, _ in rows]


def broken_rules(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """What the rows of a readable index contradict, with examples."""
    found = []
    for what, statement in _RULES:
        examples = [str(row[0]) for row in connection.execute(statement).fetchmany(_MOST_EXAMPLES)]
        if examples:
            found.append((what, ", ".join(examples)))
    return found


def _wrong_counts(connection: sqlite3.Connection, expected: End) -> list[str]:
    found = []
    for table in ("packages", "symbols", "definitions"):
        (number,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
        if number != getattr(expected, table):
            found.append(f"{table}: {number} rows, but the image has {getattr(expected, table)}")
    return found


def _damage(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute(f"PRAGMA integrity_check({_MOST_EXAMPLES})").fetchall()
    return [f"SQLite: {row[0]}" for row in rows if row[0] != "ok"]


def _wrong_folding(connection: sqlite3.Connection) -> list[str]:
    facts = dict(connection.execute("SELECT name, value FROM meta"))
    fold = CaseFolding(facts["case_upper"], facts["case_lower"]).fold
    wrong = [
        name
        for name, folded in connection.execute("SELECT name, folded FROM symbols")
        if fold(name) != folded
    ]
    return [f"names folded wrongly: {', '.join(wrong[:_MOST_EXAMPLES])}"] if wrong else []


def _wrong_callers(connection: sqlite3.Connection) -> list[str]:
    names = wrong_callers(connection, _MOST_EXAMPLES)
    return [f"wrong number of callers: {', '.join(names)}"] if names else []


# Runs of uses whose rows are of another symbol or relation, or are not as many.
_WRONG_RUNS = """
    SELECT symbols.name FROM used_symbols JOIN symbols ON symbols.id = symbol_id
    WHERE relation_id IS NOT NULL AND total <> (
      SELECT count(*) FROM symbol_references AS used
      WHERE used.id BETWEEN first_id AND last_id AND used.callee_id = used_symbols.symbol_id
        AND used.callee_operator IS used_symbols.operator AND used.relation_id = used_symbols.relation_id)
"""
_UNCOUNTED = """
    SELECT (SELECT count(*) FROM symbol_references)
         - (SELECT coalesce(sum(total), 0) FROM used_symbols WHERE relation_id IS NOT NULL)
"""


# Names whose definitions make other uses than are listed for them.
_WRONG_LISTS = """
    WITH made AS (
      SELECT definitions.symbol_id AS symbol, definitions.operator AS operator, count(*) AS total
      FROM symbol_references AS used CROSS JOIN callers ON callers.id = used.caller_id
      CROSS JOIN definitions ON definitions.id = callers.definition_id
      WHERE definitions.symbol_id IS NOT NULL GROUP BY 1, 2),
    listed AS (
      SELECT symbol_id AS symbol, operator, sum(total) AS total, sum(json_array_length(uses)) AS uses
      FROM using_symbols WHERE relation_id IS NOT NULL GROUP BY 1, 2)
    SELECT symbols.name FROM made
    LEFT JOIN listed ON listed.symbol = made.symbol AND listed.operator IS made.operator
    JOIN symbols ON symbols.id = made.symbol
    WHERE listed.total IS NOT made.total OR listed.uses IS NOT made.total
"""


def _wrong_runs(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute(_WRONG_RUNS).fetchmany(_MOST_EXAMPLES)
    found = [f"wrong runs of uses: {', '.join(row[0] for row in rows)}"] if rows else []
    ((uncounted,),) = connection.execute(_UNCOUNTED)
    found += [f"{uncounted} uses in no run, or in two"] if uncounted else []
    rows = connection.execute(_WRONG_LISTS).fetchmany(_MOST_EXAMPLES)
    return [*found, f"wrong lists of uses: {', '.join(row[0] for row in rows)}"] if rows else found


def _wrong_ranks(connection: sqlite3.Connection) -> list[str]:
    symbols = [number for (number,) in connection.execute("SELECT id FROM symbols")]
    wrong = [str(number) for rank, number, has in ranks(connection, symbols) if rank != has]
    found = [f"wrong search ranks of symbols: {', '.join(wrong[:_MOST_EXAMPLES])}"] if wrong else []
    rows = connection.execute(WRONG_DEFINITIONS).fetchmany(_MOST_EXAMPLES)
    patterns = wrong_short_patterns(connection)[:_MOST_EXAMPLES]
    found += [f"wrong names with short patterns: {' '.join(patterns)}"] if patterns else []
    return [*found, *(f"the search_id of definition {number} is wrong" for (number,) in rows)]


# Callers by all relations that SBCL records, where there are several.
_WRONG_CODE_CALLERS = f"""
    SELECT symbols.name FROM used_symbols AS whole JOIN symbols ON symbols.id = symbol_id
    WHERE relation_id IS NULL AND code_callers <> (
      SELECT count(DISTINCT {CALLER})
      FROM symbol_references AS used JOIN callers ON callers.id = used.caller_id
      WHERE used.id BETWEEN whole.first_id AND whole.last_id AND used.relation_id IN {CODE_RELATIONS})
"""


def _wrong_code_callers(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute(_WRONG_CODE_CALLERS).fetchmany(_MOST_EXAMPLES)
    return [f"wrong number of callers by code: {', '.join(row[0] for row in rows)}"] if rows else []


def _unfinished(connection: sqlite3.Connection) -> list[str]:
    marked = connection.execute("SELECT 1 FROM meta WHERE name = 'complete'").fetchone()
    return [] if marked else ["the mark 'complete' is missing: the build did not finish"]
