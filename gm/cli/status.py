"""``gm status``: where a game stands before its next turn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm.campaign.open import Campaign
from gm.campaign.pinning import changed_rules, rules_line
from gm.campaign.plan import TurnPlan, turn_plan
from gm.campaign.recovery import last_turn
from gm.cli.options import AsJson, At, Game, gm_command
from gm.cli.output import counted, fields, print_json, print_text, warn
from gm.cli.session import game_time, open_campaign, post_of
from gm.game.values import Seat
from gm.store.settings import bot_label, fixed

if TYPE_CHECKING:
    from gm.mail.game_mail import GameMail
    from gm.mail.outbox import OutboxEntry


@gm_command("status")
def command(tighten: bool, at: At, game_folder: Game, as_json: AsJson) -> None:
    campaign = open_campaign(game_folder, drawings=False)
    opened = _opened(campaign.folder.path, tighten=tighten)
    now, plan, post = game_time(campaign, at), turn_plan(campaign), post_of(campaign)
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
    """What plays a seat without a person: the game's own stand-in by its name in the game, or a bot."""
    return seat.controller if seat.bot == seat.controller.replace(" ", "-") else "bot"


def _row(seat: Seat, plan: TurnPlan) -> dict[str, Any]:
    reading = plan.readings.get(seat.code)
    return {
        "realm": seat.code,
        "name": seat.name,
        "orders": _state(seat, plan),
        "refused_orders": reading.errors if reading else 0,
        "warnings": reading.warnings if reading else 0,
        "files_set_aside": len(plan.unreadable.get(seat.code, ())),
        "missed_turns": seat.missed,
        "replacement_needed": seat.flagged,
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
        "deadline_passed": now > deadline,
        "hold": campaign.folder.settings.deadline.hold,
        "complete": not plan.missing,
        "over": campaign.winners is not None,
        "winners": campaign.winners or (),
        "missing": [seat.code for seat in plan.missing],
        "realms": [_row(seat, plan) for seat in campaign.seats],
    }


def _print(campaign: Campaign, plan: TurnPlan, now: datetime) -> None:
    rows = [_row(seat, plan) for seat in campaign.seats]
    last = last_turn(campaign.folder.path)
    at = last and fixed(datetime.fromisoformat(last["at"]), campaign.folder.settings.deadline.zone)
    print_text("status", campaign=campaign, plan=plan, now=now, last=last, last_at=at, rows=rows, program=_program)


# -- the post ----------------------------------------------------------------------------------------------------------


def _post_data(post: GameMail) -> dict[str, Any]:
    from gm.mail import status

    return {
        "mailbox_read": status.last_read(post),
        "problems": [fields(each, "where", "says", "since") for each in status.problems(post)],
        "left": status.left_letters(post),
        "without_orders": status.letters_without_orders(post)[0],
        "waiting": [posted_data(each) for each in post.outbox.open()],
        "wrong_keys": status.wrong_keys(post),
        "lost": [posted_data(each) for each in status.undelivered(post)],
    }


def _print_post(post: GameMail, now: datetime) -> None:
    from gm.mail.status import WRONG_KEYS_LIMIT, letters_without_orders

    guard = {"withheld": letters_without_orders(post)[1], "limit": WRONG_KEYS_LIMIT, "elsewhere": elsewhere}
    print_text("post", now=now, post=post, **guard, **_post_data(post))


def posted_data(posted: OutboxEntry) -> dict[str, Any]:
    """A message of the outbox for ``--json``."""
    return fields(posted, "state", "at", "id", "kind", "to", "subject", "realm", "turn", "tries", "words")


def elsewhere(games: Sequence[str]) -> str:
    """The games elsewhere that letters were left for."""
    named = sorted({repr(each) for each in games if each})
    return f"other games ({', '.join(named)})" if named else "other games"
