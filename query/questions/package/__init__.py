"""package: what a package exports, and which packages it uses."""
