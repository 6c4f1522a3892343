"""The question at: what stands at a place in a source file."""
