"""class: what a class is made of, and the methods on it."""
