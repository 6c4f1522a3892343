"""The answers, as frozen dataclasses: the one source of --json, the Python API and docs/answers.md.

Unknown fields are None (null), never absent. The description of each field is its ``doc``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


def _doc(text: str, **options: Any) -> Any:
    return field(metadata={"doc": text}, **options)


@dataclass(frozen=True, slots=True)
class DefinitionAnswer:
    """One definition of a name."""

    kind: str = _doc("kind of definition, as `kinds` in the index lists them")
    name: str = _doc("exact name; `(SETF FOO)` for definitions of a setf function")
    qualifiers: str | None = _doc("method qualifiers, or the stage of an optimizer")
    specializers: str | None = _doc("specializers of a method, argument types of a transform")
    arglist: str | None = _doc("lambda list, symbols without package")
    ftype: str | None = _doc("declared or derived type")
    documentation: str | None = _doc("documentation string")
    value: str | None = _doc("value of a constant, or expansion of a symbol macro")
    deprecated: str | None = _doc("deprecation: early, late or final")
    deprecated_since: str | None = _doc("software and version since when it is deprecated")
    replacement: str | None = _doc("what to use instead of a deprecated name")
    path: str | None = _doc("absolute path of the source file, as a program can open it")
    recorded_path: str | None = _doc("source file as SBCL records it, often a logical pathname")
    root: str | None = _doc("name of the root that `relative_path` is relative to")
    relative_path: str | None = _doc("path of the source file below its root")
    line: int | None = _doc("line of the definition's own form, from 1")
    column: int | None = _doc("column of the definition's own form, from 1")
    offset: int | None = _doc("character offset of the definition's own form, from 0")
    end_line: int | None = _doc("last line of the definition's own form")
    system: str | None = _doc("ASDF system it belongs to")
    defined_by: str | None = _doc("the macro that defines it")
    callers: int | None = _doc("number of distinct definitions that call or expand it")


@dataclass(frozen=True, slots=True)
class DescribeAnswer:
    """What a name is: the answer of describe."""

    name: str = _doc("exact name of the symbol")
    package: str = _doc("home package; where it was found for a symbol without home")
    written: str = _doc("the form to type back, such as `alexandria:flatten`")
    type: str = _doc("macro, generic-function, function, class, variable or symbol: the first that holds")
    status: str = _doc("status in the package asked in: external, internal or inherited")
    arglist: str | None = _doc("lambda list; null when SBCL does not know it")
    documentation: str | None = _doc("the first there is of function, variable, type")
    documentation_kind: str | None = _doc("which of the three `documentation` is")
    value: str | None = _doc("value, printed as the text contract says")
    value_from: str | None = _doc('"constant", "live" or null')
    path: str | None = _doc("absolute path of the source file of the definition that gave the type")
    recorded_path: str | None = _doc("the same file as SBCL records it")
    root: str | None = _doc("name of the root that `relative_path` is relative to")
    relative_path: str | None = _doc("path of the source file below its root")
    line: int | None = _doc("line of the definition's own form, from 1")
    column: int | None = _doc("column of the definition's own form, from 1")
    offset: int | None = _doc("character offset of the definition's own form, from 0")
    end_line: int | None = _doc("last line of the definition's own form")
    ftype: str | None = _doc("declared or derived type")
    see_also: list[str] = _doc("what a person would look at next")
    kinds: list[str] = _doc("all kinds of definitions of the name")
    exported_from: list[str] = _doc("packages in which the symbol is external")
    stale: bool | None = _doc("true when the source file changed since; null when unknown")
    note: str | None = _doc("what to know about the name as it was typed")
    definitions: list[DefinitionAnswer] = _doc("all definitions of the name")


@dataclass(slots=True)  # not frozen: a list has thousands, and frozen ones take five times as long to make
class AproposMatch:
    """One symbol that apropos found."""

    name: str = _doc("exact name")
    package: str = _doc("home package; where it was found for a symbol without home")
    type: str = _doc("macro, generic-function, function, class, variable or symbol")
    status: str = _doc("status in the package asked in: external, internal or inherited")


@dataclass(frozen=True, slots=True)
class AproposAnswer:
    """The symbols whose names contain a pattern: the answer of apropos."""

    pattern: str = _doc("the pattern as given")
    package: str | None = _doc("name of the package asked in")
    type: str | None = _doc("the type asked for")
    total: int = _doc("how many match, whatever the limit")
    offset: int = _doc("how many matches were left out at the front")
    matches: list[AproposMatch] = _doc("the matches by name, then package, in code point order")


@dataclass(frozen=True, slots=True)
class NotFound:
    """A negative answer: the question was understood, and this is why there is nothing."""

    error: str = _doc("package-not-found, symbol-not-found, invalid-name or invalid-type")
    message: str = _doc("the text contract's message")
    reason: str | None = _doc("why, in a sentence")
    suggestions: list[str] = _doc("names to try instead, as one types them")


@dataclass(frozen=True, slots=True)
class IndexInformation:
    """What an index holds and where it came from: the answer of info."""

    path: str = _doc("the index file")
    size: int = _doc("its size in bytes")
    format: int = _doc("format number; other formats are refused")
    feature: int = _doc("feature number; a lower one than this program's means: rebuild for more")
    rebuild_advised: bool = _doc("true when a rebuild would add something")
    oblist: str = _doc("version of oblist that built it")
    sbcl: str = _doc("version of the indexed SBCL")
    machine: str = _doc("machine and operating system of the indexed SBCL")
    features: list[str] = _doc("the image's *features*")
    systems: list[str] = _doc("systems that were asked for by name, or are the project's")
    dependencies: list[str] = _doc("systems that were loaded because those need them")
    built: str = _doc("when it was built, UTC")
    command: str = _doc("the command that built it")
    packages: int = _doc("number of packages")
    symbols: int = _doc("number of symbols")
    definitions: int = _doc("number of definitions")
    references: int = _doc("number of references")
    problems: int = _doc("number of problems")


@dataclass(frozen=True, slots=True)
class DefinitionPlace:
    """Where one definition stands, and where its text is in the text of an answer."""

    kind: str = _doc("kind of definition, as `kinds` in the index lists them")
    qualifiers: str | None = _doc("method qualifiers, or the stage of an optimizer")
    specializers: str | None = _doc("specializers of a method, argument types of a transform")
    defined_by: str | None = _doc("the macro that defines it")
    system: str | None = _doc("ASDF system it belongs to; `sbcl` for SBCL's own")
    system_version: str | None = _doc("version of that system")
    path: str | None = _doc("absolute path of the source file, as a program can open it")
    recorded_path: str | None = _doc("source file as SBCL records it, often a logical pathname")
    root: str | None = _doc("name of the root that `relative_path` is relative to")
    relative_path: str | None = _doc("path of the source file below its root")
    line: int | None = _doc("line of the definition's own form, or of the toplevel form around it, from 1")
    column: int | None = _doc("column of the definition's own form, from 1")
    end_line: int | None = _doc("last line of the definition's own form")
    from_source: bool = _doc("true when the text is source text, false when it is a placeholder")
    text_offset: int = _doc("where its text begins in `text` of the answer, in characters from 0")
    text_length: int = _doc("how long its text is, in characters")


@dataclass(frozen=True, slots=True)
class DefinitionTextAnswer:
    """The text of all definitions of a name: the answer of definition."""

    name: str = _doc("exact name of the symbol; `(SETF FOO)` when only that was asked for")
    package: str = _doc("home package; where it was found for a symbol without home")
    written: str = _doc("the form to type back, such as `alexandria:flatten`")
    heading: str = _doc("the same in the case it is printed in, such as `ALEXANDRIA:FLATTEN`")
    total: int = _doc("how many definitions the name has")
    text: str = _doc("a comment line for each definition, then its text; cut at the length asked for")
    characters: int = _doc("length of the whole text, in characters")
    truncated: bool = _doc("true when `text` is not the whole")
    packages: dict[str, list[str]] | None = _doc(
        "symbols that the source text names, by home package, if asked"
    )
    note: str | None = _doc("what to know about the name as it was typed")
    definitions: list[DefinitionPlace] = _doc("the definitions whose text is shown, at least in part")


@dataclass(frozen=True, slots=True)
class ReferenceAnswer:
    """One use of a symbol by code."""

    relation: str = _doc("calls, macroexpands, references, sets, binds or specializes")
    callee: str = _doc("what is used, as one writes it: `foo:bar`, `(setf foo:bar)`")
    callee_package: str | None = _doc("its home package")
    callee_kind: str | None = _doc("kind of its definition that is used, where there is one")
    caller: str = _doc("who uses it, as one writes it: `foo:bar`, `(setf foo:bar)`, `(method foo:bar (t))`")
    caller_package: str | None = _doc("home package of the caller's name")
    caller_kind: str | None = _doc("kind of the caller's definition; null for code that belongs to none")
    path: str | None = _doc("absolute path of the source file of the use")
    line: int | None = _doc("line of the use, from 1")
    column: int | None = _doc("column, from 1, where the text names the callee; else null")
    in_expansion_of: str | None = _doc("else the macro or inline function in whose expansion the use is")
    text: str | None = _doc("the text of that line")


@dataclass(frozen=True, slots=True)
class XrefAnswer:
    """Who uses a name, or what it uses: the answer of xref."""

    name: str = _doc("exact name of the symbol; `(SETF FOO)` when that was asked for")
    package: str = _doc("home package; where it was found for a symbol without home")
    written: str = _doc("the form to type back, such as `alexandria:flatten`")
    relation: str | None = _doc("the relation asked for; null for all")
    direction: str = _doc('"callers" (who uses it) or "callees" (what it uses)')
    total: int = _doc("how many references there are, whatever the limit")
    callers: int | None = _doc("how many distinct callers they have; null when callees were asked for")
    callees: int | None = _doc("how many distinct callees they have; null when callers were asked for")
    offset: int = _doc("how many references were left out at the front")
    reason: str | None = _doc("why there are none")
    note: str | None = _doc("what to know about the name as it was typed, or about the answer")
    references: list[ReferenceAnswer] = _doc(
        "by the other side's package and name, then path, line and column"
    )


@dataclass(frozen=True, slots=True)
class XrefNode:
    """A caller, or a callee, in a tree of them."""

    name: str = _doc("what it is, as one writes it: `foo:bar`, `(method foo:bar (t))`")
    package: str | None = _doc("home package of its name")
    kind: str | None = _doc("kind of its definition, where there is one")
    uses: int = _doc("how many references there are between it and the node above")
    path: str | None = _doc("absolute path of the source file of the first of them")
    line: int | None = _doc("line of the first of them, from 1")
    cycle: bool = _doc("true when it stands above itself already; it is not followed again")
    children: list[XrefNode] = _doc("its callers, or callees, in turn")
    cut: int | None = _doc("how many children were left out; null when they were not looked for")


@dataclass(frozen=True, slots=True)
class XrefTreeAnswer:
    """Callers of callers, or callees of callees: the answer of xref with a depth."""

    name: str = _doc("exact name of the symbol; `(SETF FOO)` when that was asked for")
    package: str = _doc("home package; where it was found for a symbol without home")
    written: str = _doc("the form to type back, such as `alexandria:flatten`")
    relation: str | None = _doc("the relation asked for; null for all")
    direction: str = _doc('"callers" (who uses it) or "callees" (what it uses)')
    depth: int = _doc("how many steps were followed")
    nodes: int = _doc("how many nodes the tree shows")
    reason: str | None = _doc("why there are none")
    note: str | None = _doc("what to know about the name as it was typed")
    children: list[XrefNode] = _doc("its callers, or callees")
    cut: int | None = _doc("how many of them were left out")


@dataclass(frozen=True, slots=True)
class SearchMatch:
    """One symbol that a search found."""

    name: str = _doc("exact name")
    package: str = _doc("home package")
    written: str = _doc("the form to type back")
    type: str = _doc("macro, generic-function, function, class, variable or symbol")
    status: str = _doc("external when a package exports it, else internal")
    match: str = _doc("how it matches: exact, prefix, word, infix, documentation or some words")
    callers: int = _doc("number of distinct definitions that call or expand it")
    summary: str | None = _doc("first line of its documentation")


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The symbols that words lead to, the best first: the answer of search."""

    query: str = _doc("the words as given")
    understood: str = _doc("how the words were taken")
    total: int = _doc("how many match, whatever the limit")
    offset: int = _doc("how many matches were left out at the front")
    matches: list[SearchMatch] = _doc("the matches, the best first")


