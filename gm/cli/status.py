"""``gm status``: where a game stands before its next turn."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from gm.cli.shared import at_option, counted, game_option, json_option, moment, open_campaign, print_json
from gm.kernel.campaign import Campaign, TurnPlan, turn_plan
from gm.kernel.game import Seat
from gm.kernel.store.deadlines import time_left

COLOURS = {"in": "green", "late": "yellow", "missing": "red", "unreadable": "red"}


@click.command(short_help="Show whose orders are in.")
@at_option
@game_option
@json_option
def command(at: str | None, game_folder: Path | None, as_json: bool) -> None:
    """Show whose orders for the next turn are in, late or missing, and the deadline.

    \b
    Examples:
      gm status
      gm status --json | jq '.missing'
    """
    campaign = open_campaign(game_folder)
    now = moment(at, campaign.folder.settings.deadline.zone)
    plan = turn_plan(campaign)
    if as_json:
        print_json(_data(campaign, plan, now))
    else:
        _print(campaign, plan, now)


def _state(seat: Seat, plan: TurnPlan) -> str:
    """One word for how a realm's orders stand."""
    if seat.out:
        return "out"
    if not seat.played:
        return "no player"
    if seat.code in plan.readings:
        return "late" if seat.code in plan.late else "in"
    return "unreadable" if seat.code in plan.set_aside else "missing"


def _data(campaign: Campaign, plan: TurnPlan, now: datetime) -> dict[str, Any]:
    deadline = campaign.deadline(campaign.next_turn)
    return {
        "game": campaign.folder.settings.id,
        "turn": campaign.next_turn,
        "deadline": deadline.isoformat(),
        "deadline_passed": now > deadline,
        "hold": campaign.folder.settings.deadline.hold,
        "complete": not plan.missing,
        "missing": [seat.code for seat in plan.missing],
        "realms": [
            {
                "realm": seat.code,
                "name": seat.name,
                "orders": _state(seat, plan),
                "refused_orders": plan.readings[seat.code].errors if seat.code in plan.readings else 0,
                "warnings": plan.readings[seat.code].warnings if seat.code in plan.readings else 0,
                "files_set_aside": len(plan.unreadable.get(seat.code, ())),
                "missed_turns": seat.missed,
                "replacement_needed": seat.flagged,
                "status": seat.status,
                "controller": seat.controller,
            }
            for seat in campaign.seats
        ],
    }


def _print(campaign: Campaign, plan: TurnPlan, now: datetime) -> None:
    turn = campaign.next_turn
    click.echo(f"{campaign.folder.settings.id} ({campaign.spec.title}): orders for turn {turn}")
    due = campaign.folder.settings.deadline
    click.echo(f"Deadline: {due.words(turn)}, {time_left(due.of_turn(turn) - now)}")
    if due.hold:
        click.echo(click.style(f"The game is on hold: {due.hold}", fg="yellow"))
    click.echo()
    width = max((len(seat.name) for seat in campaign.seats), default=0)
    for seat in campaign.seats:
        state = _state(seat, plan)
        remarks = _remarks(seat, plan)
        shown = click.style(state, fg=COLOURS.get(state)) + " " * (11 - len(state)) * bool(remarks)
        click.echo(f"  {seat.code}  {seat.name:<{width}}  {shown}{remarks}")
    expected = [seat for seat in campaign.seats if seat.played and not seat.out]
    click.echo(f"\n{len(plan.readings)} of {len(expected)} orders are in.", nl=False)
    if plan.missing:
        click.echo(f" Missing: {', '.join(seat.code for seat in plan.missing)}.")
    else:
        click.echo(" 'gm turn' plays the turn.")


def _remarks(seat: Seat, plan: TurnPlan) -> str:
    remarks = []
    reading = plan.readings.get(seat.code)
    if reading is not None and reading.errors:
        remarks.append(f"{counted(reading.errors, 'order')} refused")
    if reading is not None and reading.warnings:
        remarks.append(counted(reading.warnings, "warning"))
    if seat.code in plan.unreadable:
        remarks.append(f"{counted(len(plan.unreadable[seat.code]), 'file')} set aside")
    if seat.played and seat.missed:
        remarks.append(f"missed {counted(seat.missed, 'turn')}")
    if seat.flagged and not seat.out:
        remarks.append("needs a replacement: 'gm seat' (V3)")
    return ", ".join(remarks)
