"""How long tests wait."""

# Seconds within which what waits for ever, or for a minute, must not have been waited for: long enough for a
# machine that does ten other things.
SOON = 30.0
