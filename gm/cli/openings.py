"""Requests of players that change the game: seats are opened and filled.

A seat comes free when its player resigns or sends no orders any more, and is taken by whoever joins. Each
change is made once, however often a run is cut short: the journal's line about it names the letter, and the
answers follow from the letter and the game.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

import click
from msgspec.json import encode

from gm.campaign.absence import MOST_TURNS_AWAY, first_turn_back, last_turn_away
from gm.campaign.new_game import FULL, policies
from gm.campaign.open import Campaign
from gm.campaign.press import press_rule
from gm.cli.delays import resume_play, take_extension
from gm.cli.options import At, Game, argument, bad_parameter, gm_command, option
from gm.cli.output import Failure, Refusal, echo, print_text
from gm.cli.seat_entries import edited
from gm.cli.seats import given_up, seat_player
from gm.cli.session import carry_out, changing, game_time, known_seat, open_campaign, post_of
from gm.core.codec import to_plain
from gm.core.diagnostics import says
from gm.core.orders.press import KINDS, LONGEST
from gm.game.values import the_one
from gm.mail import status
from gm.mail.game_mail import GameMail, realms_of
from gm.mail.service import Service
from gm.mail.status import REQUEST, Request
from gm.store.folder import SETTINGS_FILE
from gm.store.formats import edited_yaml, plain_scalar
from gm.store.inbox import Changes, fingerprint
from gm.store.journal import journal_of
from gm.store.settings import Player
from gm.text.languages import languages_of
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
    """Show the open seats."""
    campaign = open_campaign(game_folder)
    with bad_parameter("--policy"):
        policy = the_one(policy, policies(campaign.spec), "policy") if policy else None
    rules = {"missed": missed, "policy": policy, "open": join}
    changes = {name: value for name, value in rules.items() if value is not None}
    if changes:
        if realm is not None:
            raise click.UsageError(says("Change the rules for seats or vacate one, not both at once."))
        _settle(campaign, changes, at)
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
    new = rule
    if kinds:
        new = new.evolve(kinds=tuple(kind for kind in dict.fromkeys(kinds) if kind != "none"))
    if a_day is not None:
        new = new.evolve(a_day=a_day)
    if longest is not None:
        new = new.evolve(longest=longest)
    if kinds or a_day or longest:
        _settle(campaign, {"press": new}, at)
        return
    limits = says(
        "{0}; {1} a day of a player, {2} characters each", ", ".join(rule.kinds), rule.a_day, rule.longest
    )
    echo(says("Letters between players: {0}.", limits if rule.kinds else says("none")))
    if rule.gm_reads:
        echo(says("You get a copy of each, as the game said when it began."))


def _settle(campaign: Campaign, changes: Mapping[str, Any], at: str | None) -> None:
    """Change settings of a running game, and announce it to the players."""
    with changing(campaign.folder.path) as campaign:
        settings = campaign.folder.settings
        path = campaign.folder.path / SETTINGS_FILE
        changed_settings = {
            name: value for name, value in changes.items() if getattr(settings, name) != value
        }
        if not changed_settings:
            raise Refusal(says("No change: that is already the setting."))
        data = edited_yaml(
            path,
            lambda data: data.update(
                {name: plain_scalar(to_plain(changed_settings[name])) for name in changed_settings}
            ),
        )
        _ = campaign.folder.planned(settings=data).settings  # what cannot be read again is not written
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


def serve_requests(mail: GameMail, now: datetime) -> GameMail:
    """Carry out what letters request, each once, and answer them; return the game's mail afterwards."""
    for request in status.requests(mail):
        if request.word == "join" and mail.campaign.newest_turn not in status.published_turns(mail):
            continue  # a newcomer's dossier tells of a turn that is not out yet
        mail = _served(mail, request, now)
        mail.log.remark(now, REQUEST, of=request.letter)
    return mail


def _served(mail: GameMail, request: Request, now: datetime) -> GameMail:
    """Carry out the request of one letter, unless that was done; return the game's mail afterwards."""
    once = f"outcome {request.letter} {request.realm}"
    entries = journal_of(mail.game_folder).entries
    is_done = any(entry.get("letter") == request.letter for entry in entries) or mail.outbox.knows(once)
    is_own = request.seat == status.seat_print(mail, request.realm)
    if request.word == "join":
        _join(mail, request, now, told=is_done)
        return GameMail(mail.campaign.reopened())
    if request.word == "resign":
        if is_own and not is_done:
            _resign(mail, request, now)
        return GameMail(mail.campaign.reopened())
    why = _change(mail.campaign, request, now) if is_own and not is_done else ""
    mail = GameMail(mail.campaign.reopened())
    is_told = request.word == "extend" and not why  # as all are, of the new deadline
    if (is_own or is_done) and not is_told:
        mail.queue(Service(mail, now).outcome(request.realm, once, request.word, request.what, why), now)
    return mail


def _change(campaign: Campaign, request: Request, now: datetime) -> str:
    """Change a player's entry as requested; return, in a word, why not, empty if it is done."""
    if request.word == "extend":
        arrived = datetime.fromisoformat(request.arrived)
        return take_extension(campaign, request.realm, now, arrived, request.letter)
    if request.word == "away":
        return _away(campaign, request, now)
    if request.word == "language":
        if request.what not in languages_of(campaign.spec.key):
            return "unknown"
        _edit(campaign, request, now, {"language": request.what})
        return ""
    _edit(campaign, request, now, {"email": request.what})
    return ""


