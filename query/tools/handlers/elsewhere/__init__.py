"""Handlers of the tools that ask something other than the index."""
