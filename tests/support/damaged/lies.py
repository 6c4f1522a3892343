"""Indexes that lie: each has a sound schema and whole pages, and rows that contradict what every index has.

The statements are for the index of tests/support/shelf.py. Each one changes at least one row.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from oblist.indexer.checksums import append_checksums

_SHELF = "(SELECT id FROM packages WHERE name = 'SHELF')"
_SYMBOL = f"(SELECT id FROM symbols WHERE name = '{{}}' AND package_id = {_SHELF})"
_BOOK = _SYMBOL.format("BOOK")
_READ = _SYMBOL.format("READ-ALOUD")
_CLASS = f"(SELECT id FROM definitions WHERE symbol_id = {_BOOK} AND kind = 'class')"
_METHODS = f"(SELECT id FROM definitions WHERE symbol_id = {_READ} AND kind = 'method')"
_FILE = "(SELECT id FROM source_files WHERE path LIKE '%shelf.lisp')"
_OF_FILE = f"file_id = {_FILE}"
_CALLERS = f"(SELECT id FROM callers WHERE {_OF_FILE})"
_OF_CALLERS = f"caller_id IN {_CALLERS}"
_PROBLEM = "INSERT INTO problems VALUES (7000000, {})"
_MISSING, _HUGE = 987_654_321, 9_000_000_000_000_000_000

LIES = {
    "no feature": "UPDATE meta SET value = 'abc' WHERE name = 'feature'",
    "a number for a fact": "UPDATE meta SET value = x'00ff' WHERE name = 'implementation'",
    "no facts about case": "UPDATE meta SET value = '' WHERE name LIKE 'case_%'",
    "odd case facts": "UPDATE meta SET value = 'a' WHERE name = 'case_lower'",
    "a date that is none": "UPDATE meta SET value = 'yesterday' WHERE name IN ('built', 'started')",
    "features that are no list": "UPDATE meta SET value = '#.(quit) |' WHERE name = 'features'",
    "inputs that are no JSON": "UPDATE meta SET value = '{' WHERE name = 'inputs'",
    "a slice of nothing": "INSERT INTO meta VALUES ('slice', '{\"outside\": 5}')",
    "broken by nothing": "INSERT INTO meta VALUES ('broken', '[]')",
    "last good of nothing": "INSERT INTO meta VALUES ('last_good', '[1]')",
    "no packages": "DELETE FROM packages",
    "a package gone": "DELETE FROM packages WHERE name = 'SHELF'",
    "the standard's package gone": "DELETE FROM packages WHERE name = 'COMMON-LISP'",
    "a blob for a package": "UPDATE packages SET name = x'c3' WHERE name = 'SHELF'",
    "a package of a system that is not there": f"UPDATE packages SET system_id = {_MISSING}",
    "a package used that is not there": f"UPDATE package_uses SET used_id = {_MISSING} + position",
    "nicknames of nothing": f"UPDATE package_nicknames SET package_id = {_MISSING}",
    "local nicknames of nothing": f"INSERT INTO package_local_nicknames VALUES ({_SHELF}, 'L', {_MISSING})",
    "shadowing nothing": f"INSERT INTO package_shadowing VALUES ({_SHELF}, {_MISSING})",
    "a text that locks": "UPDATE packages SET locked = 'maybe'",
    "no symbols": "DELETE FROM symbols",
    "a symbol gone": f"DELETE FROM symbols WHERE id = {_BOOK}",
    "a blob for a name": f"UPDATE symbols SET name = x'80' WHERE id = {_BOOK}",
    "an empty name": f"UPDATE symbols SET name = '' WHERE id = {_BOOK}",
    "symbols at home nowhere": f"UPDATE symbols SET package_id = {_MISSING}",
    "an unknown type": f"UPDATE symbols SET type = 'POEM' WHERE package_id = {_SHELF}",
    "a blob for a type": f"UPDATE symbols SET type = x'ff' WHERE package_id = {_SHELF}",
    "a text for exported": f"UPDATE symbols SET exported = 'yes' WHERE package_id = {_SHELF}",
    "a rank that is a text": "UPDATE symbols SET search_rank = 'best'",
    "a blob for a folded name": "UPDATE symbols SET folded = x'00'",
    "an unknown status": f"UPDATE presences SET status = 'lost' WHERE package_id = {_SHELF}",
    "present nowhere": "DELETE FROM presences",
    "present in a package that is not there": f"UPDATE presences SET package_id = package_id + {_MISSING}",
    "no definitions": "DELETE FROM definitions",
    "definitions of nothing": f"UPDATE definitions SET symbol_id = {_MISSING} WHERE {_OF_FILE}",
    "an unknown kind": f"UPDATE definitions SET kind = 'poem' WHERE {_OF_FILE}",
    "a blob for a kind": f"UPDATE definitions SET kind = x'01' WHERE {_OF_FILE}",
    "an unknown operator": f"UPDATE definitions SET operator = 'GETF' WHERE {_OF_FILE}",
    "a lambda list that never closes": f"UPDATE definitions SET arglist = '((((' WHERE {_OF_FILE}",
    "a blob for a lambda list": f"UPDATE definitions SET arglist = x'ff' WHERE {_OF_FILE}",
    "a type that never closes": f"UPDATE definitions SET ftype = '(FUNCTION (' WHERE {_OF_FILE}",
    "specializers that never close": f"UPDATE definitions SET specializers = '((' WHERE id IN {_METHODS}",
    "a number for documentation": f"UPDATE definitions SET documentation = x'0102' WHERE {_OF_FILE}",
    "files that are not there": f"UPDATE definitions SET file_id = {_MISSING}",
    "lines below 1": f"UPDATE definitions SET start_line = -5, end_line = -9 WHERE {_OF_FILE}",
    "lines beyond the file": f"UPDATE definitions SET end_line = {_HUGE} WHERE {_OF_FILE}",
    "columns beyond the line": f"UPDATE definitions SET start_column = {_HUGE} WHERE {_OF_FILE}",
    "spans that end before they begin": f"UPDATE definitions SET end_offset = 0 WHERE {_OF_FILE}",
    "spans beyond the text": f"UPDATE definitions SET end_offset = {_HUGE} WHERE {_OF_FILE}",
    "spans that are texts": f"UPDATE definitions SET start_offset = 'here' WHERE {_OF_FILE}",
    "no spans": f"UPDATE definitions SET start_offset = NULL, end_offset = NULL WHERE {_OF_FILE}",
    "a line without an end": f"UPDATE definitions SET end_line = NULL WHERE {_OF_FILE}",
    "callers beyond counting": f"UPDATE definitions SET callers_count = {_HUGE}",
    "callers that are a text": f"UPDATE definitions SET callers_count = 'many' WHERE {_OF_FILE}",
    "search numbers that are swapped": f"UPDATE definitions SET search_id = {_HUGE} - id",
    "no kinds": "DELETE FROM kinds",
    "documentation types that are none": "UPDATE kinds SET documentation_type = x'ee'",
    "no files": "DELETE FROM source_files",
    "a blob for a path": "UPDATE source_files SET path = x'ff2f'",
    "no paths": "UPDATE source_files SET path = NULL, relative_path = NULL",
    "paths with NUL": "UPDATE source_files SET path = 'a' || char(0) || 'b'",
    "a size that is a text": "UPDATE source_files SET size = 'big'",
    "roots that are not there": f"UPDATE source_files SET root_id = {_MISSING}",
    "no roots": "DELETE FROM roots",
    "roots with NUL": "UPDATE roots SET path = char(0)",
    "no text": "DELETE FROM source_lines",
    "lines missing from the text": "DELETE FROM source_lines WHERE line % 2",
    "lines from the end": "UPDATE source_lines SET line = -line",
    "a blob for a line": "UPDATE source_lines SET text = x'fffe'",
    "lines of files that are not there": f"UPDATE source_lines SET file_id = file_id + {_MISSING}",
    "uses of nothing": f"UPDATE symbol_references SET callee_id = {_MISSING} WHERE {_OF_CALLERS}",
    "uses by nobody": f"UPDATE symbol_references SET caller_id = {_MISSING} WHERE {_OF_CALLERS}",
    "uses in an unknown way": f"UPDATE symbol_references SET relation_id = {_MISSING}",
    "uses beyond the file": f"UPDATE symbol_references SET line = {_HUGE} WHERE {_OF_CALLERS}",
    "uses in negative columns": f"UPDATE symbol_references SET start_column = -3 WHERE {_OF_CALLERS}",
    "uses of negative length": f"UPDATE symbol_references SET length = -3 WHERE {_OF_CALLERS}",
    "lines that are texts": f"UPDATE symbol_references SET line = 'x' WHERE {_OF_CALLERS}",
    "expansions of nothing": f"UPDATE symbol_references SET expansion_id = {_MISSING}",
    "no relations": "DELETE FROM relations",
    "a blob for a relation": "UPDATE relations SET relation = x'aa'",
    "unknown relations": "UPDATE relations SET relation = 'admires'",
    "callers of nothing": f"UPDATE callers SET definition_id = {_MISSING}, name = NULL",
    "callers without a name": "UPDATE callers SET definition_id = NULL, name = NULL",
    "callers in no file": f"UPDATE callers SET file_id = {_MISSING}",
    "runs that end before they begin": "UPDATE used_symbols SET total = -1, callers = -1",
    "runs that have no numbers": "UPDATE used_symbols SET total = 'all'",
    "lists that are no JSON": "UPDATE using_symbols SET uses = '[1,'",
    "lists of texts": "UPDATE using_symbols SET uses = '[\"a\", {}]'",
    "short patterns that are no JSON": "UPDATE short_patterns SET symbols = '}'",
    "short patterns without a number": "UPDATE short_patterns SET total = 'few'",
    "no classes": "DELETE FROM classes",
    "a class of an unknown class": f"UPDATE classes SET metaclass_id = {_MISSING}",
    "a class above itself": f"UPDATE class_superclasses SET symbol_id = {_BOOK} WHERE class_id = {_CLASS}",
    "classes below themselves": "UPDATE class_superclasses SET symbol_id ="
    " (SELECT symbol_id FROM definitions WHERE id = class_id)",
    "superclasses that are not there": f"UPDATE class_superclasses SET symbol_id = {_MISSING}",
    "precedence of nothing": f"UPDATE class_precedence SET symbol_id = {_MISSING}",
    "no precedence": "DELETE FROM class_precedence",
    "slots without a name": f"UPDATE slots SET name = x'00' WHERE class_id = {_CLASS}",
    "slots allocated on the moon": "UPDATE slots SET allocation = 'moon'",
    "a text for read-only": "UPDATE slots SET read_only = 'perhaps'",
    "accessors that are not there": f"UPDATE slot_accessors SET symbol_id = {_MISSING}",
    "accessors of slots that are not there": "UPDATE slot_accessors SET slot = slot + 77",
    "accessors in an unknown role": "UPDATE slot_accessors SET role = 'owner'",
    "initargs of nothing": "UPDATE slots SET initargs = x'11'",
    "structures made in an unknown way": "UPDATE structure_functions SET role = 'poet', by_position = 'x'",
    "structures made by nothing": f"UPDATE structure_functions SET symbol_id = {_MISSING}",
    "methods on nothing": f"UPDATE method_specializers SET symbol_id = {_MISSING}",
    "methods without specializers": "DELETE FROM method_specializers",
    "methods with more specializers": "UPDATE method_specializers SET position = 9"
    f" WHERE definition_id IN {_METHODS}",
    "objects of nothing": f"UPDATE method_specializers SET eql = x'ff', eql_class_id = {_MISSING}",
    "signatures of nothing": "UPDATE signatures SET argument_types = '((', result_types = '))'",
    "signatures that are blobs": "UPDATE signatures SET argument_types = x'ff', result_types = x'fe'",
    "signatures without numbers": "UPDATE signatures SET least_arguments = 'two', most_arguments = 'three'",
    "no systems": "DELETE FROM systems",
    "a blob for a system": "UPDATE systems SET name = x'ff' WHERE name = 'shelf'",
    "systems asked for by a text": "UPDATE systems SET asked = 'please'",
    "dependencies of nothing": f"INSERT INTO system_dependencies VALUES ({_MISSING}, 0, 'x', 'y', 0)",
    "files of systems in an unknown state": "UPDATE components SET state = 'asleep'",
    "files of systems with NUL": "UPDATE components SET path = char(0), system = x'ff'",
    "problems without words": _PROBLEM.format("x'ff', x'fe', '', x'fc', x'fb', x'fa', 'x'"),
    "problems before line 1": _PROBLEM.format("'load', 's', 'system', 'E', 'm', char(0), -1"),
    "text that is not read of nothing": f"INSERT INTO unread_text VALUES ({_MISSING}, -1, 'x')",
    "descriptions of nothing": "UPDATE descriptions SET description = x'ff'",
    "full text of nothing": "DELETE FROM symbols_fts_data",
    "full text that is a text": "UPDATE definitions_fts_data SET block = 'text'",
    "full text of other names": "UPDATE exported_names_fts_docsize SET sz = x'ffffffffffffffff'",
    "documentation of nothing": f"INSERT INTO documentation VALUES ({_MISSING}, x'ff', x'fe')",
}


def lying_index(lie: str, sound: Path, path: Path, *, with_checksums: bool = False) -> Path:
    """Put a copy of the ``sound`` index at ``path`` whose rows are changed by a lie, as a new file."""
    new = path.with_name(f"{path.name}.new")
    shutil.copyfile(sound, new)
    with closing(sqlite3.connect(new)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        before = connection.total_changes
        connection.execute(LIES[lie])
        assert connection.total_changes > before, f"{lie!r} changes nothing"
        connection.commit()
    if with_checksums:
        append_checksums(new)
    new.replace(path)
    return path
