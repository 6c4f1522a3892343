"""The present texts of source files, compared with those that were indexed."""
