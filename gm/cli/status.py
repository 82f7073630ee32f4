"""``gm status``: where a game stands before its next turn."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from gm.campaign.open import Campaign
from gm.campaign.pinning import changed_rules, rules_line
from gm.campaign.plan import TurnPlan, turn_plan
from gm.campaign.recovery import UNDO, last_turn
from gm.cli.options import AsJson, At, Game, gm_command, option
from gm.cli.output import counted, outcome_of, print_json, turn_title, warn
from gm.cli.session import game_time, open_campaign, post_of
from gm.game.spec import GameSpec
from gm.game.values import Seat
from gm.store.deadlines import fixed, time_left
from gm.store.settings import bot_label
from gm.text.pages import capitalised

if TYPE_CHECKING:
    from gm.mail.game_mail import GameMail

BOT = "bot"

COLOURS = {"in": "green", "standing": "green", "late": "yellow", BOT: "cyan", "missing": "red", "unreadable": "red"}


@gm_command("status")
def command(
    tighten: Annotated[bool, option("--tighten", is_flag=True)], at: At, game_folder: Game, as_json: AsJson
) -> None:
    campaign = open_campaign(game_folder, drawings=False)
    opened = _opened(campaign.folder.path, tighten=tighten)
    now = game_time(campaign, at)
    plan = turn_plan(campaign)
    post = post_of(campaign)
    rules, found, waiting = rules_line(campaign), changed_rules(campaign), _unconfirmed(campaign)
    if as_json:
        data = _data(campaign, plan, now) | {"open_to_others": opened, "unconfirmed": waiting}
        data["rules"] = {"played": rules, "differences": list(map(str, found))}
        print_json({**data, "post": _post_data(post)} if post else data)
        return
    _print(campaign, plan, now)
    if post:
        _print_post(post, now)
    click.echo(f"\nRules: {rules}.")
    if found:
        warn(f"They are not those that are here now ({counted(len(found), 'difference')}): 'gm upgrade --dry-run'.")
    if waiting:
        warn(f"{counted(waiting, 'thing')} that came with the archive of this game may not be done yet: 'gm trust'.")
    if opened:
        what = f"{counted(len(opened), 'file or folder', 'files and folders')} of the game, for example {opened[0]}"
        click.secho(f"Others on this machine can read {what}: 'gm status --tighten' mends it.", fg="red")


def _unconfirmed(campaign: Campaign) -> int:
    """How many commands of an imported game wait for the GM's word."""
    from gm.cli.maintenance import commands_of
    from gm.store.trust import confirmed, unconfirmed

    path = campaign.folder.path
    return len(unconfirmed(path, commands_of(campaign))) if confirmed(path) is not None else 0


def _opened(folder: Path, *, tighten: bool) -> list[str]:
    """What of a game others can read, by name; made the GM's alone if that is wanted."""
    from gm.store import trust

    found = list(trust.open_to_others(folder))
    for each in found if tighten else ():
        trust.tighten(each)
    if tighten:
        click.echo(f"{counted(len(found), 'file or folder', 'files and folders')} made yours alone.", err=True)
    return [] if tighten else [each.relative_to(folder).as_posix() for each in found]


def _state(seat: Seat, plan: TurnPlan) -> str:
    """One word for how a realm's orders stand."""
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
    return "unreadable" if seat.code in plan.set_aside else "missing"


def _program(seat: Seat) -> str:
    """What plays a seat without a person: the game's own stand-in by its name in the game, or a bot."""
    return seat.controller if seat.bot == seat.controller.replace(" ", "-") else BOT


def _data(campaign: Campaign, plan: TurnPlan, now: datetime) -> dict[str, Any]:
    deadline = campaign.deadline(campaign.next_turn)
    return {
        "game": campaign.folder.settings.id,
        "turn": campaign.next_turn,
        "deadline": deadline.isoformat(),
        "deadline_passed": now > deadline,
        "hold": campaign.folder.settings.deadline.hold,
        "complete": not plan.missing,
        "over": campaign.winners is not None,
        "winners": list(campaign.winners or ()),
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
                "bot": bot_label(seat.bot),
            }
            for seat in campaign.seats
        ],
    }


def _print(campaign: Campaign, plan: TurnPlan, now: datetime) -> None:
    turn = campaign.next_turn
    coming = campaign.spec.coming_name(campaign.state)
    name = f"{campaign.folder.settings.id} ({campaign.spec.title})"
    click.echo(name if campaign.winners is not None else f"{name}: orders for {turn_title(turn, coming)}")
    if entry := last_turn(campaign.folder.path):
        played_at = fixed(datetime.fromisoformat(entry["at"]), campaign.folder.settings.deadline.zone)
        what = "taken back" if entry["did"] == UNDO else "played"
        click.echo(f"Turn {entry['turn']} was {what} on {played_at:%Y-%m-%d %H:%M}.")
    if campaign.winners is not None:
        click.secho(capitalised(outcome_of(campaign)), bold=True)
        return
    quoted = campaign.spec.quoted(campaign.state)
    if quoted != turn:
        click.echo(f"Order files for it say 'turn: {quoted}'.")
    due = campaign.folder.settings.deadline
    click.echo(f"Deadline: {due.words(turn)}, {time_left(due.of_turn(turn) - now)}")
    if due.hold:
        warn(f"The game is on hold: {due.hold}")
    if withdrawn := campaign.withdrawn:
        orders = "new orders are taken" if withdrawn.last.reopened else "it is played with the orders as received"
        click.echo(f"Turn {campaign.next_turn} was taken back when its results were known: {orders}.")
    click.echo()
    width = max((len(seat.name) for seat in campaign.seats), default=0)
    codes = max((len(seat.code) for seat in campaign.seats), default=0)
    for seat in campaign.seats:
        state = _state(seat, plan)
        remarks = _remarks(seat, plan, campaign.spec)
        shown = click.style(state, fg=COLOURS.get(state)) + " " * max(2, 11 - len(state)) * bool(remarks)
        click.echo(f"  {seat.code:<{codes}}  {seat.name:<{width}}  {shown}{remarks}")
    expected = [seat for seat in campaign.seats if seat.played and not seat.out and not seat.waiting]
    if expected or not any(seat.bot for seat in campaign.seats):
        click.echo(f"\nOrders in: {len(plan.readings)} of {len(expected)}.", nl=False)
    else:
        click.echo("\nOnly programs play.", nl=False)
    if plan.missing:
        click.echo(f" Missing: {', '.join(seat.code for seat in plan.missing)}.")
    else:
        click.echo(" 'gm turn' plays the turn.")


