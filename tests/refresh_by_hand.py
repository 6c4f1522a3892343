"""A refresh step by step: a base of a project, its refreshed index, a full rebuild, what differs."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from indexer.assemble import write_index
from indexer.check import contradictions, differences
from indexer.format import user_cache_folder
from indexer.records import End, Problem, Record, read_record
from indexer.refresh_writer import RefreshWriter
from lisp.sbcl import DUMPER, PREPARE, Sbcl, Setup, compiled_code, load_form, sbcl_arguments

_PRAGMAS = (
    *("journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE"),
    *("temp_store = MEMORY", "cache_size = -131072"),
)
_SECONDS = 300
_PACKAGES = Path(__file__).resolve().parent.parent


class NotCompilableError(Exception):
    """The project does not compile or load as it is; the message says why."""


@dataclass
class ByHand:
    """A project in ``project`` and, in ``work``, its base, its refreshed index and the full rebuild."""

    sbcl: Sbcl
    project: Path
    work: Path
    output: str = ""  # what SBCL printed last
    _definitions: dict[str, bytes] = field(default_factory=dict)  # the .asd files that the base was made of

    def __post_init__(self) -> None:
        self.work.mkdir(parents=True, exist_ok=True)
        self._code = compiled_code(self.sbcl, user_cache_folder())
        self.base, self.core = self.work / "base.db", self.work / "base.core"
        self.refreshed, self.rebuilt = self.work / "refreshed.db", self.work / "rebuilt.db"
        self._fasls = self.work / "fasl"

    def environment(self, fasls: Path | None = None) -> dict[str, str]:
        return {
            **os.environ,
            # The project's compiled files only; those of what it depends on are the user's, as always.
            "ASDF_OUTPUT_TRANSLATIONS": f"{self.project.resolve()}/:{fasls or self._fasls}/:",
            "OBLIST_NO_SNAPSHOT": "1",
            "PYTHONPATH": f"{_PACKAGES}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
        }

    # The base

    def make_base(self) -> None:
        """Load what the project depends on, index it and save it as a core.

        An image that compiled has read what it compiled, and so has symbols that others have not:
        then once more.
        """
        self._make_base()
        if self._compiled():
            self._make_base()

    def _compiled(self) -> bool:
        return "; compiling file" in self.output

    def _make_base(self) -> None:
        self.core.unlink(missing_ok=True)
        self.base.unlink(missing_ok=True)
        forms = [load_form(self._code / PREPARE)]
        environment = {
            **self.environment(),
            **Setup(project=self.project).environment(),
            "OBLIST_SYSTEMS": "",
            "OBLIST_SNAPSHOT": str(self.core),
        }

        def arguments(records: int) -> list[str]:
            steps = [
                f"(oblist::prepare-base {records})",
                '(require "SB-INTROSPECT")',
                load_form(self._code / DUMPER),
                f'(oblist::dump "{records}")',
                "(oblist::await-snapshot)",
                "(sb-ext:exit :code 0 :abort t)",
            ]
            return sbcl_arguments(self.sbcl, [*forms, f"(progn {' '.join(steps)})"])

        records = self._run(arguments, environment)
        self._definitions = self._definition_files()
        write_index(self.base, records, "tests", lambda _: None, build_id="", started=datetime.now(UTC))
        assert self.core.exists(), self.output[-2000:]

    def _definition_files(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in self.project.rglob("*.asd")}

    def base_is_current(self) -> bool:
        """Whether the definitions of systems are those that the base was made of."""
        return self._definitions == self._definition_files()

    # The refresh

    def refresh(self) -> None:
        """Make the refreshed index; NotCompilableError when the project does not compile or load."""
        if not self.base_is_current():
            self.make_base()
        records = self._load_and_dump()
        shutil.copyfile(self.base, self.refreshed)
        engine = create_engine(f"sqlite:///{self.refreshed}", poolclass=NullPool)
        with engine.connect() as connection:
            raw = connection.connection.driver_connection
            assert isinstance(raw, sqlite3.Connection)
            for pragma in _PRAGMAS:
                raw.execute(f"PRAGMA {pragma}")
            writer = RefreshWriter(connection)
            for record in records:
                writer.write(record)
            connection.commit()
            writer.conclude({"complete": "1"})

    def _load_and_dump(self) -> list[Record]:
        environment = {
            **self.environment(),
            "OBLIST_DUMPER": str(self._code / DUMPER),
            "OBLIST_CHANGED": "*",
        }

        def arguments(records: int) -> list[str]:
            environment["OBLIST_RECORDS"] = str(records)
            core = ["--core", str(self.core), "--noinform", "--disable-ldb", "--lose-on-corruption"]
            return [str(self.sbcl.path), *core, "--end-runtime-options"]

        records = self._run(arguments, environment)
        for record in records:
            if isinstance(record, Problem) and record.stage == "load":
                raise NotCompilableError(f"{record.path}:{record.line}: {record.message}")
        return records

    def _run(self, arguments, environment: dict[str, str]) -> list[Record]:  # type: ignore[no-untyped-def]
        """Start SBCL with the ``arguments`` for a descriptor; the records that it writes there."""
        read_end, write_end = os.pipe()
        with (self.work / "output").open("w+b") as output:
            command = arguments(write_end)
            process = subprocess.Popen(
                command,
                env=environment,
                cwd=self.project,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=(write_end,),
            )
            os.close(write_end)
            with os.fdopen(read_end, "rb") as stream:
                records = [read_record(line) for line in stream.read().split(b"\n") if line]
            process.wait(_SECONDS)
            output.seek(0)
            self.output = output.read().decode("utf-8", "replace")
        if not records or not isinstance(records[-1], End):
            raise NotCompilableError(f"No records: {self.output[-1000:]}")
        return records

    # The rebuild, and what differs

    def rebuild(self, *, alone: bool = False) -> bool:
        """Index the project anew; whether all of it loaded. ``alone``: with compiled files of its own."""
        fasls = self.work / "fasl-of-rebuild" if alone else self._fasls
        if alone:
            # Once to compile: an image that compiled has symbols that others have not.
            self._build(fasls)
        return self._build(fasls)

    def _build(self, fasls: Path) -> bool:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "query", "index", "--project", str(self.project)),
                *("--no-userinit", "--quiet", "--output", str(self.rebuilt)),
            ],
            env=self.environment(fasls),
            cwd=self.project,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        self.output = done.stdout + done.stderr
        return done.returncode == 0

    def findings(self) -> list[str]:
        """How the refreshed index differs from the rebuilt one, and where it contradicts itself."""
        return list(self._findings())

    def _findings(self) -> Iterator[str]:
        with (
            closing(sqlite3.connect(self.refreshed)) as refreshed,
            closing(sqlite3.connect(self.rebuilt)) as rebuilt,
        ):
            yield from differences(refreshed, rebuilt)
            yield from contradictions(refreshed, published=True)
