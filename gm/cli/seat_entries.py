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

PERSONAL = frozenset({"name", "email"})  # The entries of a seat that a person has


def with_player(
    campaign: Campaign, seat: Seat, entries: Mapping[str, Any], bot: str | None
) -> dict[str, Any]:
    """Return the further entries of a seat that is given to another player."""
    extra: dict[str, Any] = {}
    person = bool(PERSONAL & entries.keys())
    if bot is not None:
        extra |= taken_over(campaign, seat.code, bot, person=person)
    is_taken = person or bot is not None
    if is_taken and not seat.played and "controller" not in {*entries, *extra}:
        extra["controller"] = "player"
    return extra


def needs_key(campaign: Campaign, seat: Seat, entries: Mapping[str, Any], bot: str | None) -> bool:
    """Return whether a seat gets a new key: a program has seen the old one, or its player has none."""
    if seat.bot and bot is None and PERSONAL & entries.keys():
        return True
    return seat.code not in campaign.keys and entries.get("controller", "player") == "player"


def email_entry(addresses: Iterable[str]) -> Any:
    """Return addresses as ``players.yaml`` has them: one as a text, several as a list."""
    texts = list(dict.fromkeys(address for address in addresses if address))
    return texts if len(texts) > 1 else "".join(texts)


def taken_over(campaign: Campaign, code: str, bot: str, *, person: bool) -> dict[str, str]:
    """Return the entries of a seat that a bot plays from now on, or no longer plays.

    The keys and the address of the player who leaves go as well.
    """
    if bot == "none":
        return {"bot": ""}
    if person:
        raise click.UsageError(
            says("A seat is played by a person (--name, --email) or by a bot (--bot), not by both.")
        )
    with bad_parameter("--bot"):
        bot_named(campaign.spec, bot)
    player = "controller" if campaign.spec.own_players({code: bot}) else "bot"
    return {player: bot, "name": "", "email": "", "secret": secrets.token_hex(16)}


def change_words(field: str, value: Any) -> str:
    """Return a change of a seat's entry as a message."""
    if field == "secret":
        return says("a new secret")
    value = ", ".join(value) if isinstance(value, list) else value
    return says("{0} {1}", says(field), value) if value else says("no {0}", says(field))


def seat_files(campaign: Campaign, code: str, entries: dict[str, Any]) -> Changes:
    """Return players.yaml with the wanted entries of a seat, and the seat's reports if it has a new key."""
    turn = campaign.next_turn
    bot = entries.get("bot")
    person = bool(PERSONAL & entries.keys())
    player = campaign.folder.players.of(code)
    was_bot = player is not None and bool(player.bot)
    extra_files: dict[str, Any] = {}
    drop = []
    if not entries.keys().isdisjoint(("status", "controller")):
        extra_files["since"] = turn
    if bot or (was_bot and person):
        extra_files |= {"seated": turn, **held_before(campaign, code)}
    if "secret" in entries:
        drop.append("key")
    if bot:
        drop += ["absent_until", "absent_since", "deputy"]
    if bot == "" or ("bot" not in entries and (person or "controller" in entries)):
        # a person, the local forces or nobody: whoever comes, the bot goes
        entries = {**entries}
        entries.pop("bot", None)
        drop.append("bot")
    if person and not bot:
        drop.append("open")
    return edited(campaign, code, entries | extra_files, drop, reports="secret" in entries and not bot)


def edited(
    campaign: Campaign,
    code: str,
    changes: Mapping[str, Any],
    drop: Iterable[str] = (),
    *,
    reports: bool = False,
) -> Changes:
    """Return ``players.yaml`` with a seat's entry changed, and with its newest ``reports`` if wanted."""
    if campaign.folder.players.of(code) is None:  # a program's seat that the game began with
        changes = {"secret": secrets.token_hex(16), **changes}
    data = edited_players(campaign.folder.path, code, changes, drop)
    planned = Campaign(campaign.folder.planned(players=data), campaign.spec)
    files: Changes = {campaign.folder.path / "players.yaml": data}
    if reports:
        newest = planned.newest_turn
        files |= planned.folder.reports_at(newest, party_reports(planned, newest, code))
    return files


def held_before(campaign: Campaign, code: str) -> dict[str, Any]:
    """Return the entry about former holders of a seat, the present one included."""
    player = campaign.folder.players.of(code)
    newest = campaign.newest_turn
    if player is None or (player.open and not player.bot):
        return {}
    if player.seated > newest:
        return {}  # nobody has played a turn since
    earlier = [_without_empty(asdict(term)) for term in player.tenure]
    return {"tenure": [*earlier, {**_holder(player), "first": player.seated, "last": newest}]}


def _holder(player: Player) -> dict[str, str]:
    """Return the holder of a seat in words: a bot, a person by name, or a person without one."""
    if player.bot:
        return {"bot": bot_label(player.bot)}
    return {"name": player.name} if player.name else {}


def _without_empty(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry without empty fields."""
    return {name: value for name, value in entry.items() if value}
