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
    REFERENCES: "It is not known what uses a symbol, which does not mean that nothing does. Questions and "
    "changes that must know all uses, such as renaming, are refused.",
    "arglists": "Calls are not compared with lambda lists.",
    "documentation": "Searches for words look only at names.",
    TYPES: "Functions cannot be found by the types of their arguments and results.",
    "argument-counts": "Where a count is needed, it is taken from the lambda list.",
    FILES: "Definitions have no places, and no text is stored.",
    EXTENTS: "At most the line of its toplevel form is known for a definition, and its text is not shown.",
    "form-numbers": "Places cannot be compared with those that SBCL numbers by form.",
    "components": "Files that no system loads are not reported.",
    "structures": "The constructors, predicates and copiers of structures are ordinary functions.",
    "deprecation": "Uses of deprecated names are not reported.",
    "values": "The values of constants are not known.",
}
"""What an index says without each part that may be left out."""
