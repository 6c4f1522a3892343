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


@dataclass(frozen=True, slots=True)
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
    systems: list[str] = _doc("systems that were loaded by name")
    built: str = _doc("when it was built, UTC")
    command: str = _doc("the command that built it")
    packages: int = _doc("number of packages")
    symbols: int = _doc("number of symbols")
    definitions: int = _doc("number of definitions")
    references: int = _doc("number of references")
    problems: int = _doc("number of problems")


ANSWERS = (DescribeAnswer, DefinitionAnswer, AproposAnswer, AproposMatch, NotFound, IndexInformation)
