"""``pbem status``: how a game is doing before its next turn."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from gm.campaign.absence import deputies, last_turn_away
from gm.campaign.clock import left_of
from gm.campaign.extension import extending_realm
from gm.campaign.grace import realms_given_grace
from gm.campaign.open import Campaign
from gm.campaign.pinning import changed_rules, rules_line
from gm.campaign.plan import TurnPlan, turn_plan
from gm.campaign.recovery import UNDO, last_turn
from gm.cli.options import AsJson, At, Game, gm_command, meant
from gm.cli.output import counted, outcome_of, print_json, title_of, turn_title, warn, widest
from gm.cli.post_status import post_data, print_post
from gm.cli.session import game_time, open_campaign, post_of
from gm.cli.several import games_below, print_games
from gm.game.values import Seat
from gm.store.deadlines import fixed, time_left
from gm.store.settings import bot_label
from gm.text.pages import capitalised

_COLOURS = {
    "in": "green",
    "standing": "green",
    "late": "yellow",
    "bot": "cyan",
    "steward": "cyan",
    "missing": "red",
    "unreadable": "red",
}


@gm_command("status")
def command(*, tighten: bool, at: At, game_folder: Game, as_json: AsJson) -> None:
    """Show who has submitted orders for the next turn."""
    games = games_below(meant(game_folder))
    if games:
        print_games(games, at, as_json=as_json)
        return
    campaign = open_campaign(game_folder, drawings=False)
    opened = _opened(campaign.folder.path, tighten=tighten)
    now = game_time(campaign, at)
    if as_json:
        print_json(status_data(campaign, now, opened))
        return
    _print(campaign, turn_plan(campaign), now)
    mail = post_of(campaign)
    if mail:
        print_post(mail, now)
    rules = rules_line(campaign)
    changes = changed_rules(campaign)
    waiting = _unconfirmed(campaign)
    click.echo(f"\nRules: {rules}.")
    if changes:
        warn(
            f"They differ from the installed rules ({counted(len(changes), 'difference')}): 'pbem upgrade "
            "--dry-run'."
        )
    if waiting:
        warn(f"{counted(waiting, 'thing')} from this game's archive are not trusted yet: run 'pbem trust'.")
    if opened:
        opened_words = (
            f"{counted(len(opened), 'file or folder', 'files and folders')} of the game, for example "
            f"{opened[0]}"
        )
        click.secho(
            f"Others on this machine can read {opened_words}: 'pbem status --tighten' corrects it.", fg="red"
        )


def status_data(campaign: Campaign, now: datetime, opened: Sequence[str] = ()) -> dict[str, Any]:
    """Return the status of a game, for ``--json``.

    ``opened``: the parts of its folder that others can read.
    """
    rules = {"played": rules_line(campaign), "differences": list(map(str, changed_rules(campaign)))}
    data = _data(campaign, turn_plan(campaign), now)
    data |= {"open_to_others": list(opened), "unconfirmed": _unconfirmed(campaign), "rules": rules}
    mail = post_of(campaign)
    return {**data, "post": post_data(mail)} if mail else data


def _unconfirmed(campaign: Campaign) -> int:
    """Return how many commands of an imported game wait for the GM's word."""
    from gm.cli.maintenance import commands_of
    from gm.store.trust import confirmed, unconfirmed

    path = campaign.folder.path
    return len(unconfirmed(path, commands_of(campaign))) if confirmed(path) is not None else 0


def _opened(folder: Path, *, tighten: bool) -> list[str]:
    """Return the files of a game that others can read, by name; with ``tighten``, made the GM's alone."""
    from gm.store import trust

    paths = list(trust.open_to_others(folder))
    if not tighten:
        return [path.relative_to(folder).as_posix() for path in paths]
    for path in paths:
        trust.tighten(path)
    click.echo(f"{counted(len(paths), 'file or folder', 'files and folders')} made yours alone.", err=True)
    return []


def _missing(campaign: Campaign, plan: TurnPlan) -> list[str]:
    """Return the realms whose orders are missing, and for which no steward acts."""
    missing = [seat.code for seat in plan.missing]
    acting = deputies(campaign, missing)
    return [realm for realm in missing if realm not in acting]


def _state(campaign: Campaign, seat: Seat, plan: TurnPlan) -> str:
    """Return the word for what is known of a seat's orders."""
    if seat.out:
        return "out"
    if not seat.played:
        return _program(seat) if seat.bot else "no player"
    if seat.code in plan.decisions.repeated:
        return "standing"
    if seat.waiting:
        return "not to move"
    if seat.code in plan.readings:
        return "late" if seat.code in plan.decisions.late else "in"
    if seat.code in deputies(campaign, [seat.code]):
        return "steward"
    return "unreadable" if seat.code in plan.set_aside else "missing"


