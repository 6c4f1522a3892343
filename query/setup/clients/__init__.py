"""The clients that oblist can set up, and what each of their files should have."""
