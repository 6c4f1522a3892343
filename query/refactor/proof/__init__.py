"""The proof of a change: the project is built before and after it, and compared."""
