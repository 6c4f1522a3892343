"""The answer of info, as a frozen dataclass."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc


@dataclass(frozen=True, slots=True)
class IndexInformation:
    """What an index holds and where it came from: the answer of info."""

    path: str = doc("the index file")
    size: int = doc("its size in bytes")
    format: int = doc("format number; other formats are refused")
    feature: int = doc("feature number; a lower one than this program's means: rebuild for more")
    rebuild_advised: bool = doc("true when a rebuild would add something")
    oblist: str = doc("version of oblist that built it")
    sbcl: str = doc("version of the indexed SBCL")
    machine: str = doc("machine and operating system of the indexed SBCL")
    features: list[str] = doc("the image's *features*")
    systems: list[str] = doc("systems that were asked for by name, or are the project's")
    dependencies: list[str] = doc("systems that were loaded because those need them")
    built: str = doc("when it was built, UTC")
    command: str = doc("the command that built it")
    packages: int = doc("number of packages")
    symbols: int = doc("number of symbols")
    definitions: int = doc("number of definitions")
    references: int = doc("number of references")
    problems: int = doc("number of problems")
    broken: str | None = doc("why the project does not load any more: condition, file and line; else null")
    snapshot_size: int | None = doc("bytes of the saved core that values are answered from; null: none here")
