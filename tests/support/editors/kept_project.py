"""Small projects with an index, each built once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from support.builds.build_cache import kept
from support.command import oblist


def kept_project(name: str, files: Mapping[str, str]) -> Path:
    """The folder of a project with these files, with its index in it."""

    def build(folder: Path) -> None:
        for file, text in files.items():
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_text(text)
        done = oblist("index", "--project", folder, "--no-snapshot")
        assert done.returncode == 0, done.stderr

    return kept(name, build, parts=[*files, *files.values()])
