"""The project that is changed: its folder and its texts."""
