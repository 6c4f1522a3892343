"""The question slot: where the slot of a class is read, written, bound and initialized."""
