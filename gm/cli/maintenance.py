"""``gm upgrade`` and ``gm repair``: a game goes on by other rules at its GM's word; damaged journals are mended."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click

from gm import __version__
from gm.cli.failures import REFUSED, Failure
from gm.cli.options import AsJson, GameFolder, gm_command, option
from gm.cli.output import print_json, shown_path, warn
from gm.cli.session import acting, carry_out, changing, utc_now

NOTED = 500
"""So many differences stand in the journal."""


@gm_command("upgrade")
def upgrade(
    keep: Annotated[bool, option("--keep", is_flag=True)],
    dry_run: Annotated[bool, option("--dry-run", is_flag=True)],
    game_folder: GameFolder,
) -> None:
    from gm.campaign.pinning import PINS_FILE, OldRulesError, changed_rules, in_force, old_files, pins_bytes, pins_of

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


@gm_command("repair")
def repair(
    dry_run: Annotated[bool, option("--dry-run", is_flag=True)], game_folder: GameFolder, as_json: AsJson
) -> None:
    from gm.mail.repair import DAMAGED, repaired
    from gm.store.disk import locked
    from gm.store.folder import GameFolder

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
