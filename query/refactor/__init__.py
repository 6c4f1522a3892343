"""Changes to a project that are planned from its index and its text, shown, proved and written."""
