"""What ``NEW`` names: an index, a release of the catalog, the sources of a library, or an SBCL."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from oblist.indexer.format import read_file_header
from oblist.lisp.unfinished import temporary_folder

from ..index.reading import Reading
from ..processes.build import BuildProcess
from . import sql
from .library import ForecastError

_SECONDS = 3_600.0


@contextmanager
def newer_index(text: str, release: Callable[[str], str], stage: Callable[[str], None]) -> Iterator[Path]:
    """A context with the path of the index of what ``text`` names; a temporary index ends with it.

    A folder or an SBCL is indexed into a temporary file: for a folder, this runs the code in it. ``release``
    finds the index of a release of the catalog. Raises ForecastError.
    """
    path = Path(text)
    if path.is_dir():
        with _built([f"--project={path.resolve()}"], f"indexing {path}", stage) as index:
            yield index
    elif path.is_file():
        if read_file_header(path) is not None:
            yield path
        elif os.access(path, os.X_OK):
            with _built(
                [f"--sbcl={path.resolve()}", "--no-userinit"], f"indexing {path}", stage, is_sbcl=True
            ) as index:
                yield index
        else:
            raise ForecastError(f"{text} is neither an index nor an executable SBCL.")
    elif "@" in text and os.sep not in text:
        yield Path(release(text))
    else:
        raise ForecastError(
            f"{text}: there is no such file or folder. Name an index, a folder with a library's sources, "
            "an SBCL, or a release of the catalog, such as drakma@2.0.9."
        )


@contextmanager
def _built(
    arguments: list[str], what: str, stage: Callable[[str], None], *, is_sbcl: bool = False
) -> Iterator[Path]:
    """An index that is built in a temporary folder."""
    with temporary_folder("oblist-forecast-") as temporary:
        index = temporary / "oblist.db"
        stage(what)
        for further in ([], ["--tests"]):
            process = BuildProcess([*arguments, *further, f"--output={index}", "--no-snapshot"])
            outcome = process.run(lambda one: stage(f"{what}: {one}"), _SECONDS)
            if not outcome.success:
                raise ForecastError(f"{what} failed: {outcome.text}")
            with Reading(index) as reading:
                # What is called a test may be the library: one of those that help to test.
                if is_sbcl or any(row[2] for row in reading.rows(sql.SYSTEMS)):
                    break
        yield index
