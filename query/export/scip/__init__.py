"""SCIP indexes, for code hosts and editors."""
