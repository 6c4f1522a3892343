"""What a change of a project touches: the code that it can reach, and the tests among that."""
