"""The time that tests wait."""

# Seconds within which something must happen that must not wait for what blocks for ever, or for a minute. It
# is long enough for a machine that does ten other things.
SOON = 30.0
