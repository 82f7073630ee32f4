"""``pbem status``: how a game is doing before its next turn."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from gm.campaign.absence import deputies, last_turn_away
from gm.campaign.moves import extending_realm, realms_given_grace
from gm.campaign.open import Campaign
from gm.campaign.pinning import changed_rules, rules_line
from gm.campaign.plan import TurnPlan, turn_plan
from gm.campaign.recovery import UNDO, last_turn
from gm.cli.deadline_status import print_deadline
from gm.cli.options import AsJson, At, Game, folder_or_default, gm_command
from gm.cli.output import echo, outcome_of, print_json, title_of, turn_title, warn, widest
from gm.cli.post_status import post_data, print_post
from gm.cli.session import game_time, open_campaign, post_of
from gm.cli.several import games_below, print_games
from gm.cli.speech import translate, worded
from gm.core.diagnostics import says
from gm.game.values import Seat
from gm.store.moments import fixed
from gm.store.settings import bot_label
from gm.text.pages import capitalised
from gm.text.words import Said, turn_in_words

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
    games = games_below(folder_or_default(game_folder))
    if games:
        print_games(games, at, as_json=as_json)
        return
    campaign = open_campaign(game_folder, drawings=False)
    readable = _readable_by_others(campaign.folder.path, tighten=tighten)
    now = game_time(campaign, at)
    if as_json:
        print_json(status_data(campaign, now, readable))
        return
    _print(campaign, turn_plan(campaign), now)
    mail = post_of(campaign)
    if mail:
        print_post(mail, now)
    rules = rules_line(campaign)
    changes = changed_rules(campaign)
    untrusted = _unconfirmed(campaign)
    echo()
    echo(says("Rules: {0}.", rules))
    if changes:
        warn(
            says(
                "They differ from the installed rules ({0:difference}): 'pbem upgrade --dry-run'.",
                Said(len(changes)),
            )
        )
    if untrusted:
        warn(
            says("{0:thing} from this game's archive are not trusted yet: run 'pbem trust'.", Said(untrusted))
        )
    if readable:
        files = says(
            "{0:file or folder|files and folders} of the game, for example {1}",
            Said(len(readable)),
            readable[0],
        )
        text = says("Others on this machine can read {0}: 'pbem status --tighten' corrects it.", files)
        click.secho(worded(text), fg="red")


def status_data(campaign: Campaign, now: datetime, readable: Sequence[str] = ()) -> dict[str, Any]:
    """Return the status of a game, for ``--json``.

    ``readable``: the paths, relative to its folder, of files and folders that others can read.
    """
    rules = {"played": rules_line(campaign), "differences": list(map(str, changed_rules(campaign)))}
    data = _data(campaign, turn_plan(campaign), now)
    data |= {"open_to_others": list(readable), "unconfirmed": _unconfirmed(campaign), "rules": rules}
    mail = post_of(campaign)
    return {**data, "post": post_data(mail)} if mail else data


def _unconfirmed(campaign: Campaign) -> int:
    """Return how many commands of an imported game the GM has not confirmed; 0 for any other game."""
    from gm.cli.imported_commands import commands_of
    from gm.store.trust import confirmed, unconfirmed

    path = campaign.folder.path
    if confirmed(path) is None:  # it was not imported: its commands need not be read
        return 0
    return len(unconfirmed(path, commands_of(campaign)))


def _readable_by_others(folder: Path, *, tighten: bool) -> list[str]:
    """Return the paths, relative to a game's folder, of files and folders that others can read.

    With ``tighten`` they become the GM's alone, and none is returned.
    """
    from gm.store import trust

    paths = list(trust.open_to_others(folder))
    if not tighten:
        return [path.relative_to(folder).as_posix() for path in paths]
    for path in paths:
        trust.tighten(path)
    echo(says("{0:file or folder|files and folders} made yours alone.", Said(len(paths))), err=True)
    return []


def _missing_realms(campaign: Campaign, plan: TurnPlan) -> list[str]:
    """Return the codes of the realms whose orders are missing, and for which no steward acts."""
    missing = [seat.code for seat in plan.missing]
    steward_of_realm = deputies(campaign, missing)
    return [realm for realm in missing if realm not in steward_of_realm]


def _state(campaign: Campaign, seat: Seat, plan: TurnPlan) -> str:
    """Return the state of a seat's orders in a word: ``in``, ``late``, ``missing`` and others."""
    if seat.out:
        return "out"
    if not seat.played:
        return _stand_in_or_bot(seat) if seat.bot else "no player"
    if seat.code in plan.decisions.repeated:
        return "standing"
    if seat.waiting:
        return "not to move"
    if seat.code in plan.readings:
        return "late" if seat.code in plan.decisions.late else "in"
    if seat.code in deputies(campaign, [seat.code]):
        return "steward"
    return "unreadable" if seat.code in plan.set_aside else "missing"


def _stand_in_or_bot(seat: Seat) -> str:
    """Return what plays a seat without a person: the name of the game's own stand-in, or ``bot``."""
    # the bot ``local-forces`` is the stand-in ``local forces``
    return seat.controller if seat.bot == seat.controller.replace(" ", "-") else "bot"


def _needs_replacement(campaign: Campaign, seat: Seat, plan: TurnPlan) -> bool:
    """Return whether another player should take over a seat (V3).

    It is if no orders are in now, and its player has missed as many turns as the setting ``missed`` allows;
    without that setting, two or more, and the game's rules flag it.
    """
    if seat.out or not seat.played or seat.code in plan.readings:
        return False
    allowed = campaign.folder.settings.missed
    return seat.missed >= allowed if allowed else seat.flagged and seat.missed > 1


