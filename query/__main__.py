"""The command ``oblist``, for ``python -m query``."""

from .cli import main

if __name__ == "__main__":
    main()
