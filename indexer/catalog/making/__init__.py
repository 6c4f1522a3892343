"""Making what a catalog needs of one release: the tasks, and where and with what they work."""
