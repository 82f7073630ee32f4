"""``gm undo``: the newest turn back out of the game."""

from __future__ import annotations

from pathlib import Path

import click

from gm.cli.failures import Refusal
from gm.cli.shared import changing, game_option, note_action, shown_path


@click.command(short_help="Take the newest turn back.")
@game_option
def command(game_folder: Path | None) -> None:
    """Take the newest turn back. Nothing is lost: the turn is kept under undone/, and the order files it was played
    with still stand in the inbox, so that 'gm turn' can play it again.

    \b
    Example:
      gm undo && gm turn --reject LIT:proclamation
    """
    with changing(game_folder, drawings=False) as campaign:
        turn = campaign.folder.newest_turn()
        if turn == 0:
            raise Refusal("No turn has been played yet: there is nothing to take back.")
        kept = campaign.folder.undo_turn()
        note_action(campaign, "undo", turn=turn, kept=kept.name)
    click.echo(f"Turn {turn} is taken back; it is kept in {shown_path(kept)}. The game awaits orders for turn {turn}.")
