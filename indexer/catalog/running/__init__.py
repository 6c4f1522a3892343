"""Running the tasks of a catalog's build: in this process, or by the workers of a Dask cluster."""
