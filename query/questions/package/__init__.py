"""package: the exports of a package, and the packages it uses."""
