"""The command ``oblist``, for ``python -m oblist.query``."""

from .cli import main

if __name__ == "__main__":
    main()
