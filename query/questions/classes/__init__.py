"""class: the parts of a class, and the methods on it."""
