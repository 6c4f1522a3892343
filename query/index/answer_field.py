"""Fields of answers, each with the description that the documentation shows."""

from __future__ import annotations

from dataclasses import field
from typing import Any


def doc(text: str, **options: Any) -> Any:
    """Make a field of an answer, with the description that docs/answers.md shows."""
    return field(metadata={"doc": text}, **options)
