"""Repositories of git that tests make."""

from __future__ import annotations

import subprocess
from pathlib import Path


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder, as somebody."""
    command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
    subprocess.run(command, check=True, capture_output=True)
