"""The commands of an imported game: everything that its files make this machine run or read.

They came with an archive, perhaps from somebody else: none of them runs before the GM has confirmed it.
"""

import sys
from collections.abc import Iterator, Sequence

import click

from gm.bots.registry import bot_command
from gm.campaign.open import Campaign
from gm.cli.output import echo
from gm.cli.questions import agreed
from gm.cli.session import carry_out, changing, post_of
from gm.core.diagnostics import says
from gm.store.inbox import Changes
from gm.store.trust import IMPORTED_FILE, Command, confirmed, imported_bytes
from gm.text.words import Said


def commands_of(campaign: Campaign) -> list[Command]:
    """Return all commands of a game: those of its bots, its hooks, its mail and its players' channels."""
    bots_of_players = [player.bot for player in campaign.folder.players.players]
    bots_of_seats = [seat.bot for seat in campaign.seats]
    commands: list[Command] = []
    for bot in dict.fromkeys((*bots_of_players, *bots_of_seats)):
        command = bot_command(campaign.spec, bot)  # None for a bot that comes with the program
        if command:
            commands.append(command)
    commands += [hook.command for hook in campaign.folder.settings.hooks]
    mail = post_of(campaign)
    if mail is not None:
        from gm.mail.channels import channels_of
        from gm.mail.settings import mail_commands

        commands += mail_commands(mail.settings)
        commands += [channel.command for channel in channels_of(mail).values()]
    return commands


def ask(campaign: Campaign, commands: Sequence[Command]) -> None:
    """Show these commands, and confirm those to which the GM says yes; without a terminal only show them."""
    echo(
        says("{0:thing} in this game came with its archive and needs your confirmation:", Said(len(commands)))
    )
    accepted = []
    for command in commands:
        click.echo("\n".join(shown(command)))
        if sys.stdin.isatty() and agreed(says("  May it?"), default=False):
            accepted.append(command)
    if accepted:
        confirm(campaign, accepted)
    if len(accepted) < len(commands):
        echo(says("'pbem trust' asks again; 'pbem trust MARK' confirms one."))


def confirm(campaign: Campaign, commands: Sequence[Command]) -> None:
    """Allow these commands to run in an imported game from now on."""
    with changing(campaign.folder.path, any_rules=True) as campaign:
        path = campaign.folder.path
        marks = {command.mark for command in commands}
        data = imported_bytes(marks | (confirmed(path) or frozenset()))
        # the journal has only their marks: their words may hold secrets
        carry_out(campaign, "trust", {path / IMPORTED_FILE: data}, marks=sorted(marks))
    echo(says("Confirmed: {0}.", ", ".join(command.mark for command in commands)))


def typed(campaign: Campaign, *commands: Command | None) -> Changes:
    """Return the files that confirm commands which the GM typed, by path.

    They are written together with the change that puts the commands into the game. None stands for no
    command. Empty for a game that was not imported.
    """
    marks = confirmed(campaign.folder.path)
    if marks is None:
        return {}
    data = imported_bytes({*marks, *(command.mark for command in commands if command is not None)})
    return {campaign.folder.path / IMPORTED_FILE: data}


def shown(command: Command) -> Iterator[str]:
    """Yield the lines that show a command in full, with escapes like ``\\u0430`` for unsafe characters."""
    yield f"\n{command.mark}  {command.where}: {command.does}"
    for name, value in command.words.items():
        visible = (
            character if _is_shown_exactly(character) else ascii(character)[1:-1] for character in value
        )
        yield f"    {name}: {''.join(visible)}"


def _is_shown_exactly(character: str) -> bool:
    """Return whether a terminal shows exactly this character.

    A stand-in for a character that the output cannot show could make a command look harmless.
    """
    encoded = character.encode(sys.stdout.encoding or "utf-8", "replace")
    return character.isprintable() and character != "\\" and (encoded != b"?" or character == "?")
