"""The CI configuration in the documentation is valid for the tools that read it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from oblist.query.cli import cli
from oblist.query.diff import comparison
from oblist.query.diff.changes import classes as class_changes
from oblist.query.diff.changes import function_types
from oblist.query.diff.changes import functions as function_changes
from oblist.query.diff.changes import lambda_lists as argument_changes
from oblist.query.diff.changes import methods as method_changes
from oblist.query.diff.changes import packages as package_changes
from oblist.query.diff.changes import slots as slot_changes
from oblist.query.diff.changes import symbols as symbol_changes
from oblist.query.diff.changes import variables as variable_changes
from oblist.query.diff.changes import whole as changes
from support.checkout import ROOT

CI = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
HOOKS = ROOT / ".pre-commit-hooks.yaml"
_YAML = re.compile(r"^```yaml\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks() -> list[Any]:
    return [yaml.safe_load(text) for text in _YAML.findall(CI)]


def validated(command: str, path: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", command, str(path)],
        env={**os.environ, "PRE_COMMIT_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_pre_commit_takes_the_hook_and_the_example(tmp_path: Path) -> None:
    validated("validate-manifest", HOOKS, tmp_path)
    (hook,) = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    assert hook["entry"] == "oblist check"
    (config,) = [block for block in blocks() if "repos" in block]
    assert config["repos"][0]["hooks"] == [{"id": hook["id"]}]
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config))
    validated("validate-config", tmp_path / "config.yaml", tmp_path)
    wanted = re.compile(hook["files"])
    assert wanted.search("src/model.lisp") and wanted.search("README.md") and not wanted.search("a.py")


def test_the_workflows_build_an_index_in_one_job_and_use_it_in_others() -> None:
    workflows = [block for block in blocks() if "jobs" in block]
    assert len(workflows) == 2
    for workflow in workflows:
        # YAML 1.1 takes the key `on` for true.
        assert set(workflow) == {"name", True, "permissions", "jobs"}
        for job in workflow["jobs"].values():
            assert job["runs-on"] == "ubuntu-latest"
            assert all(("uses" in step) != ("run" in step) for step in job["steps"])
    jobs = workflows[0]["jobs"]
    installing = {name for name, job in jobs.items() if "apt-get" in str(job)}
    assert installing == {"index"}
    (upload,) = [step for step in jobs["index"]["steps"] if "upload-artifact" in step.get("uses", "")]
    for name in ("check", "api"):
        assert jobs[name]["needs"] == "index"
        (taken,) = [step for step in jobs[name]["steps"] if "download-artifact" in step.get("uses", "")]
        assert taken["with"]["name"] == upload["with"]["name"]
    (cache,) = [step for step in jobs["index"]["steps"] if "actions/cache" in step.get("uses", "")]
    for part in ("outputs.sbcl", "outputs.oblist", "**/*.asd", "**/*.lisp", "qlfile.lock"):
        assert part in cache["with"]["key"]
    assert " " not in re.sub(r"\$\{\{.*?\}\}", "", cache["with"]["key"])


def test_the_commands_in_the_examples_exist() -> None:
    pages = [CI, *((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("diff.md", "export.md"))]
    lines = re.findall(r"(?m)(?:^|run: |\| |^ +)oblist ([a-z-]+)((?: [^|>#\n]*)?)", "\n".join(pages))
    context = click.Context(cli)
    assert len(lines) > 10
    seen = set()
    for name, rest in lines:
        command = cli.get_command(context, name)
        assert command is not None, name
        words = rest.split()
        if isinstance(command, click.Group):
            command = command.get_command(context, words[0])
            assert command is not None, rest
        known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
        used = set(re.findall(r"(?<= )--?[A-Za-z-]+", rest))
        assert used <= known, (name, used - known)
        seen.add(name)
    assert {"index", "check", "diff", "query", "export", "describe"} <= seen


def test_every_sort_of_change_is_explained() -> None:
    modules = (argument_changes, changes, class_changes, comparison, function_changes, function_types)
    modules += (method_changes, package_changes, slot_changes, symbol_changes, variable_changes)
    page = (ROOT / "docs" / "diff.md").read_text(encoding="utf-8")
    names = set()
    for module in modules:
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        names |= set(re.findall(r'Finding\(\s*"([a-z-]+)"', source))
        names |= set(re.findall(r'yield "([a-z-]+)"', source))
    assert len(names) > 40
    assert [name for name in sorted(names) if f"`{name}`" not in page] == []


@pytest.mark.parametrize("command", ["diff", "query", "export"])
def test_the_commands_load_no_library_before_they_need_it(command: str) -> None:
    code = (
        "import sys, click\nfrom oblist.query.cli import cli\n"
        f"cli.get_command(click.Context(cli), {command!r})\nprint(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert not loaded & {"google", "rich", "sqlalchemy", "mcp", "watchfiles"}
