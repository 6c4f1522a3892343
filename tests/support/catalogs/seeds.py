"""What every catalog's build begins with, copied: SBCL's own slice.

Making it takes longer than making the slices of a few small libraries.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from oblist.indexer.catalog.store.results import Store

MEGABYTES = 512


def seed_store(made: Path, store: Path) -> Path:
    """Give the new ``store`` what the one in the folder ``made`` has of SBCL alone; returns it."""
    for name in sbcl_names(made):
        (store / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(made / "store" / name, store / name)
    return store


def seed_place(made: Path, location: str) -> None:
    """Write what the store in ``made`` has of SBCL alone to the store at a URL."""
    place = Store.at(location).place
    for name in sbcl_names(made):
        place.write(name, (made / "store" / name).read_bytes())


def sbcl_names(made: Path) -> list[str]:
    """The names in the store of SBCL's slice and of its rows."""
    (slice_,) = (made / "store" / "slices").glob("sbcl-*.db")
    return [f"slices/{slice_.name}", f"rows/{slice_.stem.rpartition('-')[2]}.db.gz"]
