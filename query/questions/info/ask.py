"""info: the contents of an index, and when and from what it was built."""

from __future__ import annotations

from oblist.indexer.format import FEATURE, user_cache_folder
from oblist.lisp.build_records import BuildRecords

from ...index.reading import Reading
from ..problems.owners import problems_of_sbcl
from . import sql
from .answer import IndexInformation
from .parameters import InfoParameters


def information(index: Reading, _: InfoParameters) -> IndexInformation:
    """Answer info from ``index``."""
    facts = index.facts
    (row,) = index.rows(sql.COUNTS)
    systems = index.rows(sql.SYSTEMS)
    cores = _core_sizes()
    states = index.source_states()
    return IndexInformation(
        path=str(index.path),
        size=index.path.stat().st_size,
        format=int(facts["format"]),
        feature=index.feature,
        rebuild_advised=index.feature < FEATURE,
        oblist=facts["oblist"],
        implementation=index.implementation,
        sbcl=index.sbcl,
        left_out=sorted(index.left_out),
        machine=facts["machine"],
        features=facts["features"].split(),
        systems=[name for name, asked in systems if asked],
        dependencies=[name for name, asked in systems if not asked],
        built=facts["built"],
        command=facts["command"],
        **sql.CountsRow(*row)._asdict(),
        sbcl_problems=problems_of_sbcl(index),
        not_loaded=_not_loaded(index),
        last_good=sorted(index.last_good),
        changed_files=sorted(path for path, state in states.items() if state == "changed"),
        missing_files=sorted(path for path, state in states.items() if state == "gone"),
        broken=index.broken,
        snapshot_size=cores.get(facts.get("build_id", "")),
        snapshots_size=sum(cores.values()),
    )


def _not_loaded(index: Reading) -> list[str]:
    """What did not load, in one line each."""
    if not index.has_load_failures:
        return []
    from ...index.incomplete import failure_text, load_failures

    return [failure_text(index, one) for one in load_failures(index)]


def _core_sizes() -> dict[str, int]:
    """The sizes of the saved images in the user's cache, by build id."""
    try:
        records = BuildRecords(user_cache_folder())
    except RuntimeError:  # a user without a home folder has no cache either
        return {}
    return {one.record.build_id: one.size for one in records.saved()}
