"""The handlers of the tools that take forms."""
