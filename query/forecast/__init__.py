"""forecast: which lines of a project break when a library, or SBCL, becomes another version of itself."""
