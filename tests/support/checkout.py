"""Where tests find what is shared: the checkout that contains them, and what the set-up has installed."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What tests build, for later runs too.
CACHE = ROOT / ".test-cache"
# Agents, editors and the like, which the set-up puts in the caller's cache; the tests borrow that.
INSTALLED = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
