"""The rules about names as the reader sees them: packages, and symbols with a prefix."""
