"""``pbem status``: where a game stands before its next turn."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm.campaign.clock import left_of
from gm.campaign.open import Campaign
from gm.campaign.pinning import changed_rules, rules_line
from gm.campaign.plan import TurnPlan, turn_plan
from gm.campaign.recovery import UNDO, last_turn
from gm.cli.options import AsJson, At, Game, gm_command, meant
from gm.cli.output import counted, fields, outcome_of, print_json, turn_title, warn, widest
from gm.cli.session import game_time, open_campaign, post_of
from gm.cli.several import games_below, print_games
from gm.game.values import Seat
from gm.store.deadlines import fixed, time_left
from gm.store.settings import bot_label
from gm.text.pages import capitalised

if TYPE_CHECKING:
    from gm.mail.game_mail import GameMail
    from gm.mail.outbox import OutboxEntry

_COLOURS = {"in": "green", "standing": "green", "late": "yellow", "bot": "cyan", "missing": "red", "unreadable": "red"}


@gm_command("status")
def command(tighten: bool, at: At, game_folder: Game, as_json: AsJson) -> None:
    games = games_below(meant(game_folder))
    if games:
        print_games(games, at, as_json=as_json)
        return
    campaign = open_campaign(game_folder, drawings=False)
    opened = _opened(campaign.folder.path, tighten=tighten)
    now = game_time(campaign, at)
    plan = turn_plan(campaign)
    post = post_of(campaign)
    rules = rules_line(campaign)
    found = changed_rules(campaign)
    waiting = _unconfirmed(campaign)
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
        warn(f"They are not those that are here now ({counted(len(found), 'difference')}): 'pbem upgrade --dry-run'.")
    if waiting:
        warn(f"{counted(waiting, 'thing')} that came with the archive of this game may not be done yet: 'pbem trust'.")
    if opened:
        what = f"{counted(len(opened), 'file or folder', 'files and folders')} of the game, for example {opened[0]}"
        click.secho(f"Others on this machine can read {what}: 'pbem status --tighten' mends it.", fg="red")


def _unconfirmed(campaign: Campaign) -> int:
    """Return how many commands of an imported game wait for the GM's word."""
    from gm.cli.maintenance import commands_of
    from gm.store.trust import confirmed, unconfirmed

    path = campaign.folder.path
    return len(unconfirmed(path, commands_of(campaign))) if confirmed(path) is not None else 0


def _opened(folder: Path, *, tighten: bool) -> list[str]:
    """Return what of a game others can read, by name; made the GM's alone if that is wanted."""
    from gm.store import trust

    found = list(trust.open_to_others(folder))
    if not tighten:
        return [each.relative_to(folder).as_posix() for each in found]
    for each in found:
        trust.tighten(each)
    click.echo(f"{counted(len(found), 'file or folder', 'files and folders')} made yours alone.", err=True)
    return []


def _state(seat: Seat, plan: TurnPlan) -> str:
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
    """Return what plays a seat without a person: the game's own stand-in by its name in the game, or a bot."""
    return seat.controller if seat.bot == seat.controller.replace(" ", "-") else "bot"


def _needs_replacement(campaign: Campaign, seat: Seat, plan: TurnPlan) -> bool:
    """Return whether somebody else should play a seat (V3).

    No orders are in, and none came for as many turns as the game allows. One turn alone is enough only where
    that was chosen with ``--missed``.
    """
    if seat.out or not seat.played or seat.code in plan.readings:
        return False
    allowed = campaign.folder.settings.missed
    return seat.missed >= allowed if allowed else seat.flagged and seat.missed > 1


def _row(campaign: Campaign, seat: Seat, plan: TurnPlan) -> dict[str, Any]:
    reading = plan.readings.get(seat.code)
    return {
        "realm": seat.code,
        "name": seat.name,
        "orders": _state(seat, plan),
        "refused_orders": reading.errors if reading else 0,
        "warnings": reading.warnings if reading else 0,
        "files_set_aside": len(plan.unreadable.get(seat.code, ())),
        "missed_turns": seat.missed,
        "replacement_needed": _needs_replacement(campaign, seat, plan),
        "status": seat.status,
        "controller": seat.controller,
        "bot": bot_label(seat.bot),
    }


