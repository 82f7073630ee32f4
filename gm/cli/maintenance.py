"""Commands that keep a game: ``pbem export`` and ``import`` (backups), ``trust``, ``upgrade``, ``repair``.

``trust`` confirms what an imported game may run or read, ``upgrade`` changes the rules of a game, and
``repair`` repairs its damaged journals.
"""

import secrets
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import click

from gm import __version__
from gm.campaign.guards import PINS, pins_fingerprint, pins_problem
from gm.campaign.open import Campaign
from gm.campaign.pinning import PINS_FILE, changed_rules, old_files, pins_bytes, pins_of, rules_in_force
from gm.cli import clock
from gm.cli.imported_commands import ask, commands_of, confirm, shown
from gm.cli.options import AsJson, At, Game, NewFolder, Turn, argument, folder_or_default, gm_command
from gm.cli.output import REFUSED, Failure, echo, fields, print_json, print_text, shown_path, warn
from gm.cli.session import (
    acting,
    carry_out,
    changing,
    game_time,
    known_turn,
    making,
    open_campaign,
)
from gm.core.diagnostics import says
from gm.store import BrokenFolderError
from gm.store.archive import pack, renew_secrets
from gm.store.disk import Files, build_folder, locked, write_file
from gm.store.folder import MAIL_FILE, GameFolder
from gm.store.inbox import Changes
from gm.store.journal import note
from gm.store.products import is_in_game
from gm.store.trust import IMPORTED_FILE, imported_bytes, unconfirmed
from gm.store.turns import turn_name
from gm.store.unpacking import unpacked
from gm.text.words import Said


@gm_command("export")
def export(
    out: Path | None, turn: Turn, *, without_keys: bool, force: bool, at: At, game_folder: Game
) -> None:
    """Back up a game into one archive; with --turn, write one turn's files into a folder."""
    if turn is not None:
        if without_keys or force:
            raise click.UsageError(
                says("--turn writes a turn as it was sent, into a new folder: only --out goes with it.")
            )
        _export_turn(open_campaign(game_folder, drawings=False), turn, out)
        return
    with changing(game_folder, any_rules=True) as campaign:
        newest = campaign.newest_turn
        with_lasting_key = [player.realm for player in campaign.folder.players.players if player.key]
        if without_keys and with_lasting_key:
            # the key is in old order files, which cannot be changed without breaking their hashes
            realms = ", ".join(with_lasting_key)
            problem = says("The key of {0} counts for every turn and is in old order files", realms)
            hint = says("'pbem seat {0} --new-key' gives a key for each turn.", with_lasting_key[0])
            raise Failure(
                says("{0}: anyone who gets the archive could give orders with it. {1}", problem, hint)
            )
        out = out or Path(f"{campaign.folder.path.name}-turn-{newest:02}.zip")
        if out.exists() and not force:
            raise Failure(
                says("{0} already exists: name a different file with --out, or use --force.", shown_path(out))
            )
        data, addressed = pack(campaign.folder.path, newest, keys=not without_keys)
        carry_out(campaign, "export", {}, outside=(out, data), at=at, turn=newest, keys=not without_keys)
    print_text("exported", out=out, turn=newest, size=len(data), addressed=addressed, keys=not without_keys)


def _export_turn(campaign: Campaign, turn: int, out: Path | None) -> None:
    """Write all files of a turn into a new folder, as they were sent; print where they are.

    ``out``: None for a folder beside the game's. Raises ``Failure`` for a folder that exists or is in a game.
    """
    game = campaign.folder.path
    folder = out or game.with_name(f"{game.name}-{turn_name(known_turn(campaign, turn))}")
    if is_in_game(folder.resolve()):
        raise Failure(
            says("{0} is in a game's folder: name a folder outside it with --out.", shown_path(folder))
        )
    files = campaign.folder.turn_files(known_turn(campaign, turn))
    try:
        build_folder(folder, files)
    except FileExistsError:
        raise Failure(says("{0} already exists: name a new folder with --out.", shown_path(folder))) from None
    echo(
        says(
            "{0:file} of turn {1} written to {2}, as they were sent.",
            Said(len(files)),
            turn,
            shown_path(folder),
        )
    )
    warn(says("Keys of players are among them: the folder is for you alone."))


