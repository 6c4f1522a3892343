"""Renames: of symbols, packages, systems and local names."""
