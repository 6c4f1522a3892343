"""The answer of info as text; pure."""

from __future__ import annotations

from oblist.indexer.left_out import REFERENCES

from ...index.shown import shown_name
from .answer import IndexInformation

_MOST_FILES = 20


def information_text(answer: IndexInformation) -> str:
    """Return the text of info, one fact per line."""
    return "\n".join(f"{name:<12} {value}" for name, value in facts_of(answer))


def facts_of(answer: IndexInformation) -> list[tuple[str, str]]:
    """Return the facts in their order, each with what it is about; a list of files has a fact a file."""
    advice = "  (a rebuild with `oblist index` would add data)" if answer.rebuild_advised else ""
    return [
        ("index", answer.path),
        ("size", f"{answer.size / 1e6:.1f} MB"),
        ("format", f"{answer.format}, feature {answer.feature}{advice}"),
        ("built", f"{answer.built} by oblist {answer.oblist}: {answer.command}"),
        ("image", f"{answer.implementation} on {answer.machine}"),
        *([("left out", _left_out(answer))] if answer.left_out else []),
        (
            "systems",
            ", ".join(answer.systems)
            or ("none" if answer.not_loaded else f"none: {answer.implementation.partition(' ')[0]} itself"),
        ),
        *(("not loaded", shown_name(failure)) for failure in answer.not_loaded),
        *(("changed", shown_name(one)) for one in _first(answer.changed_files)),
        *(("gone", shown_name(one)) for one in _first(answer.missing_files)),
        ("needing", ", ".join(answer.dependencies) or "no others"),
        ("packages", f"{answer.packages:,}"),
        ("symbols", f"{answer.symbols:,}"),
        ("definitions", f"{answer.definitions:,}"),
        ("references", "not recorded" if REFERENCES in answer.left_out else f"{answer.references:,}"),
        ("problems", _problems(answer)),
        *([("broken", shown_name(answer.broken))] if answer.broken else []),
        ("snapshot", _snapshot(answer)),
    ]


def _no_systems(answer: IndexInformation) -> str:
    """What there is without any system that was asked for."""
    return "none" if answer.not_loaded else f"none: {answer.implementation.partition(' ')[0]} itself"


def _left_out(answer: IndexInformation) -> str:
    """The parts that were not recorded."""
    return f"{', '.join(answer.left_out)} (not recorded by the producer of this index)"


def _problems(answer: IndexInformation) -> str:
    """The number of problems, as `oblist index` counts them, and that of SBCL's own."""
    own = f"{answer.problems - answer.sbcl_problems:,}"
    return f"{own}, and {answer.sbcl_problems:,} in SBCL's own sources" if answer.sbcl_problems else own


def _first(files: list[str]) -> list[str]:
    """The first of many files, and how many more there are."""
    more = len(files) - _MOST_FILES
    return [*files[:_MOST_FILES], f"and {more} more"] if more > 0 else files


def _snapshot(answer: IndexInformation) -> str:
    """The saved image of this index, and all of them together, which `oblist cores` lists."""
    own = f"{answer.snapshot_size / 1e6:.1f} MB" if answer.snapshot_size else "none"
    everything = f" (all snapshots: {answer.snapshots_size / 1e6:.1f} MB)" if answer.snapshots_size else ""
    return own + everything
