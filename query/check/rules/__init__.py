"""The rules: the table of them, and a folder for each group, with a module and a page for each rule."""
