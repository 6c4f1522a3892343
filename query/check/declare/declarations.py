"""The definitions in the checked files: packages, functions, variables and the rest."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple


@dataclass(slots=True)
class DeclaredPackage:
    """A package as ``defpackage``, ``uiop:define-package`` and later calls such as ``export`` declare it.

    All names are as the reader reads them. ``copied`` are packages whose exports are exported again
    (``:reexport`` and the like); ``complete`` is false if forms only added to the package. ``computed`` says
    that some of it is made when it is read or loaded, so that only an index knows all of it.
    """

    name: str
    nicknames: set[str] = field(default_factory=set)
    local_nicknames: dict[str, str] = field(default_factory=dict)
    uses: list[str] = field(default_factory=list)
    exports: dict[str, FormPlace | None] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    shadows: set[str] = field(default_factory=set)
    interned: set[str] = field(default_factory=set)
    copied: list[str] = field(default_factory=list)
    complete: bool = False
    computed: bool = False

    def joined(self, other: DeclaredPackage) -> DeclaredPackage:
        """The package as this and another form declare it together."""
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
            self.computed or other.computed,
        )


@dataclass(frozen=True, slots=True)
class FormPlace:
    """A place in a checked file: line and column from 1."""

    path: str
    line: int
    column: int

    def below(self, lines: int) -> FormPlace:
        """The place some lines further down."""
        return FormPlace(self.path, self.line + lines, self.column)


@dataclass(frozen=True, slots=True)
class DeclaredDefinition:
    """A definition in the files: package (as written, or the current one), name, kind and place.

    ``operator`` is the name of the defining macro; ``arglist`` is the text of its lambda list, if that says
    how to call it. ``variant`` distinguishes methods of one generic function. ``settled`` is false if the
    form may not be executed as written (in an undecided conditional, or in the form of a macro).
    """

    package: str
    name: str
    operator: str
    kind: str
    arglist: str | None
    place: FormPlace
    variant: str = ""
    settled: bool = True
    documented: bool = True
    within: str = ""
    """The package that the form is read in."""
    interned: bool = True
    """Whether reading the form creates the symbol: it is not written as one that another package exports."""
    text: str | None = None
    """The text of a DEFMACRO form of moderate length: its templates show which arguments are evaluated."""


class Circumstances(NamedTuple):
    """What the definitions in a toplevel form depend on besides its text."""

    package: str
    """The package that it is read in."""
    case: str
    column: int
    """The column that it begins in."""
    makers: tuple[str, ...]
    """The texts of the forms before it that concern packages."""


@dataclass(slots=True)
class FormDeclarations:
    """The definitions in one toplevel form, which hold in these circumstances, on whatever line it is."""

    circumstances: Circumstances
    line: int
    definitions: list[DeclaredDefinition] = field(default_factory=list)
    packages: list[DeclaredPackage] = field(default_factory=list)
    initargs: set[str] = field(default_factory=set)
    obscure: set[str] = field(default_factory=set)
    entered: str | None = None
    """The package after it, if it enters one."""

    def moved(self, line: int) -> FormDeclarations:
        """The same where the form begins on another line."""
        by = line - self.line
        if not by:
            return self
        return replace(
            self,
            line=line,
            definitions=[replace(one, place=one.place.below(by)) for one in self.definitions],
            packages=[
                replace(one, exports={name: at and at.below(by) for name, at in one.exports.items()})
                for one in self.packages
            ],
        )


@dataclass(slots=True)
class Declarations:
    """All definitions in the files; ``entered`` are the packages that the files are in."""

    entered: list[str] = field(default_factory=list)
    packages: dict[str, DeclaredPackage] = field(default_factory=dict)
    definitions: list[DeclaredDefinition] = field(default_factory=list)
    initargs: set[str] = field(default_factory=set)
    """The names of all initargs in defining forms."""
    obscure: set[str] = field(default_factory=set)
    """The names, upcased, in forms with a syntax of their own, which may define any of them."""
    is_whole: bool = True
    """Whether every form and string ends, in one file."""

    def defines(self, package: str) -> bool:
        """Whether a form defines a package, rather than adding to it."""
        return package in self.packages and self.packages[package].complete

    def declare(self, package: DeclaredPackage) -> None:
        """Add a package, or add to a known one."""
        known = self.packages.get(package.name)
        if known is None:
            self.packages[package.name] = package
        else:
            self.packages[package.name] = known.joined(package)

    def add(self, other: Declarations) -> None:
        """Add the definitions of another file."""
        for package in other.packages.values():
            self.declare(package)
        self.definitions += other.definitions
        self.initargs |= other.initargs
        self.entered += [name for name in other.entered if name not in self.entered]
