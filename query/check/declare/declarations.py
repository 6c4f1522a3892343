"""What the files that are checked define themselves: packages, functions, variables and the rest."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class DeclaredPackage:
    """What a ``defpackage``, ``uiop:define-package`` or later ``export`` says of a package.

    All names are as the reader has them. ``copied`` are packages whose exports are exported again
    (``:reexport`` and its kin); ``complete`` is false when the package was only added to.
    """

    name: str
    nicknames: set[str] = field(default_factory=set)
    local_nicknames: dict[str, str] = field(default_factory=dict)
    uses: list[str] = field(default_factory=list)
    exports: dict[str, Place | None] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    shadows: set[str] = field(default_factory=set)
    interned: set[str] = field(default_factory=set)
    copied: list[str] = field(default_factory=list)
    complete: bool = False

    def joined(self, other: DeclaredPackage) -> DeclaredPackage:
        """What this and another form say of the same package."""
        return DeclaredPackage(
            self.name,
            self.nicknames | other.nicknames,
            self.local_nicknames | other.local_nicknames,
            list(dict.fromkeys(self.uses + other.uses)),
            {**other.exports, **self.exports},
            self.imports | other.imports,
            self.shadows | other.shadows,
            self.interned | other.interned,
            list(dict.fromkeys(self.copied + other.copied)),
            self.complete or other.complete,
        )


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file that is checked: line and column from 1."""

    path: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class DeclaredDefinition:
    """A definition in the files: who is defined (package as written or current, name), how and where.

    ``operator`` is the name of the defining macro; ``arglist`` the text of its lambda list, when it is
    one that tells how to call it. ``variant`` tells methods of one generic function apart.
    ``settled`` is false for one that stands where it may not be executed as it is (in a conditional
    that is not decided, in a macro's form).
    """

    package: str
    name: str
    operator: str
    kind: str
    arglist: str | None
    place: Place
    variant: str = ""
    settled: bool = True
    documented: bool = True


@dataclass(slots=True)
class Declarations:
    """Everything that the files define; ``entered`` are the packages that they are in."""

    entered: list[str] = field(default_factory=list)
    packages: dict[str, DeclaredPackage] = field(default_factory=dict)
    definitions: list[DeclaredDefinition] = field(default_factory=list)

    def declare(self, package: DeclaredPackage) -> None:
        """Note a package, or more about one."""
        known = self.packages.get(package.name)
        if known is None:
            self.packages[package.name] = package
        else:
            self.packages[package.name] = known.joined(package)

    def add(self, other: Declarations) -> None:
        """Take in what another file defines."""
        for package in other.packages.values():
            self.declare(package)
        self.definitions += other.definitions
        self.entered += [name for name in other.entered if name not in self.entered]
