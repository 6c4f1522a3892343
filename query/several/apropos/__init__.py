"""apropos of several indexes."""
