"""Calling tools: levels, approval, time limits, and what is started for them."""