@dataclass(frozen=True, slots=True)
class PackageExport:
    """One exported symbol of a package."""

    name: str = _doc("exact name")
    type: str = _doc("macro, generic-function, function, class, variable or symbol")
    package: str = _doc("home package")
    summary: str | None = _doc("first line of its documentation")


@dataclass(frozen=True, slots=True)
class PackageAnswer:
    """What a package offers, and whom it uses: the answer of package."""

    name: str = _doc("name")
    documentation: str | None = _doc("documentation string")
    locked: bool = _doc("true when the package is locked")
    nicknames: list[str] = _doc("global nicknames")
    local_nicknames: dict[str, str] = _doc("package-local nicknames, with the packages they stand for")
    uses: list[str] = _doc("packages whose external symbols it inherits, in order")
    used_by: list[str] = _doc("packages that use it")
    present: int = _doc("number of symbols present in it")
    exports: list[PackageExport] = _doc("its external symbols by name")


ANSWERS = (
    DescribeAnswer,
    DefinitionAnswer,
    AproposAnswer,
    AproposMatch,
    DefinitionTextAnswer,
    DefinitionPlace,
    XrefAnswer,
    ReferenceAnswer,
    XrefTreeAnswer,
    XrefNode,
    SearchAnswer,
    SearchMatch,
    PackageAnswer,
    PackageExport,
    NotFound,
    IndexInformation,
)
