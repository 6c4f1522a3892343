"""Objects as one writes them in a form, and as an index has them printed: whether they are the same; pure."""
