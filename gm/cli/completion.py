"""``gm completion``: commands and options completed by the shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

PLACES = {
    "bash": 'Add to ~/.bashrc:  eval "$(gm completion bash)"',
    "zsh": 'Add to ~/.zshrc:  eval "$(gm completion zsh)"',
    "fish": "Run once:  gm completion fish > ~/.config/fish/completions/gm.fish",
}


@click.command(short_help="Print a shell completion script.")
@click.argument("shell", type=click.Choice(list(PLACES)))
def command(shell: str) -> None:
    """Print the script that lets your shell complete gm's commands and options with the Tab key.

    \b
    bash   add to ~/.bashrc:  eval "$(gm completion bash)"
    zsh    add to ~/.zshrc:   eval "$(gm completion zsh)"
    fish   run once:          gm completion fish > ~/.config/fish/completions/gm.fish
    """
    from gm.cli.app import gm

    found = get_completion_class(shell)
    if found is None:  # the choices above are those that click knows
        raise click.UsageError(f"There is no completion for {shell}.")
    click.echo(f"# {PLACES[shell]}")
    click.echo(found(gm, {}, "gm", "_GM_COMPLETE").source())
