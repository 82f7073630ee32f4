"""Which bot plays which realm in which game: fixed seats, and bots that take turns so that nobody is favoured."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gm.bots.registry import bot_named
from gm.core.diagnostics import did_you_mean, nearest
from gm.core.dice import Dice
from gm.game.spec import GameSpec

ROTATE = "rotate"


class SeatingError(ValueError):
    """What was typed for the bots makes no sense: half a sentence."""


@dataclass(frozen=True, slots=True)
class Seating:
    """``fixed`` is who always plays a realm, by its code; the others are played by ``rotating``, in turns."""

    rotating: tuple[str, ...]
    fixed: Mapping[str, str]


def fixed_codes(text: str) -> tuple[str, ...]:
    """The realms that somebody typed a bot for: they are to be in every game."""
    named = (part.rpartition("=")[0].strip().upper() for part in text.split(","))
    return tuple(dict.fromkeys(code for code in named if code))


def check_bot(spec: GameSpec[Any], name: str) -> None:
    """Raise ``ValueError`` for a bot that cannot be had: one of the game's, an installed one, ``module:Class``."""
    bot_named(spec, name)


def read_seating(
    text: str, bots: Collection[str], realms: Sequence[str], check: Callable[[str], None] | None = None
) -> Seating:
    """The seating that somebody typed: ``conqueror``, ``conqueror,builder``, ``ENG=raider,builder``, ``rotate``.
    ``check`` raises ``ValueError`` for what is none of the game's ``bots`` and no other bot either.

    Raises ``SeatingError``, with the nearest name, for a bot or a realm that is not there, and for a realm without bot.
    """
    rotating: list[str] = []
    fixed: dict[str, str] = {}
    for entry in (part.strip() for part in text.split(",")):
        realm, equals, bot = (part.strip() for part in entry.rpartition("="))
        if bot == ROTATE and not equals:
            rotating += [name for name in bots if name not in rotating]
            continue
        if bot not in bots:
            if check is None or ":" not in bot:
                raise SeatingError(f"there is no bot {bot!r}; {_known(bot, bots)}")
            try:
                check(bot)
            except ValueError as error:
                raise SeatingError(str(error)) from None
        if not equals:
            rotating += [bot] if bot not in rotating else []
        elif realm.upper() not in realms:
            raise SeatingError(f"this map has no realm {realm!r}; {_known(realm.upper(), realms)}")
        elif fixed.setdefault(realm.upper(), bot) != bot:
            raise SeatingError(f"{realm.upper()} gets two bots, {fixed[realm.upper()]} and {bot}")
    left = [realm for realm in realms if realm not in fixed]
    if left and not rotating:
        raise SeatingError(f"nobody plays {', '.join(left)}; add a bot for the others, as in {text},{next(iter(bots))}")
    return Seating(tuple(rotating), fixed)


def _known(name: str, names: Collection[str]) -> str:
    return did_you_mean(nearest(name, names)) or f"there are {', '.join(names)}"


def seats_of(seating: Seating, realms: Sequence[str], seed: str, number: int) -> dict[str, str]:
    """The bot of each realm in game ``number``, counted from 1.

    Games go in rounds of as many as there are bots that take turns. In a round every realm is played by every bot once,
    and in each game the bots have as many realms as each other, to within one; from round to round the realms are
    shuffled anew, so that no bot always has the same neighbours.
    """
    free = [realm for realm in realms if realm not in seating.fixed]
    if not free:
        return dict(seating.fixed)
    count = len(seating.rotating)
    cycle, step = divmod(number - 1, count)
    stream = Dice(seed, "seats")(f"round {cycle}")
    shuffled = list(free)
    for last in range(len(shuffled) - 1, 0, -1):
        other = stream.below(last + 1)
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    found = {realm: seating.rotating[(place + step) % count] for place, realm in enumerate(shuffled)}
    return {realm: seating.fixed.get(realm) or found[realm] for realm in realms}