def _data(campaign: Campaign, plan: TurnPlan, now: datetime) -> dict[str, Any]:
    deadline = campaign.deadline(campaign.next_turn)
    return {
        "game": campaign.folder.settings.id,
        "turn": campaign.next_turn,
        "deadline": deadline,
        "deadline_passed": now > deadline and not campaign.calendar.never,
        "hold": campaign.calendar.hold,
        "early": campaign.calendar.early,
        "held": plan.held,
        "complete": not plan.missing,
        "over": campaign.winners is not None,
        "winners": campaign.winners or (),
        "files_of_nobody": list(plan.strays),
        "missing": [seat.code for seat in plan.missing],
        "realms": [_row(campaign, seat, plan) for seat in campaign.seats],
    }


def _print(campaign: Campaign, plan: TurnPlan, now: datetime) -> None:
    # without a template: whoever asks often waits for the engine each time
    turn = campaign.next_turn
    due = campaign.calendar
    over = campaign.winners is not None
    coming = turn_title(turn, campaign.spec.coming_name(campaign.state))
    name = f"{campaign.folder.settings.id} ({campaign.spec.title})"
    click.echo(name if over else f"{name}: orders for {coming}")
    if last := last_turn(campaign.folder.path):
        at = fixed(datetime.fromisoformat(last["at"]), due.zone)
        what = "taken back" if last["did"] == UNDO else "played"
        played = last["turn"] == campaign.newest_turn
        title = (
            turn_title(last["turn"], campaign.spec.played_name(campaign.state)) if played else f"turn {last['turn']}"
        )
        click.echo(f"{capitalised(title)} was {what} on {at:%Y-%m-%d %H:%M}.")
    if over:
        click.secho(capitalised(outcome_of(campaign)), bold=True)
        return
    if (quoted := campaign.spec.quoted(campaign.state)) != turn:
        click.echo(f"Order files for it say 'turn: {quoted}'.")
    early = "; played as soon as all orders are in" if due.early else ""
    left = f"{due.words(turn)}, {time_left(due.of_turn(turn) - now)}"
    click.echo(f"Deadline: {'none' if due.never else left}{early}")
    if ticks := due.ticks:
        record = campaign.folder.turn_record(campaign.newest_turn)
        rest = (f"{each.code} {time_left(left_of(ticks, record, each.code))[3:]}" for each in campaign.seats)
        click.echo(f"Clocks ({due.clock}) as the turn began: {', '.join(rest)}.")
    if due.early and plan.held:
        click.echo(f"It is held until then by {', '.join(plan.held)} ('ready: no', or orders that are refused).")
    if due.hold:
        warn(f"The game is on hold: {due.hold}")
    if withdrawn := campaign.withdrawn:
        orders = "new orders are taken" if withdrawn.last.reopened else "it is played with the orders as received"
        click.echo(f"Turn {turn} was taken back when its results were known: {orders}.")
    click.echo()
    codes, names = (widest(getattr(seat, each) for seat in campaign.seats) for each in ("code", "name"))
    for seat in campaign.seats:
        state = _state(seat, plan)
        remarks = ", ".join(_remarks(campaign, seat, plan))
        shown = click.style(state, fg=_COLOURS.get(state)) + " " * max(2, 11 - len(state)) * bool(remarks)
        click.echo(f"  {seat.code:<{codes}}  {seat.name:<{names}}  {shown}{remarks}")
    expected = sum(seat.played and not seat.out and not seat.waiting for seat in campaign.seats)
    programs = any(seat.bot for seat in campaign.seats) and not expected
    orders = "Only programs play." if programs else f"Orders in: {len(plan.readings)} of {expected}."
    missing = ", ".join(seat.code for seat in plan.missing)
    then = f"Missing: {missing}." if missing else "'pbem turn' plays the turn."
    click.echo(f"\n{orders} {then}")
    if plan.strays:
        inbox = campaign.folder.inbox(turn).folder.relative_to(campaign.folder.path).as_posix()
        files = ", ".join(f"{inbox}/{each}" for each in plan.strays)
        verb = "belongs" if len(plan.strays) == 1 else "belong"
        warn(f"{counted(len(plan.strays), 'file')} {verb} to nobody: {files}.")


