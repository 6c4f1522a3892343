"""Where the set-up installs what is no package of Debian or Python: the caller's cache, lent to tests."""

from __future__ import annotations

import os
from pathlib import Path

INSTALLED = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
