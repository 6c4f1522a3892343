"""The second pass: what the walk through code tells of each form is judged."""
