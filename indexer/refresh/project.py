"""Refresh: the base of a project -> its index, with the project as it is now.

An image of the base loads the project, just as a build does when everything is already compiled
(lisp/prepare/refresh.lisp). The result replaces the index by rename.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from oblist.lisp.sbcl import Setup, start_refresh

from ..build.facts import moment
from ..image import Image, ImagePlan
from ..records import Problem, Record
from .base import Base, Progress
from .present import Present, ProjectBrokenError

if TYPE_CHECKING:
    from .translator import Translator


class RefreshImage(Image):
    """A saved base that loads the project and dumps it, or saves it as ``core``."""

    def __init__(
        self,
        base: Base,
        systems: Sequence[str],
        setup: Setup,
        *,
        changed: Sequence[str] | None = None,
        loaded: Iterable[str] = (),
        core: Path | None = None,
    ) -> None:
        """``loaded`` are the systems that the present index has: it ends if one of them does not load."""
        assert setup.projects, "only projects have a base"
        self._start(
            ImagePlan(base.sbcl, systems, setup),
            lambda records, output, again: start_refresh(
                base.sbcl,
                base.code,
                base.core,
                setup.folder,
                records,
                output,
                changed=() if again else changed,
                loaded=loaded,
                snapshot=core,
                again=again,
            ),
        )


def write_refreshed(
    base: Base,
    new: Path,
    systems: Sequence[str],
    setup: Setup,
    *,
    facts: Mapping[str, str],
    present: Present,
    changed: Sequence[str] | None = None,
    progress: Progress = lambda _: None,
    store_sources: bool = True,
) -> list[Problem]:
    """Write the index of the project as it is now to the file ``new``, on a copy of its base.

    Returns what did not load and is a problem of the new index.

    ``present`` is what the present index has loaded: if any of it fails, ProjectBrokenError is raised, and
    whatever else fails is a problem of the new index. ``facts`` are further rows of its table meta;
    ``changed`` are the sources whose fasls may be out of date, None when that is not known. Raises
    ProjectBrokenError, ImageError, ContradictionError, and whatever the driver raises.
    """
    started = datetime.now(UTC)
    not_loaded = []
    progress("loading")
    with RefreshImage(base, systems, setup, changed=changed, loaded=present.systems) as image:
        shutil.copyfile(base.index, new)  # while the image loads
        with _translator(new, store_sources) as translator:
            for record in image.records():
                if _is_failure(record):
                    if translator.is_new(record) and present.is_broken_by(record):
                        raise ProjectBrokenError(record)
                    not_loaded.append(record)
                translator.write(record)
            all_facts = {
                **facts,
                "features": " ".join(translator.header.features),
                "started": moment(started),
                "built": moment(datetime.now(UTC)),
                "complete": "1",
            }
            translator.conclude(all_facts)
    return not_loaded


def _is_failure(record: Record) -> TypeGuard[Problem]:
    return isinstance(record, Problem) and record.stage == "load"


@contextmanager
def _translator(new: Path, store_sources: bool) -> Iterator[Translator]:
    """A translator that writes to ``new``, a copy of the base."""
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    from ..write.rows import UNPUBLISHED
    from .translator import Translator

    engine = create_engine(f"sqlite:///{new}", poolclass=NullPool)
    with engine.connect() as connection:
        for pragma in UNPUBLISHED:
            connection.exec_driver_sql(pragma)
        yield Translator(connection, store_sources=store_sources)