def _remarks(campaign: Campaign, seat: Seat, plan: TurnPlan) -> Iterator[str]:
    row = _row(campaign, seat, plan)
    clause = campaign.spec.words.replacement
    if seat.bot and not seat.out and _program(seat) == "bot":
        yield row["bot"]
    if seat.code in plan.decisions.repeated:
        yield f"as in turn {plan.decisions.repeated[seat.code]}"
    if row["refused_orders"]:
        yield f"{counted(row['refused_orders'], 'order')} refused"
    if row["warnings"]:
        yield counted(row["warnings"], "warning")
    if row["files_set_aside"]:
        yield f"{counted(row['files_set_aside'], 'file')} set aside"
    if seat.played and seat.missed:
        yield f"missed {counted(seat.missed, 'turn')}"
    if row["replacement_needed"]:
        yield f"needs a replacement player: 'pbem player replace {seat.code}'{f' ({clause})' if clause else ''}"


# -- the post ----------------------------------------------------------------------------------------------------------


def _post_data(post: "GameMail") -> dict[str, Any]:
    from gm.mail import status

    return {
        "mailbox_read": status.last_read(post),
        "problems": [fields(each, "where", "says", "since") for each in status.problems(post)],
        "left": status.left_letters(post),
        "without_orders": status.letters_without_orders(post)[0],
        "waiting": [posted_data(each) for each in post.outbox.open()],
        "wrong_keys": status.wrong_keys(post),
        "lost": [posted_data(each) for each in status.undelivered(post)],
        "returned": status.returned_letters(post),
    }


def _print_post(post: "GameMail", now: datetime) -> None:
    """Print what needs the GM's attention in the game's mail."""
    from gm.mail import status

    def since(at: datetime) -> str:
        return time_left(at - now).removeprefix("passed ")

    reading = "the mailbox was never read"
    if read := status.last_read(post):  # that it is just now is only noted now and then
        ago = since(read) if now - read >= timedelta(hours=1) else "within the last hour"
        reading = f"the mailbox was read {ago}"
    click.echo(f"\nPost: {reading}; {counted(len(post.outbox.open()), 'letter')} to send.")
    seats = post.campaign.seats
    free = {each.code for each in post.campaign.open_seats}
    wanting = [each.code for each in seats if each.played and not each.out and each.code not in free]
    if nowhere := [code for code in wanting if not post.address(code)]:
        click.echo(f"  No letter goes to {', '.join(nowhere)}: 'pbem seat REALM --email ADDRESS'.")
    if free:
        wait = counted(len(status.waiting(post)), "person waits", "people wait")
        click.echo(f"  Free seats: {', '.join(sorted(free))}; {wait} for one.")
    written, withheld = status.letters_without_orders(post)
    if written:
        who = ", ".join(f"{realm} {count}" for realm, count in sorted(written.items()))
        kept = f"; {withheld} of them only in {post.settings.inward.aside}" if withheld else ""
        click.echo(f"  {counted(sum(written.values()), 'letter')} without orders for this turn ({who}){kept}.")
    if left := status.left_letters(post):
        click.echo(f"  {counted(len(left), 'letter')} in it {'is' if len(left) == 1 else 'are'} for {elsewhere(left)}.")
    for each in status.problems(post):
        _red(each.where, f"{each.says} (For {since(each.since).removesuffix(' ago')}.)")
    for realm, number in status.wrong_keys(post).items():
        closed = "; no key of it counts this turn" if number >= status.WRONG_KEYS_LIMIT else ""
        _red("wrong keys", f"{counted(number, 'wrong key')} came for {realm}{closed}.")
    for address, number in status.returned_letters(post).items():
        to = f"to {address}" if address else f"to an unknown reader: see {post.settings.inward.aside}"
        _red("bounced?", f"{counted(number, 'server report')} without our id: a letter {to} did not arrive.")
    lost = status.undelivered(post)
    width = widest(each.to for each in lost)
    for entry in lost:
        _red(entry.state, f"{entry.to:<{width}}  {entry.subject}: {entry.words}")
    if lost:
        click.echo("  When the addresses are right ('pbem seat REALM --email ADDRESS'): 'pbem mail again'.")


def _red(what: str, says: str) -> None:
    click.echo(f"  {click.style(what, fg='red')}  {says}")


def posted_data(posted: "OutboxEntry") -> dict[str, Any]:
    """Return a message of the outbox for ``--json``."""
    return fields(posted, "state", "at", "id", "kind", "to", "subject", "realm", "turn", "tries", "words")


def elsewhere(games: Sequence[str]) -> str:
    """Return the games elsewhere that letters were left for."""
    named = sorted({repr(each) for each in games if each})
    return f"other games ({', '.join(named)})" if named else "other games"
