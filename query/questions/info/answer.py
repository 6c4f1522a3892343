"""The answer of info, as a frozen dataclass."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc


@dataclass(frozen=True, slots=True)
class IndexInformation:
    """The contents and the origin of an index: the answer of info."""

    path: str = doc("the index file")
    size: int = doc("its size in bytes")
    format: int = doc("format number; other formats are refused")
    feature: int = doc("feature number; if lower than this program's, a rebuild adds data")
    rebuild_advised: bool = doc("true when a rebuild would add data")
    oblist: str = doc("version of oblist that built it")
    implementation: str = doc("name and version of the indexed Lisp, such as SBCL 2.2.9.debian")
    sbcl: str | None = doc("version of the indexed SBCL; null if another Lisp was indexed")
    left_out: list[str] = doc("parts that the producer of the index did not record, such as references")
    machine: str = doc("machine and operating system of the indexed Lisp")
    features: list[str] = doc("the image's *features*")
    systems: list[str] = doc("systems that were indexed by name, or that belong to the project")
    dependencies: list[str] = doc("other systems, loaded as dependencies")
    built: str = doc("time of the build, in UTC")
    command: str = doc("the command that built it")
    packages: int = doc("number of packages")
    symbols: int = doc("number of symbols")
    definitions: int = doc("number of definitions")
    references: int = doc("number of references")
    problems: int = doc("number of problems, including those in SBCL's own sources")
    sbcl_problems: int = doc("number of problems in SBCL's own sources; every index of that SBCL has these")
    not_loaded: list[str] = doc("what did not load when it was built, where, and why")
    last_good: list[str] = doc("systems that no longer load; the index has their last good state")
    changed_files: list[str] = doc("source files that have changed since the index was built")
    missing_files: list[str] = doc(
        "source files that are gone, although their folders still exist on this machine"
    )
    broken: str | None = doc("why the project no longer loads: condition, file and line; null if it loads")
    snapshot_size: int | None = doc(
        "size in bytes of the saved core from which values come; null if there is none on this machine"
    )
    snapshots_size: int = doc("size in bytes of all saved cores in this user's cache")
