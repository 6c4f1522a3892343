"""diff: what changed in the exported API between two indexes."""
