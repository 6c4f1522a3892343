"""Make an index of any size out of a real one, by the writer that makes real ones.

python tests/bench/growth/generate.py OUTPUT --symbols 300000 [--base INDEX] [--seed 1]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    sys.path.insert(0, str(Path(__file__).parents[2]))

from growth.material import Material
from growth.parts import TooSmallError
from growth.stream import GrowthStream
from oblist.indexer.write.assemble import write_index
from oblist.indexer.write.facts import Build

SEED = 1
_ROOM = 1.3  # of the size that is to be expected; a build also needs room for sorting


class NoRoomError(OSError):
    """The disk has too little room for an index."""

    def __init__(self, folder: Path, needed: int, free: int) -> None:
        super().__init__(
            f"An index of this size takes about {needed / 1e9:.1f} GB, but {folder} has {free / 1e9:.1f} GB"
            " left. Choose a folder on another disk, or fewer symbols."
        )


class _Texts(Mapping[str, str]):
    """The files with the texts of sources, by the paths that any world gives them."""

    def __init__(self, material: Material, folder: Path) -> None:
        self._numbers = {path: number for number, _, path, _ in material.files if path}
        self._folder = folder

    def __getitem__(self, path: str) -> str:
        own = "/" + path.split("/", 3)[3] if path.startswith("/growth/") else path
        return str(self._folder / str(self._numbers[own]))

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


def check_room(material: Material, symbols: int, folder: Path) -> None:
    """Raise NoRoomError unless an index with that many ``symbols`` fits on the disk of ``folder``."""
    needed = int(material.path.stat().st_size * symbols / len(material.symbols) * _ROOM)
    disk = os.statvfs(folder)
    free = disk.f_bavail * disk.f_frsize
    if needed > free:
        raise NoRoomError(folder, needed, free)


def generate(base: Path, output: Path, symbols: int, seed: int = SEED) -> None:
    """Write an index with a number of ``symbols`` to ``output``, made of the index ``base``.

    Raises parts.TooSmallError and NoRoomError.
    """
    material = Material(base)
    output.parent.mkdir(parents=True, exist_ok=True)
    check_room(material, symbols, output.parent)
    stream = GrowthStream(material, symbols, seed)
    new = output.with_name(f".{output.name}.building")
    new.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent) as folder:
        material.write_texts(Path(folder))
        build = Build(f"growth {symbols} {seed}", datetime.now(UTC))
        try:
            texts = _Texts(material, Path(folder))
            write_index(new, stream.records(), build, lambda _: None, texts=texts)
            new.replace(output)
        finally:
            new.unlink(missing_ok=True)


def main() -> None:
    """Make one index, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--symbols", type=int, required=True)
    parser.add_argument("--base", type=Path, required=True, help="the real index to make it of")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--json", action="store_true", help="print what it took as JSON")
    arguments = parser.parse_args()
    start = time.perf_counter()
    try:
        generate(arguments.base, arguments.output, arguments.symbols, arguments.seed)
    except (NoRoomError, TooSmallError) as error:
        raise SystemExit(str(error)) from error
    taken = {
        "seconds": round(time.perf_counter() - start, 1),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "file_mb": round(arguments.output.stat().st_size / 1e6),
    }
    print(json.dumps(taken) if arguments.json else ", ".join(f"{name} {one}" for name, one in taken.items()))


if __name__ == "__main__":
    main()
