"""How a form is expanded."""

ONCE, ALL, STEPS = EXPANSIONS = ("once", "all", "steps")
"""As MACROEXPAND-1 does, all macros in it, or one macro form after the other."""
