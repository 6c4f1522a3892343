"""Slices: the index of what each release brings; and the catalog, one file over all of them."""
