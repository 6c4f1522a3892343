"""The tables about systems and roots: the owners of source files, and the folders of their paths.

One worked row of each:

    systems              id 2, name alexandria, version 1.0.1, licence MIT, asked 1
    system_dependencies  system_id 5, position 0, relation depends-on, name alexandria, target_id 2
    components           system swank, path /src/slime/swank.lisp, state loaded, feature empty
    roots                id 1, name sbcl, path /usr/share/sbcl-source/, system_id empty

A file belongs to the nearest root above it; of two roots with the same folder, to the root of its own
system. A package belongs to the system whose file defines it, or that defines most of its symbols.
"""

from __future__ import annotations

from sqlalchemy import Index, Integer, PrimaryKeyConstraint, Table, Text

from .columns import column, link, metadata, row_id

systems = Table(
    "systems",
    metadata,
    row_id("system"),
    column("name", Text, "Name by which ASDF finds the system", nullable=False, unique=True),
    column(
        "asked",
        Integer,
        "1 if the system was requested by name or belongs to the project, 0 if it is only a dependency",
    ),
    column("version", Text, "Version"),
    column("licence", Text, "Licence"),
    column("author", Text, "Author or authors"),
    column("description", Text, "Description in one line"),
    column("definition_path", Text, "Absolute path of the file that defines the system"),
    comment="The ASDF systems that were loaded",
)

system_dependencies = Table(
    "system_dependencies",
    metadata,
    link("system_id", "systems", "The system that has the dependency"),
    column("position", Integer, "Place among the dependencies of the system, from 0", nullable=False),
    column("relation", Text, "depends-on, weakly-depends-on or defsystem-depends-on", nullable=False),
    column("name", Text, "Name of the system or module on which it depends", nullable=False),
    link("target_id", "systems", "The system of that name, if it is in the index", nullable=True),
    PrimaryKeyConstraint("system_id", "position"),
    comment="The direct dependencies of systems",
)

components = Table(
    "components",
    metadata,
    column("system", Text, "Name of the system", nullable=False),
    column("path", Text, "Absolute path of the file on the machine that built the index", nullable=False),
    column(
        "state",
        Text,
        "State of the system: loaded, failed, or unloaded (it was not meant to be loaded)",
        nullable=False,
    ),
    column("feature", Text, "Feature expression that excludes the file from loading"),
    comment="The Lisp files of the systems that belong to the project or were requested",
)

roots = Table(
    "roots",
    metadata,
    row_id("root"),
    column("name", Text, "Name: sbcl, project, or the name of a system", nullable=False, unique=True),
    column("path", Text, "Absolute path of the folder on the machine that built the index", nullable=False),
    link("system_id", "systems", "The system whose source folder it is", nullable=True),
    comment="Folders of source files, which let an index work on machines where the files are elsewhere",
)

SYSTEM_INDEXES = (Index("dependents_by_system", system_dependencies.c.target_id),)
