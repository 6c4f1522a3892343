"""The tables of a catalog: those of an index, for the exports of all releases together, and some of its own.

A catalog can be read like an index: all questions that need only names, types and documentation work on it.
Its symbols are those that the releases export; its systems are the releases. An example row of each of the
additional tables:

    releases         id 7, name alexandria, version 1.0.1, state loaded, place /src/alexandria/alexandria.asd
    release_systems  release_id 7, name alexandria, state loaded
    release_names    release_id 7, name FLATTEN, package ALEXANDRIA, type FUNCTION, status external
    release_uses     release_id 9, package ALEXANDRIA, name FLATTEN, uses 12
    release_problems release_id 9, subject foo/json, message It depends on yason, which did not load: ...

Several packages, or several systems, may have the same name, because a catalog may contain several versions
of the same library.
For the rule about versions, see CATALOG_FORMAT in format.py.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

from ...schema import tables as index_tables
from ...schema.columns import column, link
from ...schema.columns import metadata as index_metadata
from ...schema.fulltext import FULL_TEXT

metadata = MetaData()
for _table in index_metadata.sorted_tables:
    if _table is index_tables.package_nicknames:
        continue
    _copy = _table.to_metadata(metadata)
    for _constraint in list(_copy.constraints):
        if isinstance(_constraint, UniqueConstraint | ForeignKeyConstraint):
            _copy.constraints.discard(_constraint)
    # Copies come in the order of a set, but the schema is compared to the letter.
    for _key in (_key for _column in _table.columns for _key in _column.foreign_keys):
        _copy.append_constraint(ForeignKeyConstraint([_key.parent.name], [_key.target_fullname]))
    _copy.indexes.clear()

# Versions of a release share their nicknames.
package_nicknames = Table(
    "package_nicknames",
    metadata,
    column("nickname", Text, "Nickname", nullable=False),
    link("package_id", "packages", "The package that the nickname refers to"),
    PrimaryKeyConstraint("nickname", "package_id"),
    comment="Global nicknames of packages",
)

definitions = metadata.tables["definitions"]
_called = Column(
    "called", Text, comment="Words in the names of its release and package, for full-text search"
)
_about = Column("about", Text, comment="Description of its release, for full-text search")
definitions.append_column(_called)
definitions.append_column(_about)

releases = Table(
    "releases",
    metadata,
    column("id", Integer, "Number of the release, as in systems.id", primary_key=True),
    column("name", Text, "Name of the file that defines the systems of the release", nullable=False),
    column("version", Text, "Version of the system of that name, or else the one in the name of its folder"),
    column("newest", Integer, "1 if the catalog has no newer release of this name, else 0", nullable=False),
    column("state", Text, "loaded, partly (some of its systems) or failed", nullable=False),
    column("place", Text, "Absolute path of the file that defines the systems", nullable=False),
    column("root", Text, "Folder in which the release was found; empty if ASDF found it"),
    column("slice", Text, "Absolute path or URL of the slice; empty if there is none"),
    column("key", Text, "Hash of everything that determines the contents of the slice", nullable=False),
    column("seconds", Text, "Seconds that it took to make the slice"),
    column("packages", Integer, "Number of packages that the release brings", nullable=False),
    column("symbols", Integer, "Number of symbols that the release brings or defines", nullable=False),
    column("exports", Integer, "Number of symbols that the release exports", nullable=False),
    column("definitions", Integer, "Number of definitions", nullable=False),
    column(
        "called",
        Text,
        "Words in the names of the release and of its systems, for full-text search",
        nullable=False,
    ),
    column("about", Text, "Description of the release, for full-text search"),
    comment="Releases: each is the systems that one file defines, with a version and the path of that file",
)

release_systems = Table(
    "release_systems",
    metadata,
    link("release_id", "releases", "The release"),
    column("name", Text, "Name of a system that the release defines", nullable=False),
    column("version", Text, "Version of the system"),
    column("state", Text, "loaded, failed, or unloaded (a test system)", nullable=False),
    PrimaryKeyConstraint("release_id", "name"),
    comment="The systems that releases define",
)

release_names = Table(
    "release_names",
    metadata,
    column("name", Text, "Exact name of the symbol", nullable=False),
    link("release_id", "releases", "The release that exports or defines the symbol"),
    column("package", Text, "A package in which the symbol is present", nullable=False),
    column("type", Text, "Type of the symbol, as in symbols.type", nullable=False),
    column("status", Text, "Status of the symbol in this package: external or internal", nullable=False),
    PrimaryKeyConstraint("name", "release_id", "package"),
    comment="All names that releases export or define, including internal ones",
    sqlite_with_rowid=False,
)

release_uses = Table(
    "release_uses",
    metadata,
    link("release_id", "releases", "The release whose code contains the uses"),
    column("package", Text, "Home package of the symbol, a package of another release", nullable=False),
    column("name", Text, "Name of the symbol", nullable=False),
    column("uses", Integer, "Number of uses of the symbol", nullable=False),
    PrimaryKeyConstraint("package", "name", "release_id"),
    comment="The uses that each release makes of symbols of other releases",
    sqlite_with_rowid=False,
)

release_problems = Table(
    "release_problems",
    metadata,
    link("release_id", "releases", "The release"),
    column("subject", Text, "The part that did not load", nullable=False),
    column("message", Text, "Why it did not load, and where", nullable=False),
    comment="The parts of releases that did not load",
)

CATALOG_FULL_TEXT = (
    *(
        (source, "id", (*columns, "called", "about") if source == "definitions" else columns, tokenizer)
        for source, _, columns, tokenizer in FULL_TEXT
    ),
    ("releases", "id", ("called", "about"), "porter unicode61"),
)

INDEXES = (
    *(
        Index(index.name, *(metadata.tables[index.table.name].c[one.name] for one in index.columns))
        for index in index_tables.INDEXES
        if index.table is not None
    ),
    Index("releases_by_name", releases.c.name),
    Index("release_systems_by_name", release_systems.c.name),
    Index("release_names_by_release", release_names.c.release_id),
    Index("release_uses_by_release", release_uses.c.release_id, release_uses.c.package, release_uses.c.uses),
    Index("packages_by_name", metadata.tables["packages"].c.name),
    Index("packages_by_system", metadata.tables["packages"].c.system_id),
    Index("release_problems_by_release", release_problems.c.release_id),
)
