"""``gm trust``: what an imported game would run or read on this machine, until its GM has said yes to each."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm.cli.failures import REFUSED
from gm.cli.shared import carry_out, changing, counted, game_option, json_option, open_campaign, print_json

if TYPE_CHECKING:
    from gm.campaign.open import Campaign
    from gm.store.trust import Command


@click.command(short_help="Show and confirm the commands of an imported game.")
@click.argument("marks", nargs=-1, metavar="[MARK]...")
@game_option
@json_option
def command(marks: tuple[str, ...], game_folder: Path | None, as_json: bool) -> None:
    """Show every command that came with an imported game, in full, and ask whether it may run here.

    A game's files can name programs (password_command, bots), files and variables that are given to a mail server, and
    mailboxes to read. Of a game that came out of an archive none of it is done before you have confirmed it. Without a
    terminal it only shows them; scripts name the MARKs of those that they know.

    \b
    Examples:
      gm trust
      gm trust 3fa9c1d20b77 81d0c2aa94e1

    Exit code 1 when, without MARKs, something is left that may not run.
    """
    from gm.store.trust import unconfirmed

    campaign = open_campaign(game_folder, drawings=False)
    found = unconfirmed(campaign.folder.path, commands_of(campaign))
    unknown = sorted(set(marks) - {each.mark for each in found})
    if unknown:
        raise click.BadParameter(f"nothing that waits for your word has the mark {unknown[0]!r}", param_hint="'MARK'")
    if as_json and not marks:
        print_json([_data(each) for each in found])
    elif marks:
        confirm(campaign, [each for each in found if each.mark in marks])
    elif found:
        ask(campaign, found)
    else:
        click.echo("Nothing in this game waits for your word.")
    if not marks and unconfirmed(campaign.folder.path, found):
        click.get_current_context().exit(REFUSED)


def commands_of(campaign: Campaign) -> list[Command]:
    """Everything in a game's files that makes this machine run or read something."""
    from gm.bots.registry import bot_command
    from gm.mail.settings import MAIL_FILE, load_post_settings, mail_commands

    bots = dict.fromkeys([*(each.bot for each in campaign.folder.players.players), *(s.bot for s in campaign.seats)])
    found = [made for bot in bots if (made := bot_command(campaign.spec, bot))]
    if (campaign.folder.path / MAIL_FILE).is_file():
        found += mail_commands(load_post_settings(campaign.folder.path))
    return found


def ask(campaign: Campaign, found: Sequence[Command]) -> None:
    """Show each of these, and confirm those to which the GM says yes; without a terminal only show them."""
    click.echo(f"{counted(len(found), 'thing')} in this game came with its archive and waits for your word:")
    yes = []
    for each in found:
        click.echo("\n".join(shown(each)))
        if sys.stdin.isatty() and click.confirm("  May it?", default=False):
            yes.append(each)
    if yes:
        confirm(campaign, yes)
    if len(yes) < len(found):
        click.echo("'gm trust' asks again; 'gm trust MARK' confirms one.")


def confirm(campaign: Campaign, found: Sequence[Command]) -> None:
    """Let these run in an imported game from now on."""
    from gm.store.trust import IMPORTED_FILE, confirmed, imported_bytes

    with changing(campaign.folder.path, any_rules=True) as campaign:
        path = campaign.folder.path
        marks = {each.mark for each in found}
        data = imported_bytes(marks | (confirmed(path) or frozenset()))
        # the journal does not say what runs: arguments may be secret
        carry_out(campaign, "trust", {path / IMPORTED_FILE: data}, marks=sorted(marks))
    click.echo(f"Confirmed: {', '.join(each.mark for each in found)}.")


def typed(campaign: Campaign, *commands: Command | None) -> dict[Path, bytes | None]:
    """What a change holds besides in which the GM himself names commands: they are confirmed by that."""
    from gm.store.trust import IMPORTED_FILE, confirmed, imported_bytes

    marks = confirmed(campaign.folder.path)
    if marks is None:
        return {}
    data = imported_bytes({*marks, *(each.mark for each in commands if each is not None)})
    return {campaign.folder.path / IMPORTED_FILE: data}


def shown(command: Command) -> Iterator[str]:
    """A command in full, whatever characters are in it."""
    yield f"\n{command.mark}  {command.where}: {command.does}"
    yield from (f"    {name}: {visible(value)}" for name, value in command.words.items())


def visible(text: str) -> str:
    """``text`` with every character that a terminal would not simply show as its number."""
    return "".join(each if each.isprintable() and each != "\\" else ascii(each)[1:-1] for each in text)


def _data(command: Command) -> dict[str, Any]:
    return {"mark": command.mark, "where": command.where, "does": command.does, "words": dict(command.words)}
