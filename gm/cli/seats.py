"""``pbem seat`` and ``pbem player``: who plays which seat, who is away, leaves or takes over (V2, V3)."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import click

from gm.bots.registry import bot_command
from gm.campaign.absence import MOST_TURNS_AWAY, first_turn_back
from gm.campaign.new_game import policy_of
from gm.campaign.open import Campaign
from gm.cli import options
from gm.cli.options import ADDRESS, PLAYER_NAME, AsJson, At, Game, argument, bad_parameter, gm_command, option
from gm.cli.output import Failure, Refusal, echo, sentence, title_of
from gm.cli.seat_entries import (
    bot_entries,
    change_words,
    edited,
    email_entry,
    held_before,
    needs_key,
    seat_files,
    with_player,
)
from gm.cli.seat_table import show_seats
from gm.cli.session import carry_out, changing, game_time, known_seat, note_action, open_campaign, post_of
from gm.cli.speech import translate, worded
from gm.core.diagnostics import says
from gm.game.values import Seat
from gm.store.inbox import Changes
from gm.store.moments import time_zone
from gm.store.press import letters_hidden_from
from gm.store.settings import STANDSTILL, bot_label
from gm.store.turns import turn_name
from gm.text.names import subject, the
from gm.text.pages import listed
from gm.text.words import Said


@gm_command("seat")
def seat(
    realm: Annotated[str | None, argument(required=False)],
    name: Annotated[str | None, option("--name", type=PLAYER_NAME)],
    emails: Annotated[tuple[str, ...], option("--email", multiple=True, type=ADDRESS)],
    *,
    new_key: bool,
    status: str | None,
    controller: str | None,
    bot: str | None,
    game_folder: Game,
    as_json: AsJson,
) -> None:
    """Show the seats of a game, or change one; a change counts from the next turn on."""
    campaign = open_campaign(game_folder)
    email = email_entry(emails) if emails else None
    changes = {"name": name, "email": email, "status": status, "controller": controller}
    entries: dict[str, Any] = {field: value for field, value in changes.items() if value is not None}
    if realm is None:
        if entries or new_key or bot is not None:
            raise click.UsageError(says("Say whose seat to change: pbem seat REALM ..."))
        show_seats(campaign, campaign.seats, as_json=as_json)
        return
    current = known_seat(campaign, realm)
    if not entries and not new_key and bot is None:
        show_seats(campaign, [current], as_json=as_json)
        return
    code = current.code
    entries |= with_player(campaign, current, entries, bot)
    new_key = new_key or needs_key(campaign, current, entries, bot)
    if new_key:
        entries["secret"] = secrets.token_hex(16)
    try:
        # only tried: an error names a status or a controller that the game does not have
        campaign.spec.with_standings(
            campaign.snapshot, {code: (entries.get("status"), entries.get("controller"))}
        )
    except ValueError as error:
        raise click.UsageError(sentence(error)) from None
    _refuse_against_corrections(campaign, code, entries)
    from gm.cli.imported_commands import typed

    with changing(campaign.folder.path) as campaign:
        journal: dict[str, Any] = {
            field: entries[field] for field in ("status", "controller") if field in entries
        }
        if "bot" in entries:
            journal["bot"] = bot_label(entries["bot"])
        confirming_files = typed(campaign, bot_command(campaign.spec, entries.get("bot") or ""))
        files = seat_files(campaign, code, entries) | confirming_files
        carry_out(campaign, "seat", files, realm=code, changed=sorted(entries), **journal)
    words = [
        worded(change_words(field, value)) for field, value in entries.items() if value or field == "bot"
    ]
    echo(says("{0}: {1}. It counts from now on.", code, ", ".join(words)))
    if new_key and not entries.get("bot"):
        echo(says("The new key is in the results and the order template of the newest turn."))


def _refuse_against_corrections(campaign: Campaign, code: str, entries: dict[str, Any]) -> None:
    """Raise ``Refusal`` if a correction for the next turn gives a seat another status than ``entries``.

    Corrections count last, so that the new status would have no effect. ``code``: the seat's.
    """
    if "status" not in entries:
        return
    standing = {code: (entries["status"], entries.get("controller"))}
    decisions = campaign.decisions.evolve(standings={**campaign.decisions.standings, **standing})
    state, _ = campaign.opened_with(campaign.snapshot, decisions)
    status = next(seat.status for seat in campaign.spec.seats(campaign.table, state) if seat.code == code)
    if status != entries["status"]:
        raise Refusal(
            says(
                "A correction for turn {0} makes {1} {2}. Take it back first, with pbem amend "
                "--take-back, or correct the status with pbem amend status.",
                campaign.next_turn,
                code,
                status,
            )
        )


def vacate(campaign: Campaign, code: str, why: str, now: str, extra_files: Changes, **about: Any) -> str:
    """Take a seat's player out: the game's policy acts for it, and anybody may join, if the game allows it.

    Returns the policy's name: of a controller, of a bot, or of doing nothing. ``why`` and ``about``: for the
    journal; ``now``: the time of the letters about it, in ISO 8601; ``extra_files``: further files of the
    change. The caller holds the lock.
    """
    policy = policy_of(campaign)
    turn = campaign.next_turn
    vacancy = {"name": "", "email": "", "secret": secrets.token_hex(16), "open": True, "seated": turn}
    drop = ["key", "absent_until", "absent_since", "deputy", "language", "zone", "bot"]
    controller: dict[str, Any] = {"controller": "nobody"}
    if policy in campaign.spec.words.controllers:
        controller = {"controller": policy}
    elif policy != STANDSTILL:  # a bot
        controller = {"controller": "player", **bot_entries(campaign, code, policy, person=False)}
        drop.remove("bot")  # the bot that acts from now on stays
    changes = {**vacancy, **controller, "since": turn, **held_before(campaign, code)}
    files = edited(campaign, code, changes, [field for field in drop if field not in changes])
    files |= letters_hidden_from(campaign.folder.inbox(turn).folder, code)
    carry_out(
        campaign, "seat open", files | extra_files, realm=code, why=why, turn=turn, letters=now, **about
    )
    return policy


def _listed(words: Sequence[str]) -> str:
    """Return texts as ``a, b and c`` in the language of the commands."""
    return listed(tuple(words), last=translate("and"))


# -- players -------------------------------------------------------------------------------------------------


Until = Annotated[int | None, option("--until", type=click.IntRange(1), metavar="TURN")]
OnOff = Annotated[str, argument(metavar="on|off", type=click.Choice(["on", "off"]))]

player = options.ExplainedGroup("player", module=__name__)


@gm_command("replace", player)
def replace(
    realm: str,
    name: Annotated[str, option("--name", type=PLAYER_NAME, default="")],
    emails: Annotated[tuple[str, ...], option("--email", multiple=True, type=ADDRESS, required=True)],
    zone: Annotated[str, option("--zone", default="")],
    at: At,
    game_folder: Game,
) -> None:
    """Seat a replacement player."""
    if not any(emails):
        raise click.BadParameter(
            says("an address is needed, where the player gets mail"), param_hint="'--email'"
        )
    changes: dict[str, Any] = {"name": name, "email": email_entry(emails)}
    if zone:
        changes["zone"] = _zone(zone)
    with changing(game_folder) as campaign:
        seat = known_seat(campaign, realm)
        if seat.out:
            raise Failure(says("{0} is out of the game: there is nothing to play.", subject(seat.name)))
        addresses = {email.lower() for email in emails}
        players = campaign.folder.players.players
        held_seats = [
            person.realm
            for person in players
            if addresses & {address.lower() for address in person.addresses}
        ]
        if held_seats:
            raise Failure(says("{0} plays {1} already.", _listed(emails), ", ".join(held_seats)))
        has_mail = post_of(campaign) is not None
        seat_player(campaign, seat.code, changes, game_time(campaign, at).isoformat())
    who = name or _listed(emails)
    echo(
        says(
            "{0}: {1} plays {2} from turn {3} on; the old keys are void.",
            seat.code,
            who,
            the(seat.name),
            campaign.next_turn,
        )
    )
    if has_mail:
        echo(says("The dossier is in the outbox: 'pbem mail send' or 'pbem week' sends it."))
        return
    newest = turn_name(campaign.newest_turn)
    echo(says("Send the new player:"))
    click.echo(f"  handbook.html\n  turns/{newest}/results/{seat.code}.html")
    echo(says("  turns/{0}/next/{1}.yaml   with the new key", newest, seat.code))


def seat_player(campaign: Campaign, code: str, changes: Mapping[str, Any], now: str, **about: Any) -> None:
    """Give a seat, by its code, to a new player. The caller holds the lock.

    ``changes``: the fields of the new player, by name: name, address, time zone; ``now``: the time of
    the letters about it, in ISO 8601; ``about``: further entries of the journal's line.
    """
    turn = campaign.next_turn
    removed = [
        "key",
        "absent_until",
        "absent_since",
        "deputy",
        "status",
        "bot",
        "open",
        "language",
        *([] if "zone" in changes else ["zone"]),
    ]
    entry = {
        **changes,
        "secret": secrets.token_hex(16),
        "controller": "player",
        "since": turn,
        "seated": turn,
        **held_before(campaign, code),
    }
    files = edited(campaign, code, entry, removed, reports=True)
    # the old player's orders for the coming turn no longer count
    inbox = campaign.folder.inbox(turn, files)
    inbox.withdraw(code)
    files |= letters_hidden_from(inbox.folder, code)
    carry_out(campaign, "player replace", files, realm=code, turn=turn, letters=now, **about)


@gm_command("absent", player)
def absent(
    realm: str, until: Until, steward: Annotated[bool, option("--steward", is_flag=True)], game_folder: Game
) -> None:
    """Record that a player is away up to and including a turn."""
    if until is None and not steward:
        raise click.UsageError(says("Say how long: with --until TURN, or with --steward until orders come."))
    with changing(game_folder) as campaign:
        seat = known_seat(campaign, realm)
        last = campaign.next_turn + MOST_TURNS_AWAY - 1 if until is None else until
        if last < campaign.next_turn:
            raise Failure(
                says(
                    "Next is {0}: {1} has already been played.",
                    title_of(campaign, campaign.next_turn),
                    title_of(campaign, last),
                )
            )
        if steward and not campaign.spec.deputy:
            raise Refusal(
                says("The game {0} has no steward. Its players can send standing orders.", campaign.spec.key)
            )
        changes: dict[str, Any] = {"absent_until": last}
        if steward:
            changes["deputy"] = campaign.spec.deputy
        if until is None:  # orders of this turn or a later one then end the absence
            changes["absent_since"] = first_turn_back(campaign, seat.code)
        _edit(campaign, seat, changes, drop=tuple({"absent_since", "deputy"} - changes.keys()))
    turns = last - campaign.next_turn + 1
    echo(
        says(
            "{0} is away for {1:turn}, up to and including {2}.",
            seat.code,
            Said(turns),
            title_of(campaign, last),
        )
    )
    if steward:
        echo(says("A steward acts while they have no orders in."))
    if until is None:
        echo(says("It ends when orders of theirs are played."))


@gm_command("back", player)
def back(realm: str, game_folder: Game) -> None:
    """Record that a player is back."""
    with changing(game_folder) as campaign:
        seat = known_seat(campaign, realm)
        _edit(campaign, seat, {}, drop=("absent_until", "absent_since", "deputy"))
    echo(says("{0} is back.", seat.code))


@gm_command("zone", player)
def zone(realm: str, zone: str, game_folder: Game) -> None:
    """Set the time zone in which a player reads deadlines, such as Europe/Minsk."""
    with changing(game_folder) as campaign:
        seat = known_seat(campaign, realm)
        _edit(campaign, seat, {"zone": _zone(zone)})
    echo(says("{0} reads deadlines in the time of {1}.", seat.code, zone))


@gm_command("reminders", player)
def reminders(realm: str, on_or_off: OnOff, at: At, game_folder: Game) -> None:
    """Turn a player's mail reminders of missing orders on or off."""
    from gm.mail.game_mail import GameMail
    from gm.mail.status import SUBSCRIBED, UNSUBSCRIBED, note_preference

    with changing(game_folder) as campaign:
        seat = known_seat(campaign, realm)
        now = game_time(campaign, at)
        preference = SUBSCRIBED if on_or_off == "on" else UNSUBSCRIBED
        is_changed = note_preference(GameMail(campaign), seat.code, preference, now)
        if is_changed:
            turn = campaign.next_turn
            note_action(campaign, "player reminders", realm=seat.code, turn=turn, wish=on_or_off)
    if on_or_off == "on":
        pattern = says("{0} is reminded.") if is_changed else says("{0} is reminded, as before.")
    else:
        pattern = says("{0} is not reminded.") if is_changed else says("{0} is not reminded, as before.")
    echo(says(pattern, seat.code))


def _zone(name: str) -> str:
    """Return the name of a time zone. Raises ``click.BadParameter`` for an unknown one."""
    with bad_parameter("ZONE"):
        time_zone(name)
    return name


def _edit(campaign: Campaign, seat: Seat, changes: Mapping[str, Any], drop: tuple[str, ...] = ()) -> None:
    """Change fields of a seat's entry, by name; ``drop``: fields that are removed.

    The journal names the change after the command that runs. The caller holds the lock.
    """
    did = f"player {click.get_current_context().info_name}"
    carry_out(
        campaign, did, edited(campaign, seat.code, changes, drop), realm=seat.code, turn=campaign.next_turn
    )