def _row(campaign: Campaign, seat: Seat, plan: TurnPlan) -> dict[str, Any]:
    """Return a seat's values, for ``--json``."""
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
    """Return the values of a game and of its seats, for ``--json``."""
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
        "complete": not _missing_realms(campaign, plan),
        "over": campaign.winners is not None,
        "winners": campaign.winners or (),
        "files_of_nobody": list(plan.strays),
        "missing": _missing_realms(campaign, plan),
        "realms": [_row(campaign, seat, plan) for seat in campaign.seats],
    }


def _print(campaign: Campaign, plan: TurnPlan, now: datetime) -> None:
    """Print the status of a game, for people."""
    # it has no template, since loading the template engine would take longer than the rest
    turn = campaign.next_turn
    calendar = campaign.calendar
    is_over = campaign.winners is not None
    coming = turn_title(turn, campaign.spec.coming_name(campaign.state))
    name = f"{campaign.folder.settings.id} ({campaign.spec.title})"
    echo(name if is_over else says("{0}: orders for {1}", name, coming))
    _print_last(campaign)
    if is_over:
        click.secho(capitalised(worded(outcome_of(campaign))), bold=True)
        return
    quoted = campaign.spec.quoted(campaign.state)
    if quoted != turn:
        echo(says("Order files for it say 'turn: {0}'.", quoted))
    print_deadline(campaign, plan, now)
    if calendar.hold:
        warn(says("The game is on hold: {0}", calendar.hold))
    withdrawn = campaign.withdrawn
    if withdrawn is not None:
        orders = (
            says("new orders are accepted")
            if withdrawn.last.reopened
            else says("it is played with the orders received for it")
        )
        echo(says("Turn {0} was undone when its results were known: {1}.", turn, orders))
    echo()
    _print_seats(campaign, plan)
    _print_orders(campaign, plan)


def _print_last(campaign: Campaign) -> None:
    """Print which turn was last played or undone, and when; nothing if none was."""
    last = last_turn(campaign.folder.path)
    if not last:
        return
    moment = fixed(datetime.fromisoformat(last["at"]), campaign.calendar.zone)
    pattern = "{0} was played on {1:%Y-%m-%d %H:%M}."
    if last["did"] == UNDO:
        pattern = "{0} was undone on {1:%Y-%m-%d %H:%M}."
    title = turn_in_words(f"turn {last['turn']}", translate)
    if last["turn"] == campaign.newest_turn:
        title = turn_title(last["turn"], campaign.spec.played_name(campaign.state))
    echo(says(pattern, capitalised(title), moment))


def _print_seats(campaign: Campaign, plan: TurnPlan) -> None:
    """Print a line for each seat: its orders, and remarks."""
    code_width = widest(seat.code for seat in campaign.seats)
    name_width = widest(translate(seat.name) for seat in campaign.seats)
    for seat in campaign.seats:
        state = _state(campaign, seat, plan)
        state_words = translate(state)
        remarks = ", ".join(map(worded, _remarks(campaign, seat, plan)))
        # so that the remarks stand one below another
        gap = " " * max(2, 11 - len(state_words)) if remarks else ""
        styled_state = click.style(state_words, fg=_COLOURS.get(state))
        name = translate(seat.name)
        echo(f"  {seat.code:<{code_width}}  {name:<{name_width}}  {styled_state}{gap}{remarks}")


def _print_orders(campaign: Campaign, plan: TurnPlan) -> None:
    """Print how many orders are in, who is missing, and which files belong to no party."""
    expected = sum(seat.played and not seat.out and not seat.waiting for seat in campaign.seats)
    if any(seat.bot for seat in campaign.seats) and not expected:
        orders = says("Only bots play.")
    else:
        orders = says("Orders in: {0} of {1}.", len(plan.readings), expected)
    missing = ", ".join(_missing_realms(campaign, plan))
    then = says("Missing: {0}.", missing) if missing else says("'pbem turn' plays the turn.")
    click.echo(f"\n{worded(orders)} {worded(then)}")
    if plan.strays:
        inbox = campaign.folder.inbox(campaign.next_turn).folder.relative_to(campaign.folder.path).as_posix()
        files = ", ".join(f"{inbox}/{worded(name)}" for name in plan.strays)
        warn(says("{0:file matches|files match} no seat: {1}.", Said(len(plan.strays)), files))


def _findings(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield a message for each kind of problem in a realm's files; ``row``: what :func:`_row` returns."""
    if row["invalid_orders"]:
        yield says("{0:order} invalid", Said(row["invalid_orders"]))
    if row["warnings"]:
        yield says("{0:warning}", Said(row["warnings"]))
    if row["files_rejected"]:
        yield says("{0:file} rejected", Said(row["files_rejected"]))


def _remarks(campaign: Campaign, seat: Seat, plan: TurnPlan) -> Iterator[str]:
    """Yield the remarks on a seat, as messages: bot, repeated orders, absence, errors, missed turns."""
    row = _row(campaign, seat, plan)
    clause = campaign.spec.words.replacement
    # which bot: of the game's own stand-in the state says it already
    if seat.bot and not seat.out and _stand_in_or_bot(seat) == "bot":
        yield row["bot"]
    if seat.code in plan.decisions.repeated:
        yield says("as in turn {0}", plan.decisions.repeated[seat.code])
    if row["away_until"]:
        yield says("away up to {0}", title_of(campaign, row["away_until"]))
    yield from _findings(row)
    if seat.played and seat.missed:
        yield says("missed {0:turn}", Said(seat.missed))
    if row["replacement_needed"]:
        rule = f" ({clause})" if clause else ""
        yield says("needs a replacement player: 'pbem player replace {0}'{1}", seat.code, rule)
