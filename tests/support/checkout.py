"""The checkout that contains the tests."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What tests build, for later runs too.
CACHE = ROOT / ".test-cache"
