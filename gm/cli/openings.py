"""``pbem open`` and ``pbem press``: the rules for open seats and for letters between players.

A seat opens when its player resigns, or has sent no orders for too many turns; whoever joins gets it.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

import click
from msgspec.json import encode

from gm.campaign.absence import last_turn_away
from gm.campaign.new_game import FULL, policies
from gm.campaign.open import Campaign
from gm.campaign.press import press_rule
from gm.cli.deadline_change import resume_play
from gm.cli.options import At, Game, argument, bad_parameter, gm_command, option
from gm.cli.output import Failure, Refusal, echo, print_text
from gm.cli.seats import vacate
from gm.cli.session import carry_out, changing, game_time, known_seat, open_campaign, post_of
from gm.core.codec import to_plain
from gm.core.diagnostics import says
from gm.core.orders.press import KINDS, LONGEST
from gm.game.values import the_one
from gm.mail.game_mail import GameMail
from gm.mail.service import Service
from gm.store.folder import SETTINGS_FILE
from gm.store.formats import edited_yaml, yaml_value
from gm.store.inbox import Changes, fingerprint
from gm.store.settings import Player
from gm.text.names import subject
from gm.text.words import Said


@gm_command("open")
def open_seat(
    realm: Annotated[str | None, argument(required=False)],
    missed: Annotated[int | None, option("--missed", type=click.IntRange(0, 99), metavar="TURNS")],
    policy: Annotated[str | None, option("--policy", metavar="NAME")],
    join: Annotated[bool | None, option("--join/--no-join", default=None)],
    at: At,
    game_folder: Game,
) -> None:
    """Show the open seats, vacate the seat of a realm, or change the rules for open seats."""
    campaign = open_campaign(game_folder)
    with bad_parameter("--policy"):
        policy = the_one(policy, policies(campaign.spec), "policy") if policy else None
    rules = {"missed": missed, "policy": policy, "open": join}
    changes = {name: value for name, value in rules.items() if value is not None}
    if changes:
        if realm is not None:
            raise click.UsageError(says("Change the rules for seats or vacate one, not both at once."))
        _change_settings(campaign, changes, at)
        return
    if realm is None:
        print_text("free", campaign=campaign, mail=post_of(campaign))
        return
    seat = known_seat(campaign, realm)
    if seat.out:
        raise Failure(says("{0} is out of the game: there is nothing to play.", subject(seat.name)))
    if seat in campaign.open_seats:
        raise Refusal(says("{0} is already open.", subject(seat.name)))
    with changing(campaign.folder.path) as campaign:
        give_up(campaign, post_of(campaign), seat.code, "gm", game_time(campaign, at))


@gm_command("press")
def press(
    kinds: Annotated[
        tuple[str, ...], argument(nargs=-1, type=click.Choice([*KINDS, "none"]), metavar="[KIND]...")
    ],
    a_day: Annotated[int | None, option("--a-day", type=click.IntRange(1, 1000), metavar="LETTERS")],
    longest: Annotated[
        int | None, option("--longest", type=click.IntRange(1, LONGEST), metavar="CHARACTERS")
    ],
    at: At,
    game_folder: Game,
) -> None:
    """Show or set what messages players may exchange; the players are told."""
    campaign = open_campaign(game_folder)
    if "none" in kinds and len(kinds) > 1:
        raise click.UsageError(says("Name kinds of letters, or none, not both."))
    rule = press_rule(campaign)
    new_rule = rule
    if kinds:
        new_rule = new_rule.evolve(kinds=tuple(kind for kind in dict.fromkeys(kinds) if kind != "none"))
    if a_day is not None:
        new_rule = new_rule.evolve(a_day=a_day)
    if longest is not None:
        new_rule = new_rule.evolve(longest=longest)
    if kinds or a_day or longest:
        _change_settings(campaign, {"press": new_rule}, at)
        return
    limits = says(
        "{0}; {1} a day of a player, {2} characters each", ", ".join(rule.kinds), rule.a_day, rule.longest
    )
    echo(says("Letters between players: {0}.", limits if rule.kinds else says("none")))
    if rule.gm_reads:
        echo(says("You get a copy of each, as the game said when it began."))


def _change_settings(campaign: Campaign, settings: Mapping[str, Any], at: str | None) -> None:
    """Change settings of a game, by name, and queue a letter about it to each player.

    ``at``: the time of ``--at``, None for now. Raises ``Refusal`` if the game has these settings already.
    """
    with changing(campaign.folder.path) as campaign:
        present = campaign.folder.settings
        path = campaign.folder.path / SETTINGS_FILE
        changed_settings = {
            name: value for name, value in settings.items() if getattr(present, name) != value
        }
        if not changed_settings:
            raise Refusal(says("No change: that is already the setting."))
        entries = {name: yaml_value(to_plain(value)) for name, value in changed_settings.items()}
        data = edited_yaml(path, lambda content: content.update(entries))
        # read before it is written: this raises an error for settings that make no sense
        _ = campaign.folder.planned(settings=data).settings
        now = game_time(campaign, at).isoformat()
        turn = campaign.next_turn
        queued = carry_out(
            campaign, "settings", {path: data}, turn=turn, changed=sorted(changed_settings), letters=now
        )
    echo(says("It counts from now on: {0}.", ", ".join(sorted(changed_settings))))
    if queued:
        echo(
            says(
                "{0:letter} about it in the outbox: 'pbem mail send' or 'pbem week' sends them.", Said(queued)
            )
        )


# -- seats without a player ----------------------------------------------------------------------------------


def give_up(
    campaign: Campaign, mail: GameMail | None, realm: str, why: str, now: datetime, letter: str = ""
) -> None:
    """Give up the seat of a realm (a code): it has no player any more.

    The player gets a letter, if there is mail and they have an address. ``why``: ``gm``, ``resign``,
    ``missed`` or ``free``; ``letter``: the mark of the letter in which its player resigned. The caller holds
    the lock. Prints what happened.
    """
    files: Changes = {}
    mark = fingerprint(f"{realm} {campaign.next_turn} {now.isoformat()} {why} {letter}".encode())[:16]
    if mail is not None and mail.address(realm):
        # written now, with the change that removes the address
        files[mail.left_file(mark)] = encode(Service(mail, now).left(realm, f"left {mark}", why))
    noted = {"letter": letter} if letter else {}
    policy = vacate(campaign, realm, why, now.isoformat(), files, mark=mark, **noted)
    echo(says("{0} no longer has a player ({1}): {2}.", realm, why, policy), err=True)


def missed_turns(campaign: Campaign, player: Player) -> int:
    """Return how many turns a player has missed since their last orders, absences not counted."""
    count = 0
    # turns before the player came, or up to the last one of an absence, do not count
    first = max(player.seated, last_turn_away(campaign, player) + 1)
    for turn in range(campaign.newest_turn, first - 1, -1):
        record = campaign.folder.turn_record(turn)
        if player.realm in record.get("orders", ()):
            break
        count += player.realm in record.get("missing", ())
    return count


def act_for_missing(campaign: Campaign, mail: GameMail | None, now: datetime) -> Campaign:
    """Give up the seats of players who missed too many turns, as the game's settings say.

    Returns the changed game. Seats that are open from the beginning are given up, too, as soon as the game is
    not on hold, so that the game's policy acts for them. The caller holds the lock.
    """
    settings = campaign.folder.settings
    # the latter: the next turn was undone, and is played again with its old orders
    if campaign.winners is not None or campaign.kept:
        return campaign
    for player in campaign.folder.players.players:
        seat = campaign.seat(player.realm)
        if seat is None or not seat.played or seat.out:
            continue
        if player.open and not campaign.calendar.hold:
            give_up(campaign, mail, player.realm, "free", now)
        elif settings.missed and not player.open and missed_turns(campaign, player) >= settings.missed:
            give_up(campaign, mail, player.realm, "missed", now)
        else:
            continue
        campaign = campaign.reopened()
    return campaign


def begin_when_full(campaign: Campaign, now: datetime) -> Campaign:
    """Begin a game that waits for players, if none of its seats is open any more; return the changed game.

    The caller holds the lock.
    """
    if campaign.newest_turn or campaign.calendar.hold != FULL or campaign.open_seats:
        return campaign
    return resume_play(campaign, now)
