"""The answer of definition, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc, incomplete_field, outdated_field
from ...index.answer_place import AnswerLines, with_place
from ...index.finding.guessed import guessed_field
from ...index.standpoint.seen_from import SeenFrom, seen_from


@with_place(before="from_source")
@dataclass(frozen=True, slots=True)
class DefinitionPlace(AnswerLines):
    """The place of one definition, and where the text of the answer has its text."""

    kind: str = doc("kind of the definition, one of those in the index's table `kinds`")
    qualifiers: str | None = doc("method qualifiers, or the stage of an optimizer")
    specializers: str | None = doc("specializers of a method, or argument types of a transform")
    defined_by: str | None = doc("the macro that defines it")
    system: str | None = doc("ASDF system it belongs to; `sbcl` for SBCL's own")
    system_version: str | None = doc("version of that system")
    from_source: bool = doc(
        "true when the text is source text, false when it is a rebuilt form or a placeholder"
    )
    text_offset: int = doc("offset of its text in the answer's `text`, in characters from 0")
    text_length: int = doc("length of its text, in characters")
    digest: str | None = doc(
        "the digest that edit_form requires, to make sure that it changes this text; null outside the project"
    )


@dataclass(frozen=True, slots=True)
class DefinitionTextAnswer:
    """The text of all definitions of a name: the answer of definition."""

    name: str = doc("exact name of the symbol; `(SETF FOO)` if that was asked for")
    package: str = doc("home package; for a symbol without one, the package in which it was found")
    written: str = doc("the name as you would type it, such as `alexandria:flatten`")
    heading: str = doc("the name as SBCL prints it, such as `ALEXANDRIA:FLATTEN`")
    total: int = doc("number of definitions of the name, or of methods with the specializers asked for")
    offset: int = doc("number of definitions skipped")
    text: str = doc("a comment line for each definition, then its text; cut at the requested length")
    characters: int | None = doc(
        "length of the whole text, in characters; null for a name with very many definitions, of which only"
        " those shown are read"
    )
    truncated: bool = doc("true when `text` was cut")
    packages: dict[str, list[str]] | None = doc(
        "symbols that the source text names, by home package; null unless asked for"
    )
    note: str | None = doc("a remark about the name as typed")
    definitions: list[DefinitionPlace] = doc("the definitions whose text is shown, at least in part")
    incomplete: str | None = incomplete_field()
    outdated: str | None = outdated_field()
    seen_from: SeenFrom | None = seen_from()
    guessed: str | None = guessed_field()
