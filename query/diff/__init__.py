"""diff: compares the exported APIs of two indexes."""
