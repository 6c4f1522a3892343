"""Continuous integration, which runs ``oblist check``."""

from __future__ import annotations

from ..client import JOB, Client, ClientFile
from ..files.whole_part import WholePart
from ..files.yaml_part import YamlPart
from ..place import SetupPlace
from ..shipped import shipped_text

HOOK = "oblist-check"
_READABLE = r"\.(lisp|lsp|cl|asd|md|org)$"


def _pre_commit(place: SetupPlace) -> ClientFile:
    hook = {
        "id": HOOK,
        "name": "oblist check",
        "entry": "oblist check",
        "language": "system",
        "files": _READABLE,
        "require_serial": True,
    }
    part = YamlPart("repos", {"repo": "local", "hooks": [hook]}, HOOK)
    return ClientFile(place.project / ".pre-commit-config.yaml", part)


def _github(place: SetupPlace) -> ClientFile:
    path = place.project / ".github" / "workflows" / "oblist.yml"
    return ClientFile(path, WholePart(shipped_text("ci/oblist.yml")))


def _container(place: SetupPlace) -> ClientFile:
    path = place.project / "oblist.Containerfile"
    return ClientFile(path, WholePart(shipped_text("ci/oblist.Containerfile")))


JOBS = (
    Client(
        "pre-commit",
        "pre-commit",
        JOB,
        _pre_commit,
        ("pre-commit",),
        lambda place: (place.project / ".pre-commit-config.yaml",),
        ("Run `pre-commit install` if you have not.",),
    ),
    Client(
        "github",
        "GitHub workflow",
        JOB,
        _github,
        (),
        lambda place: (place.project / ".github",),
        ("Commit the file; docs/ci.md has more jobs.",),
        needs_index=False,
    ),
    Client(
        "container",
        "container for CI",
        JOB,
        _container,
        ("podman", "docker", "buildah"),
        lambda place: (place.project / "Dockerfile", place.project / "Containerfile"),
        ("podman build -f oblist.Containerfile -t check . && podman run --rm check",),
        needs_index=False,
    ),
)
"""The jobs, in the order in which they are listed."""
