"""The everyday tasks of a model that works on Lisp code, from tasks.toml."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Task:
    """A task, the calls that do it, each a tool and its arguments, and the words that the answers contain."""

    purpose: str
    calls: list[tuple[str, dict[str, Any]]]
    contains: list[str]

    def is_done_by(self, texts: list[str]) -> bool:
        """Whether the answers have what the task is about."""
        return all(any(words in text for text in texts) for words in self.contains)


def everyday_tasks(bare: Path) -> list[Task]:
    """The tasks; ``bare`` is the index of the bare image."""
    text = Path(__file__).with_name("tasks.toml").read_text(encoding="utf-8")
    found = []
    for one in tomllib.loads(text)["task"]:
        calls = json.loads(json.dumps(one["calls"]).replace("{bare}", str(bare)))
        found.append(Task(one["for"], [(tool, arguments) for tool, arguments in calls], one["contains"]))
    return found