def _remarks(seat: Seat, plan: TurnPlan, spec: GameSpec[Any]) -> str:
    remarks = []
    if seat.bot and not seat.out and _program(seat) == BOT:
        remarks.append(bot_label(seat.bot))
    reading = plan.readings.get(seat.code)
    if seat.code in plan.decisions.repeated:
        remarks.append(f"as in turn {plan.decisions.repeated[seat.code]}")
    if reading is not None and reading.errors:
        remarks.append(f"{counted(reading.errors, 'order')} refused")
    if reading is not None and reading.warnings:
        remarks.append(counted(reading.warnings, "warning"))
    if seat.code in plan.unreadable:
        remarks.append(f"{counted(len(plan.unreadable[seat.code]), 'file')} set aside")
    if seat.played and seat.missed:
        remarks.append(f"missed {counted(seat.missed, 'turn')}")
    if seat.flagged and not seat.out:
        clause = f" ({spec.words.replacement})" if spec.words.replacement else ""
        remarks.append(f"needs a replacement: 'gm seat'{clause}")
    return ", ".join(remarks)


# -- the post ----------------------------------------------------------------------------------------------------------


def _post_data(post: GameMail) -> dict[str, Any]:
    from gm.cli.post import posted_data
    from gm.mail.status import last_read, left_letters, letters_without_orders, problems, undelivered, wrong_keys

    read = last_read(post)
    return {
        "mailbox_read": read.isoformat() if read else None,
        "problems": [
            {"where": each.where.value, "says": each.says, "since": each.since.isoformat()} for each in problems(post)
        ],
        "left": left_letters(post),
        "without_orders": dict(letters_without_orders(post)[0]),
        "waiting": [posted_data(each) for each in post.outbox.open()],
        "wrong_keys": wrong_keys(post),
        "lost": [posted_data(each) for each in undelivered(post)],
    }


def _print_post(post: GameMail, now: datetime) -> None:
    """What a GM has to know of his post, and nothing of what is as it should be."""
    from gm.cli.post import elsewhere
    from gm.mail.status import (
        WRONG_KEYS_LIMIT,
        last_read,
        left_letters,
        letters_without_orders,
        problems,
        undelivered,
        wrong_keys,
    )

    read = last_read(post)
    reading = "the mailbox was never read"
    if read:  # that it is just now is only noted now and then
        late = now - read >= timedelta(hours=1)
        ago = time_left(read - now).removeprefix("passed ") if late else "within the last hour"
        reading = f"the mailbox was read {ago}"
    click.echo(f"\nPost: {reading}; {counted(len(post.outbox.open()), 'letter')} to send.")
    seats = post.campaign.seats
    if nowhere := [each.code for each in seats if each.played and not each.out and not post.address(each.code)]:
        click.echo(f"  No letter goes to {', '.join(nowhere)}: 'gm seat REALM --email ADDRESS'.")
    written, withheld = letters_without_orders(post)
    if written:
        who = ", ".join(f"{realm} {count}" for realm, count in sorted(written.items()))
        kept = f"; {withheld} of them only in {post.settings.inward.aside}" if withheld else ""
        click.echo(f"  {counted(sum(written.values()), 'letter')} without orders for this turn ({who}){kept}.")
    if left := left_letters(post):
        click.echo(f"  {counted(len(left), 'letter')} in it {'is' if len(left) == 1 else 'are'} for {elsewhere(left)}.")
    for problem in problems(post):
        since = time_left(problem.since - now).removeprefix("passed ").removesuffix(" ago")
        click.echo(f"  {click.style(problem.where.value, fg='red')}  {problem.says} (For {since}.)")
    for realm, number in wrong_keys(post).items():
        closed = "; no key of it counts this turn" if number >= WRONG_KEYS_LIMIT else ""
        click.echo(f"  {click.style('wrong keys', fg='red')}  {counted(number, 'wrong key')} came for {realm}{closed}.")
    lost = undelivered(post)
    width = max((len(each.to) for each in lost), default=0)
    for each in lost:
        click.echo(f"  {click.style(each.state.value, fg='red')}  {each.to:<{width}}  {each.subject}: {each.words}")
    if lost:
        click.echo("  When the addresses are right ('gm seat REALM --email ADDRESS'): 'gm mail again'.")