@gm_command("import")
def import_(file: Path, folder: NewFolder, *, trust_commands: bool, at: At) -> None:
    """Restore a game from an archive into a new FOLDER, after checking every file in it."""
    with file.open("rb") as opened, unpacked(opened) as (files, keys):
        # letters that came after the backup was made are looked for in the mailbox
        searched = keys and MAIL_FILE in files
        check = partial(
            _prepare_import, file, keys=keys, searched=searched, trust_commands=trust_commands, at=at
        )
        _build(folder, files, check, searched=searched)
    campaign = open_campaign(folder)
    print_text("imported", campaign=campaign, folder=folder, keys=keys, searched=searched)
    commands = commands_of(campaign)
    waiting = unconfirmed(folder, commands)
    if waiting:
        ask(campaign, waiting)
    if trust_commands:
        for command in commands:
            click.echo("\n".join(shown(command)))


def _build(folder: Path, files: Files, check: Callable[[Path], None], *, searched: bool) -> None:
    """Make a game's folder from the files of an archive, whole or not at all.

    ``check``: is called with the path of the unfinished folder, and raises an error if it must not be made;
    ``searched``: the mailbox is searched for letters that the archive lacks. Raises ``Failure`` for a folder
    that is not empty.
    """
    from gm.mail.recovery import restored_bytes

    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise Failure(says("{0} already exists and is not empty: choose a different folder.", folder))
    extra_files = {IMPORTED_FILE: imported_bytes()}
    if searched:
        extra_files["mail/restored.json"] = restored_bytes(files)
    with making(folder):
        build_folder(folder, files | extra_files, check)


def _prepare_import(
    file: Path, unfinished: Path, *, keys: bool, searched: bool, trust_commands: bool, at: At
) -> None:
    """Check and complete the unpacked game in the folder ``unfinished``; raise ``Failure`` if it is broken.

    It gets new keys unless the archive has ``keys``, its commands are confirmed if ``trust_commands``, and
    its journal notes the import. ``file``: the archive, for messages; ``searched``: whether the mailbox is
    searched for letters that the archive lacks; ``at``: the time of the option ``--at``, None for now.
    """
    if not keys:
        renew_secrets(GameFolder(unfinished), partial(secrets.token_hex, 16))
    campaign = open_campaign(unfinished)
    problems = campaign.spec.broken(campaign.table, campaign.snapshot)
    if problems:
        raise Failure(says("The game in {0} is broken: {1}.", file, problems[0]))
    marks = [command.mark for command in commands_of(campaign)] if trust_commands else []
    write_file(unfinished / IMPORTED_FILE, imported_bytes(marks))
    noted = {"turn": campaign.newest_turn, "keys": keys, "searched": searched}
    note(unfinished, "import", game_time(campaign, at), by=acting(), **noted)


# -- what an imported game may do ----------------------------------------------------------------------------


@gm_command("trust")
def trust(
    marks: Annotated[tuple[str, ...], argument(nargs=-1, metavar="[MARK]...")],
    game_folder: Game,
    as_json: AsJson,
) -> int:
    """Review every command that came with an imported game, in full, and confirm which may run here."""
    campaign = open_campaign(game_folder, drawings=False)
    waiting = unconfirmed(campaign.folder.path, commands_of(campaign))
    unknown = sorted(set(marks) - {command.mark for command in waiting})
    if unknown:
        raise click.BadParameter(
            says("nothing that needs your confirmation has the mark {0!r}", unknown[0]), param_hint="'MARK'"
        )
    if as_json and not marks:
        print_json({"commands": [fields(command, "mark", "where", "does", "words") for command in waiting]})
    elif marks:
        confirm(campaign, [command for command in waiting if command.mark in marks])
    elif waiting:
        ask(campaign, waiting)
    else:
        echo(says("Nothing in this game needs your confirmation."))
    # without MARKs, the exit code says whether something still waits
    return REFUSED if not marks and unconfirmed(campaign.folder.path, waiting) else 0


# -- rules and journals --------------------------------------------------------------------------------------


