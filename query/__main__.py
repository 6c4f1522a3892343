"""The command ``oblist``, for ``python -m oblist.query``."""

from .start import main

if __name__ == "__main__":
    main()
