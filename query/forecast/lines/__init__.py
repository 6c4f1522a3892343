"""What breaks lines of code: each module finds it in one way."""
