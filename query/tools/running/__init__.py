"""Calling tools: safety levels, approval, time limits, and the processes that tools need."""
