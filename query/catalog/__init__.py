"""Ask a catalog about libraries that are not loaded.

from oblist.query.catalog import open_catalog

with open_catalog() as catalog:
    print(catalog.provides("flatten").providers[0].release)
"""

from .api import Catalog, open_catalog, open_slice

__all__ = ["Catalog", "open_catalog", "open_slice"]
