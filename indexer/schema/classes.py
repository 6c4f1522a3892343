"""The tables about classes: superclasses, slots, default initargs, functions of structures, specializers.

A class is identified by its definition, of kind class, structure or condition. One worked row of each:

    classes             class_id 311, metaclass_id 25001 (STANDARD-CLASS), finalized 1
    class_superclasses  class_id 311, position 0, symbol_id 25010 (STANDARD-OBJECT)
    class_precedence    class_id 311, position 0, symbol_id 171
    slots               class_id 311, position 0, name CONTENT-TYPE, type STRING, initform "text/plain"
    slot_accessors      class_id 311, position 0, role reader, symbol_id 4012
    default_initargs    class_id 311, position 0, initarg :PORT, form 80
    structure_functions class_id 4100, position 0, role constructor, by_position 0, symbol_id 8803
    method_specializers definition_id 9120, position 1, symbol_id 17001 (T)
                        definition_id 9121, position 0, eql 5, eql_class_id 25044 (FIXNUM)

Only direct superclasses and slots are stored; the inherited ones follow from the precedence list, which an
index has if SBCL had computed it.
"""

from __future__ import annotations

from sqlalchemy import Index, Integer, PrimaryKeyConstraint, Table, Text

from .columns import column, link, metadata

classes = Table(
    "classes",
    metadata,
    link("class_id", "definitions", "The definition, whose kind is class, structure or condition"),
    link("metaclass_id", "symbols", "The metaclass; empty for a typed structure", nullable=True),
    column(
        "finalized",
        Integer,
        "1 if SBCL had computed the precedence list, 0 if the class had not been used yet",
        nullable=False,
    ),
    column(
        "representation", Text, "LIST or VECTOR for a typed structure, which is not a class; otherwise empty"
    ),
    column("accessor_prefix", Text, "Prefix of a structure's accessor names (:CONC-NAME)"),
    PrimaryKeyConstraint("class_id"),
    comment="Classes, structures and conditions",
)

class_superclasses = Table(
    "class_superclasses",
    metadata,
    link("class_id", "definitions", "The class"),
    column("position", Integer, "Place among the direct superclasses, from 0", nullable=False),
    link(
        "symbol_id", "symbols", "Name of a direct superclass, or of the structure that a structure includes"
    ),
    PrimaryKeyConstraint("class_id", "position"),
    comment="Direct superclasses, in order",
    sqlite_with_rowid=False,
)

class_precedence = Table(
    "class_precedence",
    metadata,
    link("class_id", "definitions", "The class"),
    column("position", Integer, "Place in the precedence list, from 0 (the class itself)", nullable=False),
    link("symbol_id", "symbols", "Name of the class at that place"),
    PrimaryKeyConstraint("class_id", "position"),
    comment="Class precedence lists (CLHS 4.3.5) of finalized classes",
    sqlite_with_rowid=False,
)

slots = Table(
    "slots",
    metadata,
    link("class_id", "definitions", "The class that defines the slot"),
    column("position", Integer, "Place among the direct slots of the class, from 0", nullable=False),
    column("name", Text, "Name", nullable=False),
    link("symbol_id", "symbols", "The symbol that names the slot, if it is in the index", nullable=True),
    column("type", Text, "Declared type; empty for T"),
    column("allocation", Text, "instance or class", nullable=False),
    column("initform", Text, "Initial value form as source, with symbols printed without package prefixes"),
    column("documentation", Text, "Documentation string"),
    column("read_only", Integer, "1 for a read-only slot of a structure", nullable=False),
    column("initargs", Text, "Initargs, separated by spaces"),
    PrimaryKeyConstraint("class_id", "position"),
    comment="Direct slots of classes, structures and conditions",
    sqlite_with_rowid=False,
)

slot_accessors = Table(
    "slot_accessors",
    metadata,
    link("class_id", "definitions", "The class that defines the slot"),
    column("slot", Integer, "Place of the slot, as in slots.position", nullable=False),
    column("position", Integer, "Place among the slot's readers and writers, from 0", nullable=False),
    column("role", Text, "reader or writer", nullable=False),
    link("symbol_id", "symbols", "The function"),
    column("operator", Text, "SETF if the function is (setf symbol)"),
    PrimaryKeyConstraint("class_id", "slot", "position"),
    comment="Functions that read or write a slot",
    sqlite_with_rowid=False,
)

default_initargs = Table(
    "default_initargs",
    metadata,
    link("class_id", "definitions", "The class"),
    column("position", Integer, "Place among the class's own default initargs, from 0", nullable=False),
    column("initarg", Text, "Initarg", nullable=False),
    column("form", Text, "Default value form of the initarg, as source", nullable=False),
    PrimaryKeyConstraint("class_id", "position"),
    comment="Default initargs that a class itself defines",
    sqlite_with_rowid=False,
)

structure_functions = Table(
    "structure_functions",
    metadata,
    link("class_id", "definitions", "The structure"),
    column("position", Integer, "Place among the structure's functions, from 0", nullable=False),
    column("role", Text, "constructor, predicate or copier", nullable=False),
    column(
        "by_position",
        Integer,
        "1 for a constructor for which DEFSTRUCT gives a lambda list (BOA), otherwise 0",
        nullable=False,
    ),
    link("symbol_id", "symbols", "The function"),
    PrimaryKeyConstraint("class_id", "position"),
    comment="Constructors, predicates and copiers that DEFSTRUCT defines",
    sqlite_with_rowid=False,
)

method_specializers = Table(
    "method_specializers",
    metadata,
    link("definition_id", "definitions", "The method"),
    column("position", Integer, "Place of the required argument, from 0", nullable=False),
    link(
        "symbol_id",
        "symbols",
        "Name of the class that the method specializes on; empty for an EQL specializer",
        nullable=True,
    ),
    column("eql", Text, "Printed object of an EQL specializer; empty for a class"),
    link(
        "eql_class_id",
        "symbols",
        "Name of the class of that object; if this class has no name, that of its first superclass with a "
        "name, provided that all others with names are above it; otherwise empty",
        nullable=True,
    ),
    PrimaryKeyConstraint("definition_id", "position"),
    comment="Specializers of methods, one for each required argument",
    sqlite_with_rowid=False,
)

CLASS_INDEXES = (
    Index("slots_by_name", slots.c.name),
    Index("slots_by_accessor", slot_accessors.c.symbol_id),
    Index("subclasses_by_superclass", class_superclasses.c.symbol_id),
    Index("methods_by_specializer", method_specializers.c.symbol_id),
)
