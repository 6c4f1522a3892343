"""Find contradictions in a whole index.

Pure: a connection in, a list of findings out. The same checks run at the end of every build, in
``oblist check-index`` and in CI.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing

from ..names import CaseFolding
from ..own_schema import MASTER, schema_difference
from ..records import End
from ..schema.fulltext import FULL_TEXT
from ..soundness import MOST_EXAMPLES, RULES, broken_links, faults
from ..write.callers import wrong_callers
from ..write.ranks import WRONG_DEFINITIONS, ranks
from ..write.short_patterns import wrong_short_patterns
from ..write.uses import CALLER, CODE_RELATIONS


def missing_rows(connection: sqlite3.Connection, expected: End) -> list[str]:
    """What an index that is being built lacks, one line each: ``expected`` has the counts of the image.

    Readers would refuse a schema that another SQLite has written in another way.
    """
    different = schema_difference(connection.execute(MASTER), "index")
    links = [f"the table {table}: {what}" for table, what in broken_links(connection)]
    return [*([different] if different else []), *links, *_wrong_counts(connection, expected)]


def contradictions(connection: sqlite3.Connection) -> list[str]:
    """The contradictions in a finished index, one line each; none for a sound one."""
    try:
        if found := file_contradictions(connection, "index"):
            return found  # what is derived from such rows is not worth comparing
        checks = (_wrong_full_text, _wrong_folding, _wrong_callers, _wrong_runs)
        return [one for check in (*checks, _wrong_code_callers, _wrong_ranks) for one in check(connection)]
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return [f"SQLite cannot read the file: {error}"]


def file_contradictions(connection: sqlite3.Connection, kind: str) -> list[str]:
    """What may be wrong in an "index" and a "catalog" alike: rows, damage, an unfinished build."""
    try:
        rows = [f"the table {table}: {what}" for table, what in faults(connection, kind)]
        return [*rows, *_damage(connection), *_unfinished(connection)]
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return [f"SQLite cannot read the file: {error}"]


def broken_rules(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """What the rows of a readable index contradict, with examples."""
    found = []
    for _, what, statement in RULES:
        examples = [str(row[0]) for row in connection.execute(statement).fetchmany(MOST_EXAMPLES)]
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


def _wrong_full_text(connection: sqlite3.Connection) -> list[str]:
    """Compare full text with what it is of, which FTS5 does for those only who may write: in a copy."""

    def refuse_to_wait(status: int, *_: int) -> None:
        if status not in (sqlite3.SQLITE_OK, sqlite3.SQLITE_DONE):  # else it would wait without end
            raise sqlite3.OperationalError("another process is writing to it")

    found = []
    with closing(sqlite3.connect("")) as copy:  # of SQLite's own, on the disk while it is open
        connection.backup(copy, progress=refuse_to_wait)
        for table, *_ in FULL_TEXT:
            name = f"{table}_fts"
            try:
                copy.execute(f"INSERT INTO {name} ({name}, rank) VALUES ('integrity-check', 1)")
            except sqlite3.DatabaseError as error:
                found.append(f"the table {name}: {error}")
    return found


def _damage(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute(f"PRAGMA integrity_check({MOST_EXAMPLES})").fetchall()
    return [f"SQLite: {row[0]}" for row in rows if row[0] != "ok"]


def _wrong_folding(connection: sqlite3.Connection) -> list[str]:
    facts = dict(connection.execute("SELECT name, value FROM meta"))
    fold = CaseFolding(facts["case_upper"], facts["case_lower"]).fold
    wrong = [
        name
        for name, folded in connection.execute("SELECT name, folded FROM symbols")
        if fold(name) != folded
    ]
    return [f"names folded wrongly: {', '.join(wrong[:MOST_EXAMPLES])}"] if wrong else []


def _wrong_callers(connection: sqlite3.Connection) -> list[str]:
    names = wrong_callers(connection, MOST_EXAMPLES)
    return [f"the number of callers is wrong for {', '.join(names)}"] if names else []


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
    rows = connection.execute(_WRONG_RUNS).fetchmany(MOST_EXAMPLES)
    found = [f"the run of uses is wrong for {', '.join(row[0] for row in rows)}"] if rows else []
    ((uncounted,),) = connection.execute(_UNCOUNTED)
    found += [f"{uncounted} uses in no run, or in two"] if uncounted else []
    rows = connection.execute(_WRONG_LISTS).fetchmany(MOST_EXAMPLES)
    return [*found, f"the list of uses is wrong for {', '.join(row[0] for row in rows)}"] if rows else found


def _wrong_ranks(connection: sqlite3.Connection) -> list[str]:
    symbols = [number for (number,) in connection.execute("SELECT id FROM symbols")]
    wrong = [str(number) for rank, number, has in ranks(connection, symbols) if rank != has]
    found = [f"wrong search ranks of symbols: {', '.join(wrong[:MOST_EXAMPLES])}"] if wrong else []
    rows = connection.execute(WRONG_DEFINITIONS).fetchmany(MOST_EXAMPLES)
    patterns = wrong_short_patterns(connection)[:MOST_EXAMPLES]
    found += [f"wrong symbols for short patterns: {' '.join(patterns)}"] if patterns else []
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
    rows = connection.execute(_WRONG_CODE_CALLERS).fetchmany(MOST_EXAMPLES)
    return [f"the number of callers in code is wrong for {', '.join(row[0] for row in rows)}"] if rows else []


def _unfinished(connection: sqlite3.Connection) -> list[str]:
    marked = connection.execute("SELECT 1 FROM meta WHERE name = 'complete'").fetchone()
    return [] if marked else ["'complete' is missing from the table meta: the build did not finish"]
