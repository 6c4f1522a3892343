"""The parts of a record stream that a producer may leave out; standard library only.

A producer names what it leaves out in its header, and the index keeps these names in the table ``meta``.
Readers say that a part was not recorded where they would otherwise answer from its absence.
"""

from __future__ import annotations

LEFT_OUT = "left_out"
"""The fact in meta that names, as JSON, the parts that the producer left out."""
REFERENCES = "references"
EXTENTS = "extents"
FILES = "files"
TYPES = "types"

JUDGED = ("arglists", "components", "deprecation")
"""The parts by which code is judged."""

PARTS = {
    REFERENCES: "The uses of symbols are unknown (which does not mean that there are none). Questions and "
    "changes that depend on all uses, such as renaming, are refused.",
    "arglists": "Calls are not checked against lambda lists.",
    "documentation": "A search for words looks only at names, not at documentation.",
    TYPES: "Functions cannot be found by the types of their arguments and results.",
    "argument-counts": "The minimum and maximum numbers of arguments are taken from lambda lists.",
    FILES: "Definitions have no locations, and the text of source files is not stored.",
    EXTENTS: "The only location known for a definition is, at best, the line of its toplevel form; "
    "the text of definitions is not shown.",
    "form-numbers": "Locations cannot be matched with those that SBCL records as form numbers.",
    "components": "Files that no system loads are not reported.",
    "structures": "The constructors, predicates and copiers of structures are treated as ordinary functions.",
    "deprecation": "Uses of deprecated names are not reported.",
    "values": "The values of constants are unknown.",
}
"""What an index says without each part that may be left out."""