def _program(seat: Seat) -> str:
    """Return the name of what plays a seat without a person: the game's own stand-in, or a bot."""
    return seat.controller if seat.bot == seat.controller.replace(" ", "-") else "bot"


def _needs_replacement(campaign: Campaign, seat: Seat, plan: TurnPlan) -> bool:
    """Return whether another player should take over a seat (V3).

    No orders are in, and none came for as many turns as the game allows. One turn alone is enough only where
    that was chosen with ``--missed``.
    """
    if seat.out or not seat.played or seat.code in plan.readings:
        return False
    allowed = campaign.folder.settings.missed
    return seat.missed >= allowed if allowed else seat.flagged and seat.missed > 1


def _row(campaign: Campaign, seat: Seat, plan: TurnPlan) -> dict[str, Any]:
    """Return a seat's line, for ``--json``."""
    reading = plan.readings.get(seat.code)
    return {
        "realm": seat.code,
        "name": seat.name,
        "orders": _state(campaign, seat, plan),
        "invalid_orders": reading.errors if reading else 0,
        "warnings": reading.warnings if reading else 0,
        "files_rejected": len(plan.unreadable.get(seat.code, ())),
        "missed_turns": seat.missed,
        "replacement_needed": _needs_replacement(campaign, seat, plan),
        "status": seat.status,
        "controller": seat.controller,
        "bot": bot_label(seat.bot),
        "away_until": _away_until(campaign, seat),
    }


def _away_until(campaign: Campaign, seat: Seat) -> int:
    """Return the last turn that a seat's player is away; 0 for one who is not."""
    player = campaign.folder.players.of(seat.code)
    last = last_turn_away(campaign, player) if player else 0
    return last if last >= campaign.next_turn else 0


def _data(campaign: Campaign, plan: TurnPlan, now: datetime) -> dict[str, Any]:
    """Return the game's line, for ``--json``."""
    deadline = campaign.deadline(campaign.next_turn)
    return {
        "game": campaign.folder.settings.id,
        "turn": campaign.next_turn,
        "deadline": deadline,
        "deadline_passed": now > deadline and not campaign.calendar.never,
        "hold": campaign.calendar.hold,
        "early": campaign.calendar.early,
        "grace": campaign.calendar.grace,
        "waited_for": realms_given_grace(campaign),
        "extensions": campaign.calendar.extensions,
        "extended_by": extending_realm(campaign),
        "held": plan.held,
        "complete": not _missing(campaign, plan),
        "over": campaign.winners is not None,
        "winners": campaign.winners or (),
        "files_of_nobody": list(plan.strays),
        "missing": _missing(campaign, plan),
        "realms": [_row(campaign, seat, plan) for seat in campaign.seats],
    }


def _print(campaign: Campaign, plan: TurnPlan, now: datetime) -> None:
    """Print the status of a game, for people."""
    # without a template: whoever asks often waits for the engine each time
    turn = campaign.next_turn
    due = campaign.calendar
    over = campaign.winners is not None
    coming = turn_title(turn, campaign.spec.coming_name(campaign.state))
    name = f"{campaign.folder.settings.id} ({campaign.spec.title})"
    click.echo(name if over else f"{name}: orders for {coming}")
    _print_last(campaign)
    if over:
        click.secho(capitalised(outcome_of(campaign)), bold=True)
        return
    quoted = campaign.spec.quoted(campaign.state)
    if quoted != turn:
        click.echo(f"Order files for it say 'turn: {quoted}'.")
    _print_deadline(campaign, plan, now)
    if due.hold:
        warn(f"The game is on hold: {due.hold}")
    withdrawn = campaign.withdrawn
    if withdrawn is not None:
        orders = (
            "new orders are accepted"
            if withdrawn.last.reopened
            else "it is played with the orders received for it"
        )
        click.echo(f"Turn {turn} was undone when its results were known: {orders}.")
    click.echo()
    _print_seats(campaign, plan)
    _print_orders(campaign, plan)


def _print_last(campaign: Campaign) -> None:
    """Print the last journal entry about a turn, if there is one."""
    last = last_turn(campaign.folder.path)
    if not last:
        return
    moment = fixed(datetime.fromisoformat(last["at"]), campaign.calendar.zone)
    what = "undone" if last["did"] == UNDO else "played"
    title = f"turn {last['turn']}"
    if last["turn"] == campaign.newest_turn:
        title = turn_title(last["turn"], campaign.spec.played_name(campaign.state))
    click.echo(f"{capitalised(title)} was {what} on {moment:%Y-%m-%d %H:%M}.")


