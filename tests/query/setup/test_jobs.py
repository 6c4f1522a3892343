"""CI as it is set up: each job finds the fault of a project."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from oblist.query.setup.clients.table import CLIENTS
from oblist.query.setup.place import SetupPlace
from oblist.query.setup.plan import planned
from oblist.query.setup.record import SetupRecord
from oblist.query.setup.writing import write
from support.checkout import ROOT
from support.editors.emporium import emporium
from support.starts.programs import counted_program

FAULT = "(defun all-of (items) (reduse #'+ items))\n"


def set_up(name: str, place: SetupPlace) -> Path:
    """The file that sets up a client in the project, which has an index, and a fault since."""
    shutil.copytree(emporium(), place.project, dirs_exist_ok=True)
    with (place.project / "shop.lisp").open("a") as file:
        file.write(FAULT)
    write(planned(CLIENTS[name], place, SetupRecord(place.home), replace=False), SetupRecord(place.home))
    return CLIENTS[name].file(place).path


def run(command: list[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(counted_program('oblist')).parent}:{os.environ['PATH']}"
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path, **environment},
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )


def test_pre_commit_finds_the_fault(place: SetupPlace, tmp_path: Path) -> None:
    set_up("pre-commit", place)
    for command in (
        ["git", "init", "-q"],
        ["git", "add", "emporium.asd", "shop.lisp", ".pre-commit-config.yaml"],
    ):
        assert run(command, place.project).returncode == 0
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files"]
    done = run(
        command,
        place.project,
        PRE_COMMIT_HOME=str(tmp_path / "cache"),
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "shop.lisp:19:24: warning[undefined-function] there is no function or macro reduse" in done.stdout


def steps(path: Path, job: str) -> list[str]:
    """The commands of a job that is set up, but for those that install something."""
    workflow: dict[str, Any] = yaml.safe_load(path.read_text())
    commands = [step["run"] for step in workflow["jobs"][job]["steps"] if "run" in step]
    return [command for command in commands if "pipx install" not in command]


def test_the_workflow_finds_the_fault(place: SetupPlace) -> None:
    path = set_up("github", place)
    versions, build = steps(path, "index")
    said = place.home / "output"
    assert run(["bash", "-e", "-c", versions], place.project, GITHUB_OUTPUT=str(said)).returncode == 0
    assert re.fullmatch(r"sbcl=SBCL-[\w.]+\noblist=\S+\n", said.read_text())
    assert build == "oblist index --project . --output oblist.db --no-snapshot"
    (place.project / ".oblist" / "oblist.db").rename(place.project / "oblist.db")  # which this builds
    (check,) = steps(path, "check")
    done = run(["bash", "-e", "-c", check], place.project)
    assert done.returncode == 1
    assert "::warning file=shop.lisp,line=19," in done.stdout


def test_the_workflow_is_that_of_the_documentation(place: SetupPlace) -> None:
    path = set_up("github", place)
    blocks = re.findall(
        r"^```yaml\n(.*?)^```$", (ROOT / "docs" / "ci.md").read_text(), re.DOTALL | re.MULTILINE
    )
    (documented,) = [one for one in map(yaml.safe_load, blocks) if "check" in one.get("jobs", {})]
    ours = yaml.safe_load(path.read_text())
    assert ours["jobs"] == {name: documented["jobs"][name] for name in ("index", "check")}
    assert ours["permissions"] == documented["permissions"]


def test_the_container_runs_what_the_documentation_says(place: SetupPlace) -> None:
    """Building the image takes a registry; this reads the file."""
    text = set_up("container", place).read_text()
    joined = text.replace("\\\n", "")
    instructions = [
        line.split(maxsplit=1) for line in joined.splitlines() if line and not line.startswith("#")
    ]
    assert [word for word, _ in instructions] == [
        "FROM",
        "ARG",
        "RUN",
        "RUN",
        "WORKDIR",
        "COPY",
        "RUN",
        "CMD",
    ]
    runs = [rest for word, rest in instructions if word == "RUN"]
    for command in runs:
        assert run(["bash", "-n", "-c", command], place.project).returncode == 0
    assert runs[-1] == "oblist index --project . --no-snapshot"
    assert instructions[-1] == ["CMD", '["oblist", "check", "."]']
