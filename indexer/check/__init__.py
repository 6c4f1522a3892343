"""Read a whole index: find contradictions in it, and differences from another one."""
