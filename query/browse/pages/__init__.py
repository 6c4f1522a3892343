"""The pages, a module for each kind: each makes a page from an index and a URL."""
