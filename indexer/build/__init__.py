"""A whole build: image -> records -> a new file -> check -> rename over the old index."""
