"""Forms of a project: found by what they define, folded, and edited."""
