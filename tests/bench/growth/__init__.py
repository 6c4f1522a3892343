"""Indexes of any size, made of a real one, and how the time of each question grows with them."""
