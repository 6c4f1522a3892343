"""The pages, a module for each kind: from an index and a URL to a page."""
