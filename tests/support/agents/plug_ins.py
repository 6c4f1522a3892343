"""Tools of other packages, installed as pip leaves them."""

from __future__ import annotations

from pathlib import Path


def install(folder: Path, name: str, code: str, entry: str) -> None:
    """Install a distribution in ``folder`` with an entry point for tools."""
    (folder / f"{name}.py").write_text(code)
    facts = folder / f"{name}-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(f"[oblist.tools]\n{name} = {entry}\n")
