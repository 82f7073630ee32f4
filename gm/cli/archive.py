"""``gm export``, ``gm import`` and ``gm trust``: a whole game in one file, and back; what an imported game may run."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from gm.cli.failures import REFUSED, Failure
from gm.cli.options import FILE, NEW_FILE, AsJson, At, GameFolder, argument, gm_command, option
from gm.cli.output import counted, print_json, shown_path
from gm.cli.session import acting, carry_out, changing, game_time, making, open_campaign

if TYPE_CHECKING:
    from gm.campaign.open import Campaign
    from gm.store.trust import Command


@gm_command("export")
def export(
    out: Annotated[Path | None, option("--out", type=NEW_FILE)],
    without_keys: Annotated[bool, option("--without-keys", is_flag=True)],
    force: Annotated[bool, option("--force", is_flag=True)],
    at: At,
    game_folder: GameFolder,
) -> None:
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
        data, addressed = pack(campaign.folder.path, turn, keys=not without_keys)
        copy = Outside(out, data, write_file)
        carry_out(campaign, "export", {}, outside=copy, at=at, turn=turn, keys=not without_keys)
    click.echo(f"{shown_path(out)}: the game after turn {turn}, {len(data) / 1e6:.1f} MB.")
    if addressed:
        names = f"{', '.join(addressed[:3])}{' ...' if len(addressed) > 3 else ''}"
        click.echo(
            f"Players wrote addresses into these files, which stay as they were sent (their hashes count): {names}."
        )
    held = "what every realm kept to itself" if without_keys else "every player's keys and orders"
    click.echo(f"It holds {held}: keep it safe.")


@gm_command("import")
def import_(
    file: Annotated[Path, argument(type=FILE)],
    folder: Annotated[Path, argument(type=click.Path(path_type=Path))],
    trust_commands: Annotated[bool, option("--trust-commands", is_flag=True)],
    at: At,
) -> None:
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
        note(unfinished, "import", game_time(campaign, at), by=acting(), turn=campaign.newest_turn, keys=keys)

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
    from gm.core.sealing import next_seal
    from gm.store.disk import write_file
    from gm.store.formats import snapshot_text
    from gm.store.hand_edited import edited_yaml, plain_scalar

    seed = secrets.token_hex(16)
    settings = edited_yaml(folder / "game.yaml", lambda data: data.update({"seed": plain_scalar(seed)}))
    write_file(folder / "game.yaml", settings)

    def renew(data: Any) -> None:
        for entry in data["players"] or ():
            entry["secret"] = plain_scalar(secrets.token_hex(16))
            entry.pop("key", None)

    write_file(folder / "players.yaml", edited_yaml(folder / "players.yaml", renew))
    campaign = open_campaign(folder)
    path = campaign.folder.turn_path(campaign.newest_turn) / "turn.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    record["next_seal"] = next_seal(seed, campaign.folder.settings.id, campaign.next_turn)
    write_file(path, snapshot_text(record).encode())


@gm_command("trust")
def trust(
    marks: Annotated[tuple[str, ...], argument(nargs=-1, metavar="[MARK]...")], game_folder: GameFolder, as_json: AsJson
) -> None:
    from gm.store.trust import unconfirmed

    campaign = open_campaign(game_folder, drawings=False)
    found = unconfirmed(campaign.folder.path, commands_of(campaign))
    unknown = sorted(set(marks) - {each.mark for each in found})
    if unknown:
        raise click.BadParameter(f"nothing that waits for your word has the mark {unknown[0]!r}", param_hint="'MARK'")
    if as_json and not marks:
        print_json(
            [
                {**{name: getattr(each, name) for name in ("mark", "where", "does")}, "words": dict(each.words)}
                for each in found
            ]
        )
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
    from gm.mail.settings import MAIL_FILE, load_mail_settings, mail_commands

    bots = dict.fromkeys([*(each.bot for each in campaign.folder.players.players), *(s.bot for s in campaign.seats)])
    found = [made for bot in bots if (made := bot_command(campaign.spec, bot))]
    if (campaign.folder.path / MAIL_FILE).is_file():
        found += mail_commands(load_mail_settings(campaign.folder.path))
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
