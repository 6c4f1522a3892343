"""The command ``completion``."""

from __future__ import annotations

from pathlib import Path

import click

_FOLDER = Path(__file__).parent / "scripts"
_SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
@click.option("--line", hidden=True, help="The command line up to the cursor.")
@click.option("--word", default="", hidden=True, help="The word that bash replaces.")
def completion(shell: str, line: str | None, word: str) -> None:
    """Print a script that lets SHELL complete commands, options, files, and the symbols, packages,
    systems and classes in the index. In bash:

    eval "$(oblist completion bash)"

    In zsh, after compinit: eval "$(oblist completion zsh)". In fish: oblist completion fish | source.
    """
    if line is None:
        click.echo((_FOLDER / f"{shell}.{shell}").read_text(encoding="utf-8"), nl=False)
        return
    from .candidates import candidates
    from .typed import for_bash, typed_line

    typed = typed_line(line)
    found = candidates(click.get_current_context().find_root().command, typed)
    lines = [found.kind]
    for text, told in found.texts:
        if not text.isprintable():  # a terminal might obey it, and a line cannot hold all of it
            continue
        if shell == "bash":
            lines.append(for_bash(text, typed, word))
        else:
            lines.append(f"{text}\t{told}" if shell == "fish" and told else text)
    click.echo("\n".join(lines))
