"""The rules about the files of a project together."""
