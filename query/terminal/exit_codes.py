"""The exit codes of commands."""

EXIT_NOT_FOUND = 1
EXIT_USAGE = 2
EXIT_NO_INDEX = 3
EXIT_INTERRUPTED = 130
