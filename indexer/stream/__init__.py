"""Streams of records from any producer: the rules that they keep, and reading one that may break them."""
