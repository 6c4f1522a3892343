"""forecast: which lines of a project break when a library, or SBCL, is replaced by another version."""
