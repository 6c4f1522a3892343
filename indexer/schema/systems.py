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
    column("name", Text, "Name by which ASDF finds it", nullable=False, unique=True),
    column(
        "asked", Integer, "1 if requested by name or part of the project, 0 if loaded only as a dependency"
    ),
    column("version", Text, "Version"),
    column("licence", Text, "Licence"),
    column("author", Text, "Author or authors"),
    column("description", Text, "Description in one line"),
    column("definition_path", Text, "Absolute path of the file that defines it"),
    comment="The ASDF systems that were loaded",
)

system_dependencies = Table(
    "system_dependencies",
    metadata,
    link("system_id", "systems", "The system that depends"),
    column("position", Integer, "Place among its dependencies, from 0", nullable=False),
    column("relation", Text, "depends-on, weakly-depends-on or defsystem-depends-on", nullable=False),
    column("name", Text, "Name of the system or module that it depends on", nullable=False),
    link("target_id", "systems", "The system of that name, when it is in the index", nullable=True),
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
        "What became of the system: loaded, failed, or unloaded if it was not to be loaded",
        nullable=False,
    ),
    column("feature", Text, "Feature expression that leaves the file out, so that nothing loads it"),
    comment="The Lisp files that the systems of the project, and those asked for, consist of",
)

roots = Table(
    "roots",
    metadata,
    row_id("root"),
    column("name", Text, "Name: sbcl, project, or the name of a system", nullable=False, unique=True),
    column("path", Text, "Absolute path of the folder on the machine that built the index", nullable=False),
    link("system_id", "systems", "The system whose source folder it is", nullable=True),
    comment="Folders above source files, so that an index also works on machines where they are elsewhere",
)

SYSTEM_INDEXES = (Index("dependents_by_system", system_dependencies.c.target_id),)
