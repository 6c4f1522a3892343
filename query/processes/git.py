"""What git knows of the files of a folder, asked without external diffs, text conversions and monitors."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from ..errors import QueryError

_SECONDS = 60.0
_MOST_BYTES = 64 * 1024 * 1024


class GitError(QueryError):
    """Git is missing, failed, or does not know the revision; the text says which."""


class GitFolder:
    """A folder below which git is asked, at one revision. Raises GitError if it does not know that."""

    def __init__(self, folder: Path, revision: str) -> None:
        self.folder = folder
        if revision.startswith("-"):
            raise GitError(f"{revision!r} looks like an option; name a revision, such as HEAD.")
        asked = ("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        try:
            self.commit = self._run(*asked).decode().strip()
        except GitError as error:
            if error.__cause__ is not None:
                raise
            if not self._is_repository():
                raise GitError(f"{folder} is not in a Git repository.") from None
            raise GitError(f"The Git repository of {folder} has no revision {revision!r}.") from None

    def changed(self) -> list[str]:
        """The files below the folder that differ from the revision, or are new, as paths from the folder."""
        differing = self._run(
            *("diff", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "--relative", "-z"),
            *(self.commit, "--", "."),
        )
        new = self._run("ls-files", "--others", "--exclude-standard", "-z", "--", ".")
        names = {os.fsdecode(name) for name in (differing + new).split(b"\0") if name}
        return sorted(names)

    def content(self, path: str) -> bytes | None:
        """What a file had at the revision; None if it was not there."""
        try:
            return self._run("cat-file", "blob", f"{self.commit}:./{path}")
        except GitError as error:
            if error.__cause__ is not None:
                raise
            return None

    def _is_repository(self) -> bool:
        try:
            return bool(self._run("rev-parse", "--git-dir"))
        except GitError:
            return False

    def _run(self, *arguments: str) -> bytes:
        command = ["git", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "-C", str(self.folder)]
        try:
            done = subprocess.run(
                [*command, *arguments],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except ValueError as error:
            raise GitError(f"{arguments[-1]!a} contains a character that cannot be passed to git.") from error
        except FileNotFoundError as error:
            raise GitError("git is not installed, or not on the PATH.") from error
        except subprocess.TimeoutExpired as error:
            raise GitError(f"git did not answer within {_SECONDS:.0f} seconds.") from error
        if done.returncode:
            raise GitError(done.stderr.decode(errors="replace").strip() or "git failed.")
        if len(done.stdout) > _MOST_BYTES:
            raise GitError("git printed more than 64 MB, which is too much to read.")
        return done.stdout
