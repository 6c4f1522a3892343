"""Ask several indexes, and a catalog beside them, as if they were one.

from oblist.query.several import open_indexes

with open_indexes(["mine.db", "theirs.db"]) as indexes:
    print(indexes.describe("flatten", package="ALEXANDRIA").index)
"""

from .api import Indexes, open_indexes

__all__ = ["Indexes", "open_indexes"]
