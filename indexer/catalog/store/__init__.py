"""The store: where the results of building a catalog are kept, a folder or whatever fsspec writes."""
