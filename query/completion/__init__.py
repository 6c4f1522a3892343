"""Completion in shells: the scripts that they read, and the candidates for what has been typed."""