def _print_deadline(campaign: Campaign, plan: TurnPlan, now: datetime) -> None:
    """Print when the coming turn is due, what the clocks say, and who holds it up."""
    turn = campaign.next_turn
    due = campaign.calendar
    early = "; played as soon as all orders are in" if due.early else ""
    deadline_words = f"{due.words(turn)}, {time_left(due.of_turn(turn) - now)}"
    click.echo(f"Deadline: {'none' if due.never else deadline_words}{early}")
    if due.grace and not due.never:
        click.echo(_grace_words(campaign))
    if due.extensions and not due.never:
        click.echo(_extension_words(campaign))
    ticks = due.ticks
    if ticks:
        record = campaign.folder.turn_record(campaign.newest_turn)
        clocks = (
            f"{seat.code} {time_left(left_of(ticks, record, seat.code))[3:]}" for seat in campaign.seats
        )
        click.echo(f"Clocks ({due.clock}) as the turn began: {', '.join(clocks)}.")
    if due.early and plan.held:
        click.echo(f"It is held until then by {', '.join(plan.held)} ('ready: no', or invalid orders).")


def _grace_words(campaign: Campaign) -> str:
    """Return for whose missing orders the turn waits already, or how it would wait."""
    waited_for = realms_given_grace(campaign)
    if waited_for:
        return f"The deadline has moved once for the missing orders of {', '.join(waited_for)}."
    return f"It waits for missing orders, for each player at most {campaign.calendar.grace} in the game."


def _extension_words(campaign: Campaign) -> str:
    """Return which player has extended the deadline already, or how players may."""
    realm = extending_realm(campaign)
    if realm:
        return f"The player of {realm} has extended the deadline by letter."
    return f"Each player may extend it by letter, at most {campaign.calendar.extensions} in the game."


def _print_seats(campaign: Campaign, plan: TurnPlan) -> None:
    """Print a line for each seat: its orders, and remarks."""
    codes = widest(seat.code for seat in campaign.seats)
    names = widest(seat.name for seat in campaign.seats)
    for seat in campaign.seats:
        state = _state(campaign, seat, plan)
        remarks = ", ".join(_remarks(campaign, seat, plan))
        gap = " " * max(2, 11 - len(state)) if remarks else ""
        words = f"{click.style(state, fg=_COLOURS.get(state))}{gap}{remarks}"
        click.echo(f"  {seat.code:<{codes}}  {seat.name:<{names}}  {words}")


def _print_orders(campaign: Campaign, plan: TurnPlan) -> None:
    """Print how many orders are in, who is missing, and which files belong to no party."""
    expected = sum(seat.played and not seat.out and not seat.waiting for seat in campaign.seats)
    programs = any(seat.bot for seat in campaign.seats) and not expected
    orders = "Only bots play." if programs else f"Orders in: {len(plan.readings)} of {expected}."
    missing = ", ".join(_missing(campaign, plan))
    then = f"Missing: {missing}." if missing else "'pbem turn' plays the turn."
    click.echo(f"\n{orders} {then}")
    if plan.strays:
        inbox = campaign.folder.inbox(campaign.next_turn).folder.relative_to(campaign.folder.path).as_posix()
        files = ", ".join(f"{inbox}/{name}" for name in plan.strays)
        verb = "matches" if len(plan.strays) == 1 else "match"
        warn(f"{counted(len(plan.strays), 'file')} {verb} no seat: {files}.")


def _findings(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield the problems of a realm's files, in a few words each."""
    if row["invalid_orders"]:
        yield f"{counted(row['invalid_orders'], 'order')} invalid"
    if row["warnings"]:
        yield counted(row["warnings"], "warning")
    if row["files_rejected"]:
        yield f"{counted(row['files_rejected'], 'file')} rejected"


def _remarks(campaign: Campaign, seat: Seat, plan: TurnPlan) -> Iterator[str]:
    """Yield the remarks on a seat: bot, repeated orders, absence, errors, missed turns."""
    row = _row(campaign, seat, plan)
    clause = campaign.spec.words.replacement
    if seat.bot and not seat.out and _program(seat) == "bot":
        yield row["bot"]
    if seat.code in plan.decisions.repeated:
        yield f"as in turn {plan.decisions.repeated[seat.code]}"
    if row["away_until"]:
        yield f"away up to {title_of(campaign, row['away_until'])}"
    yield from _findings(row)
    if seat.played and seat.missed:
        yield f"missed {counted(seat.missed, 'turn')}"
    if row["replacement_needed"]:
        rule = f" ({clause})" if clause else ""
        yield f"needs a replacement player: 'pbem player replace {seat.code}'{rule}"
