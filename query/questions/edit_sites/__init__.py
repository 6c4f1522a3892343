"""Every place to touch when the lambda list of a function or macro changes."""
