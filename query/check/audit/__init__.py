"""The question audit: what a project has and does not need."""
