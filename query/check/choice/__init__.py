"""Which files are judged: those that the index knows as parts of what was loaded."""