@gm_command("upgrade")
def upgrade(*, keep: bool, dry_run: bool, game_folder: Game) -> None:
    """Choose the rules by which a game continues after pbem was updated or the game's rules edited."""
    with changing(game_folder, any_rules=True) as campaign:
        path = campaign.folder.path
        spec = campaign.spec
        files = rules_in_force(spec, path)
        problem = _lost_pins(path)
        if problem:
            _pin_anew(campaign, files, problem, keep=keep, dry_run=dry_run)
            return
        pins = pins_of(path)
        changes = changed_rules(campaign)
        if pins is None or not changes:
            echo(says("The game is played by the rules that it began with."))
            return
        click.echo("\n".join(map(str, changes)))
        kept_files = old_files(campaign, pins, files) if keep else {}  # the old rules, as files of the game
        if not keep:
            _refuse_broken(campaign)
        if dry_run:
            echo(says("Nothing was changed."))
            return
        program = pins.program if keep else __version__
        changed_files: Changes = {path / name: data for name, data in kept_files.items()}
        pinned = pins_bytes(spec, {**files, **{name: pins.files[name] for name in kept_files}}, program)
        changed_files[path / PINS_FILE] = pinned
        noted: dict[str, Any] = {"begun_with": pins.program, "program": __version__, "edition": spec.edition}
        # not more changes than a line of the journal can hold
        noted |= {"changes": [str(change) for change in changes][:500], PINS: pins_fingerprint(pinned)}
        carry_out(campaign, "upgrade", changed_files, turn=campaign.next_turn, keep=keep, **noted)
    if keep:
        echo(says("The game continues by the rules that it began with: {0}.", ", ".join(sorted(kept_files))))
    else:
        echo(
            says("From turn {0} on the game is played by these rules. Tell your players.", campaign.next_turn)
        )
        echo(says("'pbem handbook' writes the rulebook with the new figures."))


def _refuse_broken(campaign: Campaign) -> None:
    """Raise ``Failure`` or ``SourceError`` unless the game can go on by the installed rules."""
    try:
        problem = next(iter(campaign.spec.broken(campaign.table, campaign.snapshot)), None)
    except ValueError as error:
        raise Failure(says("No game can be played by these rules: {0}.", error)) from None
    if problem:
        raise Failure(says("The position of the game is not possible under these rules: {0}.", problem))


def _lost_pins(path: Path) -> str:
    """Return why it is not known by which rules a game was played; empty if it is known.

    ``path``: the game's folder.
    """
    try:
        pins_of(path)
    except BrokenFolderError:
        return says("{0} is damaged", path / PINS_FILE)
    return pins_problem(path)


def _pin_anew(
    campaign: Campaign, files: Mapping[str, bytes], problem: str, *, keep: bool, dry_run: bool
) -> None:
    """Pin the installed rules for a game whose pinned rules are lost.

    ``files``: the files of the installed rules, by name; ``problem``: why the pinned ones are lost;
    ``dry_run``: nothing is changed. Raises ``Failure`` if the game is to ``keep`` the pinned ones.
    """
    warn(
        says(
            "{0}. Whether the installed rules are those that the game was played with cannot be checked.",
            problem,
        )
    )
    if keep:
        raise Failure(says("The rules that the game began with are lost: restore the file from a backup."))
    if dry_run:
        echo(says("Nothing was changed."))
        return
    data = pins_bytes(campaign.spec, files)
    noted: dict[str, Any] = {
        "lost": True,
        "program": __version__,
        "edition": campaign.spec.edition,
        PINS: pins_fingerprint(data),
    }
    carry_out(campaign, "upgrade", {campaign.folder.path / PINS_FILE: data}, turn=campaign.next_turn, **noted)
    echo(
        says(
            "From turn {0} on the game is played with the installed rules. Tell your players.",
            campaign.next_turn,
        )
    )


@gm_command("repair")
def repair(*, dry_run: bool, game_folder: Game, as_json: AsJson) -> int:
    """Repair the journals of a game."""
    from gm.mail.repair import DAMAGED, repaired

    folder = GameFolder.find(folder_or_default(game_folder))
    with locked(folder.path):
        journals = repaired(folder, clock.utc_now(), acting(), dry_run=dry_run)
        # this loop repairs the journals, one by one, so that it runs while the game is locked
        losses = {name: lost for name, lost in journals if lost}
    if as_json:
        print_json({"repaired": not dry_run, "lost": losses})
    else:
        for name, lost in losses.items():
            warn(says("{0} is damaged.", name) if dry_run else says("{0} is repaired.", name))
            click.echo("\n".join(f"  {line}" for line in lost))
        if not losses:
            echo(says("The journals are whole: there is nothing to repair."))
        elif not dry_run:
            echo(
                says(
                    "What was damaged is kept in {0}, and the journal records it.",
                    shown_path(folder.path / DAMAGED),
                )
            )
    return REFUSED if losses else 0
