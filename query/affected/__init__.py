"""What a change to a project affects: the code that it can reach, including tests."""