def _away(campaign: Campaign, request: Request, now: datetime) -> str:
    """Note that a player is away or back, as requested; return, in a word, why not, empty if it is done."""
    player = campaign.folder.players.of(request.realm)
    coming = campaign.next_turn
    if request.what in ("off", "none"):
        if player is None or last_turn_away(campaign, player) < coming:
            return "here"
        # the turns that he was away for do not count as missed
        _edit(campaign, request, now, {"absent_until": coming - 1}, ("absent_since", "deputy"))
        return ""
    number, _, rest = request.what.replace(",", " ").partition(" ")
    ends = number.isdigit()
    # in the numbers of the game's order files
    last = (
        int(number) + coming - campaign.spec.quoted(campaign.state) if ends else coming + MOST_TURNS_AWAY - 1
    )
    if last < coming:
        return "past"
    if last >= coming + MOST_TURNS_AWAY:
        return "far"
    if not ends or rest:
        return _away_with_steward(campaign, request, now, last, ends=ends)
    _edit(campaign, request, now, {"absent_until": last}, ("absent_since", "deputy"))
    return ""


def _away_with_steward(campaign: Campaign, request: Request, now: datetime, last: int, *, ends: bool) -> str:
    """Record that a steward acts up to the ``last`` turn.

    If the player named no turn, their next orders end it too.
    """
    if not campaign.spec.deputy:
        return "no-steward"
    changes: dict[str, object] = {"absent_until": last, "deputy": campaign.spec.deputy}
    if ends:
        _edit(campaign, request, now, changes, ("absent_since",))
    else:
        _edit(campaign, request, now, {**changes, "absent_since": first_turn_back(campaign, request.realm)})
    return ""


def _edit(
    campaign: Campaign,
    request: Request,
    now: datetime,
    changes: dict[str, object],
    drop: tuple[str, ...] = (),
) -> None:
    files = edited(campaign, request.realm, changes, drop)
    carry_out(
        campaign,
        f"player {request.word}",
        files,
        at=now.isoformat(),
        realm=request.realm,
        letter=request.letter,
    )


# -- seats that come free ------------------------------------------------------------------------------------


def _resign(mail: GameMail, request: Request, now: datetime) -> str:
    """Carry out a resignation; return why it was not possible, empty if it was."""
    seat = mail.campaign.seat(request.realm)
    if mail.campaign.winners is not None or seat is None or seat.out:
        once = f"outcome {request.letter} {request.realm}"
        why = "over" if mail.campaign.winners is not None else "out"
        mail.queue(Service(mail, now).outcome(request.realm, once, "resign", "", why), now)
        return why
    give_up(mail.campaign, mail, request.realm, "resign", now, letter=request.letter)
    return ""


def give_up(
    campaign: Campaign, mail: GameMail | None, realm: str, why: str, now: datetime, letter: str = ""
) -> None:
    """Give a seat up.

    The letter to its player is part of the change: afterwards their address is not known.
    """
    files: Changes = {}
    mark = fingerprint(f"{realm} {campaign.next_turn} {now.isoformat()} {why} {letter}".encode())[:16]
    if mail is not None and mail.address(realm):
        files[mail.left_file(mark)] = encode(Service(mail, now).left(realm, f"left {mark}", why))
    about = {"letter": letter} if letter else {}
    policy = given_up(campaign, realm, why, now.isoformat(), files, mark=mark, **about)
    echo(says("{0} no longer has a player ({1}): {2}.", realm, why, policy), err=True)


def missed_turns(campaign: Campaign, player: Player) -> int:
    """Return how many turns in a row a player has missed, not counting absences."""
    count = 0
    first = max(player.seated, last_turn_away(campaign, player) + 1)
    for turn in range(campaign.newest_turn, first - 1, -1):
        record = campaign.folder.turn_record(turn)
        if player.realm in record.get("orders", ()):
            break
        count += player.realm in record.get("missing", ())
    return count


def act_for_missing(campaign: Campaign, mail: GameMail | None, now: datetime) -> Campaign:
    """Give up the seats of players who missed too many turns, and those that nobody has taken.

    Returns the changed game. How many turns are too many is a setting of the game. The lock is held.
    """
    settings = campaign.folder.settings
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


# -- seats that are taken ------------------------------------------------------------------------------------


def _join(mail: GameMail, request: Request, now: datetime, *, told: bool) -> None:
    """Give a seat to a stranger whose address is proven, or put them on the waiting list if none is left."""
    campaign = mail.campaign
    writer = Service(mail, now)
    if told or realms_of(campaign, request.address):
        return
    if campaign.winners is None and request.realm in {seat.code for seat in campaign.open_seats}:
        seat_player(
            campaign,
            request.realm,
            {"name": "", "email": request.address},
            now.isoformat(),
            letter=request.letter,
        )
        echo(says("{0} is played by {1}.", request.realm, request.address))
        return
    status.note_waiting(mail, request.address, request.realm, now)
    mail.queue(writer.queued(request.address, request.realm, f"join waits {request.letter}"), now)


def begin_when_full(campaign: Campaign, now: datetime) -> Campaign:
    """Begin a game that waited until all its seats were taken; return the changed game. The lock is held."""
    if campaign.newest_turn or campaign.calendar.hold != FULL or campaign.open_seats:
        return campaign
    return resume_play(campaign, now)
