"""The indexes of the workspace, and where their things are now."""
