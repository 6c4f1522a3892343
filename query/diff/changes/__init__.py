"""The changes between two APIs, a module for each sort of definition."""
