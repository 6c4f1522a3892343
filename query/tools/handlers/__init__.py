"""The handlers of our tools."""
