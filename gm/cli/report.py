"""``gm report``: a turn's reports once more."""

from __future__ import annotations

from pathlib import Path

import click

from gm.campaign.stored_turn import turn_reports
from gm.cli.failures import Failure
from gm.cli.shared import bot_reports_option, carry_out, changing, counted, game_option, shown_path


@click.command(short_help="Write a turn's reports again.")
@click.option("--turn", type=click.IntRange(min=0), metavar="N", help="Which turn. Default: the newest.")
@bot_reports_option
@game_option
def command(turn: int | None, bot_reports: bool, game_folder: Path | None) -> None:
    """Write the results, battle pages, summary and order templates of a turn again, from its state, orders and log.

    Useful after the templates, a player's key or the map's drawing have changed. The state of the game stays untouched.

    \b
    Examples:
      gm report
      gm report --turn 3
    """
    with changing(game_folder) as campaign:
        newest = campaign.newest_turn
        wanted = newest if turn is None else turn
        if wanted > newest:
            raise Failure(f"Turn {wanted} has not been played; the newest is turn {newest}.")
        files = turn_reports(campaign, wanted, everybody=bot_reports)
        carry_out(campaign, "report", campaign.folder.reports_at(wanted, files), turn=wanted)
    where = campaign.folder.turn_path(wanted)
    click.echo(f"{counted(len(files), 'file')} of turn {wanted} written again in {shown_path(where)}.")
