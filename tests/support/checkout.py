"""Where tests find what is shared: the checkout that contains them, and what the set-up has installed."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What tests build, for later runs too.
CACHE = ROOT / ".test-cache"
# What is no package of Debian or Python: in the caller's cache, which is lent to the tests.
INSTALLED = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
