"""A plugin of pytest: Datasette knows what SQLite can do, and opens no connections to find out.

It leaves these open, for the garbage collector to warn about in whatever test is running by then. Its modules
open some when they are imported, so this has to be imported before them.
"""

from __future__ import annotations

import sqlite3

from datasette import utils
from datasette.utils import sqlite

utils.detect_json1 = lambda conn=None: True
sqlite._cached_sqlite_version = sqlite3.sqlite_version_info
