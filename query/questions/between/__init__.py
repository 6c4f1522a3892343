"""What one part of the code uses of another: packages, systems, files, the project."""
