"""A user with an empty home and a project, and clients of every kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from oblist.query.setup.place import SetupPlace
from oblist.query.setup.record import SetupRecord


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SetupPlace:
    """Where the user is: nothing is set up, and the folders of settings are not there."""
    home, project = tmp_path / "home", tmp_path / "home" / "project"
    project.mkdir(parents=True)
    for variable, value in {
        "HOME": home,
        "XDG_CONFIG_HOME": home / ".config",
        "XDG_DATA_HOME": home / ".local" / "share",
    }.items():
        monkeypatch.setenv(variable, str(value))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    monkeypatch.chdir(project)
    return SetupPlace(home, home / ".config", project, "oblist", "/opt/bin/oblist", "linux")


@pytest.fixture
def record(place: SetupPlace) -> SetupRecord:
    """What was written, in that home."""
    return SetupRecord(place.home / ".local" / "share" / "oblist")
