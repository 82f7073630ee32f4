"""The entries of a seat in ``players.yaml``, as commands and letters change them (V2, V3)."""

import secrets
from collections.abc import Iterable, Mapping
from typing import Any

import click
from msgspec.structs import asdict

from gm.bots.registry import bot_named
from gm.campaign.open import Campaign
from gm.campaign.play import party_reports
from gm.cli.options import bad_parameter
from gm.core.diagnostics import says
from gm.game.values import Seat
from gm.store.formats import edited_players
from gm.store.inbox import Changes
from gm.store.settings import Player, bot_label

PERSONAL = frozenset({"name", "email"})  # the fields of a seat's entry that only a person has


def with_player(
    campaign: Campaign, seat: Seat, entries: Mapping[str, Any], bot: str | None
) -> dict[str, Any]:
    """Return further fields of a seat that change, by name, because it is given to another person or bot.

    ``entries``: the fields that the GM gave, by name; ``bot``: the bot that the GM named, ``none`` to end
    one; None: neither.
    """
    further: dict[str, Any] = {}
    names_person = bool(PERSONAL & entries.keys())
    if bot is not None:
        further |= bot_entries(campaign, seat.code, bot, person=names_person)
    is_given = names_person or bot is not None
    # a seat that nobody played gets a player again
    if is_given and not seat.played and "controller" not in {*entries, *further}:
        further["controller"] = "player"
    return further


def needs_key(campaign: Campaign, seat: Seat, entries: Mapping[str, Any], bot: str | None) -> bool:
    """Return whether a seat gets a new key.

    It does if a person takes it from a bot, which has seen the old key, or if its player has none.
    ``entries``: the fields that the GM gave, by name; ``bot``: the bot that the GM named, None for none.
    """
    if seat.bot and bot is None and PERSONAL & entries.keys():
        return True
    return seat.code not in campaign.keys and entries.get("controller", "player") == "player"


def email_entry(addresses: Iterable[str]) -> Any:
    """Return addresses as ``players.yaml`` has them: one as a text, several as a list, none as an empty text.

    Empty ones, and repetitions of one, are left out.
    """
    texts = list(dict.fromkeys(address for address in addresses if address))
    return texts if len(texts) > 1 else "".join(texts)


def bot_entries(campaign: Campaign, code: str, bot: str, *, person: bool) -> dict[str, str]:
    """Return the fields of a seat that change, by name, when a bot plays it from now on.

    Name, address and secret of the person who had the seat are replaced. If ``bot`` is ``none``, the seat's
    bot ends and nothing else changes. ``person``: the GM named a person, too. Raises ``click.UsageError``
    for a bot and a person, ``click.BadParameter`` for an unknown bot.
    """
    if bot == "none":
        return {"bot": ""}
    if person:
        raise click.UsageError(
            says("A seat is played by a person (--name, --email) or by a bot (--bot), not by both.")
        )
    with bad_parameter("--bot"):
        bot_named(campaign.spec, bot)
    # some bots are a part of the game, which plays their seats itself
    field = "controller" if campaign.spec.own_players({code: bot}) else "bot"
    return {field: bot, "name": "", "email": "", "secret": secrets.token_hex(16)}


def change_words(field: str, value: Any) -> str:
    """Return the new value of a seat's field as a message."""
    if field == "secret":
        return says("a new secret")
    value = ", ".join(value) if isinstance(value, list) else value
    return says("{0} {1}", says(field), value) if value else says("no {0}", says(field))


def seat_files(campaign: Campaign, code: str, entries: dict[str, Any]) -> Changes:
    """Return the changed players.yaml, and the seat's newest reports if a person gets a new key.

    ``entries``: the new fields of the seat, by name. Fields that depend on them are changed, too.
    """
    turn = campaign.next_turn
    bot = entries.get("bot")
    names_person = bool(PERSONAL & entries.keys())
    player = campaign.folder.players.of(code)
    had_bot = player is not None and bool(player.bot)
    further: dict[str, Any] = {}  # fields that change because others do
    drop = []  # fields that are removed
    if not entries.keys().isdisjoint(("status", "controller")):
        further["since"] = turn
    if bot or (had_bot and names_person):  # the seat gets another holder
        further |= {"seated": turn, **held_before(campaign, code)}
    if "secret" in entries:  # a key for each turn is made from it, unless there is one for all turns
        drop.append("key")
    if bot:
        drop += ["absent_until", "absent_since", "deputy"]
    # the bot ends when the GM says so, and when a person, the game itself or nobody plays from now on
    if bot == "" or ("bot" not in entries and (names_person or "controller" in entries)):
        entries = {**entries}
        entries.pop("bot", None)
        drop.append("bot")
    if names_person and not bot:
        drop.append("open")
    return edited(campaign, code, entries | further, drop, reports="secret" in entries and not bot)


def edited(
    campaign: Campaign,
    code: str,
    changes: Mapping[str, Any],
    drop: Iterable[str] = (),
    *,
    reports: bool = False,
) -> Changes:
    """Return the changed players.yaml, with ``reports`` also the seat's newest reports for the new entry.

    ``changes``: new fields of the seat's entry, by name; ``drop``: the names of fields that are removed.
    """
    if campaign.folder.players.of(code) is None:  # the game began with a bot here: the entry is new
        changes = {"secret": secrets.token_hex(16), **changes}
    data = edited_players(campaign.folder.path, code, changes, drop)
    planned = Campaign(campaign.folder.planned(players=data), campaign.spec)
    files: Changes = {campaign.folder.path / "players.yaml": data}
    if reports:
        newest = planned.newest_turn
        files |= planned.folder.reports_at(newest, party_reports(planned, newest, code))
    return files


def held_before(campaign: Campaign, code: str) -> dict[str, Any]:
    """Return the field ``tenure`` of a seat, by name: its former holders and the present one, who leaves.

    Empty if nobody held it, or if its holder has not played a turn.
    """
    player = campaign.folder.players.of(code)
    newest = campaign.newest_turn
    if player is None or (player.open and not player.bot):
        return {}
    if player.seated > newest:
        return {}  # the holder came after the newest turn
    earlier = [_without_empty(asdict(term)) for term in player.tenure]
    return {"tenure": [*earlier, {**_holder(player), "first": player.seated, "last": newest}]}


def _holder(player: Player) -> dict[str, str]:
    """Return the fields of a tenure that name the holder: ``bot`` or ``name``; none for a nameless person."""
    if player.bot:
        return {"bot": bot_label(player.bot)}
    return {"name": player.name} if player.name else {}


def _without_empty(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry's fields, by name, without the empty ones."""
    return {name: value for name, value in entry.items() if value}
