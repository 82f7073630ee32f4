"""``pbem status`` in a folder of several games: a table with a line for each."""

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from gm.campaign.open import Campaign
from gm.campaign.plan import turn_plan
from gm.cli.output import as_failure, complain, print_json, print_table, shown_path, warn
from gm.cli.session import game_time, open_campaign
from gm.cli.speech import translate, worded
from gm.core.diagnostics import says
from gm.store.disk import unfinished_in
from gm.store.folder import SETTINGS_FILE
from gm.store.moments import time_left

HEADS = ("game", "turn", "orders", "missing", "deadline", "left")


def games_below(folder: Path) -> list[Path]:
    """Return the game folders in a folder that is not in a game itself; hidden ones are left out."""
    if any((place / SETTINGS_FILE).is_file() for place in (folder.absolute(), *folder.absolute().parents)):
        return []
    return sorted(path.parent for path in folder.glob(f"[!.]*/{SETTINGS_FILE}"))


def print_games(folders: list[Path], at: str | None, *, as_json: bool) -> None:
    """Print a line for each game; a game that cannot be read has its error there and hides no other."""
    rows = [figures_of(folder, at) for folder in folders]
    if as_json:
        print_json({"games": rows})
        return
    lines = [[_cell(row, head) for head in HEADS] for row in rows]
    print_table([[translate(head) for head in HEADS], *lines], left=len(HEADS))
    for path in unfinished_in(folders[0].parent):
        warn(
            says(
                "{0} was not finished: nothing of it counts. Run the command that makes it again.", path.name
            ),
            err=True,
        )
    for row in rows:
        if row["trouble"]:
            complain(f"{row['game']}: {row['trouble']}")


def figures_of(folder: Path, at: str | None) -> dict[str, Any]:
    """Return the line of a game; of one that cannot be read, its error."""
    try:
        campaign = open_campaign(folder, drawings=False)
        return {"game": shown_path(folder), "trouble": "", **_figures(campaign, game_time(campaign, at))}
    except Exception as error:
        trouble = error if isinstance(error, click.ClickException) else as_failure(error)
        return {"game": shown_path(folder), "trouble": click.unstyle(worded(trouble.message))}


def _cell(row: dict[str, Any], head: str) -> str:
    if head == "orders" and "expected" in row:
        return worded(says("{0} of {1}", row["in"], row["expected"]))
    value = row.get(head, "")
    if head == "deadline":
        return translate(value)
    return " ".join(value) if isinstance(value, list) else str(value)


def _figures(campaign: Campaign, now: datetime) -> dict[str, Any]:
    """Return the figures of one game: whose orders are missing, how many are in, and when they are due."""
    if campaign.winners is not None:
        return {"turn": campaign.newest_turn, "deadline": "over"}
    plan = turn_plan(campaign)
    missing = [seat.code for seat in plan.missing]
    handed_in = [
        seat for seat in campaign.seats if seat.played and not seat.out and seat.code in plan.readings
    ]
    turn = campaign.next_turn
    never = campaign.calendar.never
    return {
        "turn": turn,
        "in": len(handed_in),
        "expected": len(handed_in) + len(missing),
        "missing": missing,
        "deadline": "none" if never else campaign.calendar.words(turn, translate),
        "left": "" if never else time_left(campaign.deadline(turn) - now, translate),
    }
