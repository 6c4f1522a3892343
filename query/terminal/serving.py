"""Commands that start servers: how they report that they cannot."""

from __future__ import annotations

import click

from ..index.shown import for_terminal
from .exit_codes import EXIT_USAGE


class CannotServeError(click.ClickException):
    """A server cannot start with the options given."""

    exit_code = EXIT_USAGE

    def show(self, file: object = None) -> None:
        """Print the reason on a line of standard error."""
        click.echo(f"oblist: {for_terminal(self.format_message())}", err=True)
