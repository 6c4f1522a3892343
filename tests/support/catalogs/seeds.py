"""What every catalog's build begins with, copied: SBCL's own slice, and the base that has nothing loaded.

Making the two takes longer than making the slices of a few small libraries.
"""

from __future__ import annotations

import shutil
from importlib.metadata import version
from pathlib import Path

from oblist.indexer.catalog.store.results import Store, key_of
from oblist.indexer.format import FEATURE, FORMAT
from oblist.lisp.sbcl import code_fingerprint
from support.builds.small_sbcl import small_sbcl

MEGABYTES = 512
_BASE = "base.core"


def keep_base(folder: Path) -> None:
    """Keep the base with nothing in it of the build whose store is in ``folder``: the build deletes it."""
    kept = folder / _BASE
    if not kept.exists():
        shutil.copyfile(_base(folder / "store"), kept)


def seed_store(made: Path, store: Path) -> Path:
    """Give the new ``store`` what the one in the folder ``made`` has of SBCL alone; returns it."""
    for name in sbcl_names(made):
        (store / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(made / "store" / name, store / name)
    return seed_scratch(made, store)


def seed_scratch(made: Path, scratch: Path) -> Path:
    """Give the scratch folder ``scratch`` the base with nothing in it; returns the folder."""
    _base(scratch).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(made / _BASE, _base(scratch))
    return scratch


def seed_place(made: Path, location: str) -> None:
    """Write what the store in ``made`` has of SBCL alone to the store at a URL."""
    place = Store.at(location).place
    for name in sbcl_names(made):
        place.write(name, (made / "store" / name).read_bytes())


def sbcl_names(made: Path) -> list[str]:
    """The names in the store of SBCL's slice and of its rows."""
    (slice_,) = (made / "store" / "slices").glob("sbcl-*.db")
    return [f"slices/{slice_.name}", f"rows/{slice_.stem.rpartition('-')[2]}.db.gz"]


def _base(scratch: Path) -> Path:
    """The place of the base with nothing in it, as indexer/catalog/making/tasks.py calls it."""
    sbcl = small_sbcl()
    compiler = (code_fingerprint(sbcl), sbcl.version, version("oblist"), FORMAT, FEATURE)
    key = key_of(sbcl.version, compiler, (), (), MEGABYTES, str(scratch))
    return scratch / "bases" / f"{key}.core"
