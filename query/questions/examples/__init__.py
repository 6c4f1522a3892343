"""examples: how a function, macro or class is used, as whole forms."""
