"""outline: what a package, system or file defines."""
