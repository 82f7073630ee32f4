"""``gm export`` and ``gm import``: a whole game in one file, and back."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm.cli.failures import Failure
from gm.cli.shared import (
    acting,
    at_option,
    carry_out,
    changing,
    counted,
    game_option,
    making,
    moment,
    open_campaign,
    shown_path,
)

if TYPE_CHECKING:
    from gm.campaign.open import Campaign


@click.command(short_help="Put a game into one file.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Where. Default: GAME-turn-NN.zip here.")
@click.option("--without-keys", is_flag=True, help="Leave out keys, addresses, letters and dice to come.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@at_option
@game_option
def export(out: Path | None, without_keys: bool, force: bool, at: str | None, game_folder: Path | None) -> None:
    """Put a whole game into one archive: a backup, or the game on its way to another machine.

    \b
    Examples:
      gm export --out backups/europe.zip
      gm export --without-keys             for somebody who is to look into it: he cannot give orders with it
    """
    from gm.store.archive import pack
    from gm.store.change import Outside
    from gm.store.disk import write_file

    with changing(game_folder, any_rules=True) as campaign:
        turn = campaign.newest_turn
        lasting = [player.realm for player in campaign.folder.players.players if player.key]
        if without_keys and lasting:
            # it stands in every order file of the player's, which must stay as they are for their hashes
            raise Failure(
                f"The key of {', '.join(lasting)} counts for every turn and stands in old order files: whoever gets "
                f"the archive could give orders with it. 'gm seat {lasting[0]} --new-key' gives a key for each turn."
            )
        out = out or Path(f"{campaign.folder.path.name}-turn-{turn:02}.zip")
        if out.exists() and not force:
            raise Failure(f"{shown_path(out)} is there already: name another file with --out, or give --force.")
        data, told = pack(campaign.folder.path, turn, keys=not without_keys)
        copy = Outside(out, data, write_file)
        carry_out(campaign, "export", {}, outside=copy, now=at, turn=turn, keys=not without_keys)
    click.echo(f"{shown_path(out)}: the game after turn {turn}, {len(data) / 1e6:.1f} MB.")
    if told:
        names = f"{', '.join(told[:3])}{' ...' if len(told) > 3 else ''}"
        click.echo(
            f"Players wrote addresses into these files, which stay as they were sent (their hashes count): {names}."
        )
    held = "what every realm kept to itself" if without_keys else "every player's keys and orders"
    click.echo(f"It holds {held}: keep it safe.")


@click.command(name="import", short_help="Take a game out of such a file.")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--trust-commands", is_flag=True, help="Confirm every command in it unseen: for a backup of your own.")
@at_option
def import_(file: Path, folder: Path, trust_commands: bool, at: str | None) -> None:
    """Take a game out of an archive into a new FOLDER, after checking every file in it.

    An archive without keys gets new ones, and new dice for the turns to come: it is another game from there on.

    What its files would run or read on this machine (programs that print passwords, bots, mailboxes) is shown in full
    and is not done before you have confirmed it, here or with 'gm trust'.

    \b
    Example:
      gm import backups/europe.zip ~/games/europe
    """
    from gm.cli.trust import ask, commands_of, shown
    from gm.mail.recovery import restored_bytes
    from gm.store.archive import unpack
    from gm.store.disk import build_folder, write_file
    from gm.store.journal import note
    from gm.store.trust import IMPORTED_FILE, imported_bytes, unconfirmed

    files, keys = unpack(file.read_bytes())
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise Failure(f"{folder} is there already and not empty: choose another folder.")

    def check(unfinished: Path) -> None:
        if not keys:
            _renew(unfinished)
        campaign = open_campaign(unfinished)
        problems = campaign.spec.broken(campaign.table, campaign.snapshot)
        if problems:
            raise Failure(f"The game in {file} is broken: {problems[0]}.")
        marks = [each.mark for each in commands_of(campaign)] if trust_commands else []
        write_file(unfinished / IMPORTED_FILE, imported_bytes(marks))
        now = moment(at, campaign.folder.settings.deadline.zone)
        note(unfinished, "import", now, by=acting(), turn=campaign.newest_turn, keys=keys)

    more = {IMPORTED_FILE: imported_bytes()}
    if keys and "mail.yaml" in files:
        more["mail/restored.json"] = restored_bytes(files)
    with making(folder):
        build_folder(folder, {**files, **more}, check)
    campaign = open_campaign(folder)
    turns = counted(campaign.newest_turn, "turn")
    click.echo(f"The game {campaign.folder.settings.id} is in {shown_path(folder)}: {turns} played.")
    if not keys:
        click.echo("The archive had no keys: every seat has a new one. 'gm seat REALM --email ADDRESS' seats players.")
        click.echo("'gm report' writes the newest results and templates, which the archive had not.")
    if "mail/restored.json" in more:
        click.echo("Letters that it took after the backup are taken again from the mailbox, before anything is played;")
        click.echo("orders that came in by 'gm receive' since are not there: ask for them again.")
    commands = commands_of(campaign)
    if found := unconfirmed(folder, commands):
        ask(campaign, found)
    for each in commands if trust_commands else ():
        click.echo("\n".join(shown(each)))


def _renew(folder: Path) -> None:
    """New secrets for a game whose archive had none. The seal of the next turn is that of the new dice."""
    import json

    from gm.cli.editing import edited_yaml, plain_scalar
    from gm.core.sealing import next_seal
    from gm.store.canonical import snapshot_text
    from gm.store.disk import write_file

    seed = secrets.token_hex(16)
    settings = edited_yaml(folder / "game.yaml", lambda data: data.update({"seed": plain_scalar(seed)}))
    write_file(folder / "game.yaml", settings)

    def renew(data: Any) -> None:
        for entry in data["players"] or ():
            entry["secret"] = plain_scalar(secrets.token_hex(16))
            entry.pop("key", None)

    write_file(folder / "players.yaml", edited_yaml(folder / "players.yaml", renew))
    campaign: Campaign = open_campaign(folder)
    path = campaign.folder.turn_path(campaign.newest_turn) / "turn.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    record["next_seal"] = next_seal(seed, campaign.folder.settings.id, campaign.next_turn)
    write_file(path, snapshot_text(record).encode())
