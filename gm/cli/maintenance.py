"""``gm upgrade`` and ``gm repair``: a game goes on by other rules at its GM's word; damaged journals are mended."""

from __future__ import annotations

from pathlib import Path

import click

from gm import __version__
from gm.cli.failures import REFUSED, Failure
from gm.cli.options import game_option, json_option
from gm.cli.output import print_json, shown_path, warn
from gm.cli.session import acting, carry_out, changing, utc_now

NOTED = 500
"""So many differences stand in the journal."""


@click.command(short_help="Go on by newer rules, or by those a game began with.")
@click.option("--keep", is_flag=True, help="Go on by the numbers and the map that the game began with.")
@click.option("--dry-run", is_flag=True, help="Show every difference, and change nothing.")
@game_option
def upgrade(keep: bool, dry_run: bool, game_folder: Path | None) -> None:
    """Say by which rules a game goes on, after a newer gm was installed or its files were edited.

    The rules data, map and sentences that a game began with are kept in its pinned.json. When those that are here now
    differ, every command that would change the game stops, and this one decides: the new rules count from the next
    turn on, and the journal says what changed; or, with --keep, the old numbers and map are put into the game's own
    folder and stay in force. What the program itself does otherwise (its edition) cannot be kept, nor can its
    sentences, which decide nothing.

    \b
    Examples:
      gm upgrade --dry-run
      gm upgrade
      gm upgrade --keep
    """
    from gm.campaign.pinning import PINS_FILE, in_force, pins_bytes, pins_of
    from gm.campaign.rule_changes import OldRulesError, changed_rules, old_files

    with changing(game_folder, any_rules=True) as campaign:
        path, spec = campaign.folder.path, campaign.spec
        pins, files = pins_of(path), in_force(spec, path)
        found = changed_rules(campaign)
        if pins is None or not found:
            click.echo("The game is played by the rules that it began with.")
            return
        click.echo("\n".join(map(str, found)))
        if dry_run:
            click.echo("Nothing was changed.")
            return
        try:
            kept = old_files(campaign, pins, files) if keep else {}
        except OldRulesError as error:
            raise Failure(str(error)) from None
        program = pins.program if keep else __version__
        noted = [str(each) for each in found if not each.words][:NOTED]
        more: dict[Path, bytes | None] = {path / name: data for name, data in kept.items()}
        more[path / PINS_FILE] = pins_bytes(spec, {**files, **kept}, program)
        carry_out(
            campaign,
            "upgrade",
            more,
            turn=campaign.next_turn,
            keep=keep,
            begun_with=pins.program,
            program=__version__,
            edition=spec.edition,
            changes=noted,
            reworded=sum(each.words for each in found),
        )
    if keep:
        names = ", ".join(sorted(kept)) or "nothing but sentences was different"
        click.echo(f"The game goes on as it began: {names}. Sentences are those of this gm.")
    else:
        click.echo(f"From turn {campaign.next_turn} on the game is played by these rules. Tell your players.")
        click.echo("'gm handbook' writes the rulebook with the new figures.")


@click.command(short_help="Mend damaged journals.")
@click.option("--dry-run", is_flag=True, help="Say what is wrong, and write nothing.")
@game_option
@json_option
def repair(dry_run: bool, game_folder: Path | None, as_json: bool) -> None:
    """Mend the journals of a game: journal.jsonl, and those of its post.

    What can be read is kept, what stands twice goes, lines in a wrong order are put right, and the chain is made anew
    from the first damage on. What is lost is said, and noted in the journal: 'gm verify' tells it from then on. The
    damaged file is kept under damaged/. Turns, orders and settings are not touched: put those back from a copy.

    \b
    Examples:
      gm repair --dry-run
      gm repair

    Exit code 1 when something is lost.
    """
    from gm.mail.repair import DAMAGED, repaired
    from gm.store.folder import GameFolder
    from gm.store.lock import locked

    folder = GameFolder.find(game_folder or Path.cwd())
    with locked(folder.path):
        done = {name: lost for name, lost in repaired(folder, utc_now(), acting(), dry_run=dry_run) if lost}
    if as_json:
        print_json({"repaired": not dry_run, "lost": done})
    else:
        for name, lost in done.items():
            warn(f"{name}: {'damaged' if dry_run else 'mended'}.")
            click.echo("\n".join(f"  {each}" for each in lost))
        if not done:
            click.echo("The journals are whole: there is nothing to mend.")
        elif not dry_run:
            click.echo(f"What was damaged is kept in {shown_path(folder.path / DAMAGED)}, and the journal tells of it.")
    if done:
        click.get_current_context().exit(REFUSED)
