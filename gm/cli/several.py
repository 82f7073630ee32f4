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
    """Return the game folders directly in a folder, except hidden ones.

    There are none if the folder is that of a game, or is inside one.
    """
    if any((place / SETTINGS_FILE).is_file() for place in (folder.absolute(), *folder.absolute().parents)):
        return []
    return sorted(path.parent for path in folder.glob(f"[!.]*/{SETTINGS_FILE}"))


def print_games(folders: list[Path], at: str | None, *, as_json: bool) -> None:
    """Print a line for each game, and below them the errors of games that cannot be read.

    ``at``: what counts as now, None for the clock; ``as_json``: print JSON.
    """
    rows = [figures_of(folder, at) for folder in folders]
    if as_json:
        print_json({"games": rows})
        return
    lines = [[_cell(row, head) for head in HEADS] for row in rows]
    print_table([[translate(head) for head in HEADS], *lines], left=len(HEADS))
    # there is at least one game, and all are in the same folder
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
    """Return the values of a game's line by column: ``game``, its path; ``trouble``, why it cannot be read.

    Of a game that can be read, ``trouble`` is empty, and the other columns are there.
    """
    try:
        campaign = open_campaign(folder, drawings=False)
        return {"game": shown_path(folder), "trouble": "", **_figures(campaign, game_time(campaign, at))}
    except Exception as error:
        failure = error if isinstance(error, click.ClickException) else as_failure(error)
        return {"game": shown_path(folder), "trouble": click.unstyle(worded(failure.message))}


def _cell(row: dict[str, Any], head: str) -> str:
    """Return the text of the column ``head`` in a game's line; empty if the game has no such value."""
    if head == "orders" and "expected" in row:
        return worded(says("{0} of {1}", row["in"], row["expected"]))
    value = row.get(head, "")
    if head == "deadline":
        return translate(value)  # it may be a word: over, none
    return " ".join(value) if isinstance(value, list) else str(value)


def _figures(campaign: Campaign, now: datetime) -> dict[str, Any]:
    """Return the columns of a game's line: whose orders are missing, how many are in, when they are due.

    Of a game that is over: only its last turn, and ``over`` for the deadline.
    """
    if campaign.winners is not None:
        return {"turn": campaign.newest_turn, "deadline": "over"}
    plan = turn_plan(campaign)
    missing = [seat.code for seat in plan.missing]
    submitted = [
        seat for seat in campaign.seats if seat.played and not seat.out and seat.code in plan.readings
    ]
    turn = campaign.next_turn
    has_deadlines = not campaign.calendar.never
    return {
        "turn": turn,
        "in": len(submitted),
        "expected": len(submitted) + len(missing),
        "missing": missing,
        "deadline": campaign.calendar.words(turn, translate) if has_deadlines else "none",
        "left": time_left(campaign.deadline(turn) - now, translate) if has_deadlines else "",
    }
