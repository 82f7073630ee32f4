"""The assignment of bots to realms: read as it was typed, and dealt out anew in each game."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from gm.core.diagnostics import did_you_mean, message_of, nearest, says
from gm.core.dice import Dice
from gm.store.settings import PROGRAM


class SeatingError(ValueError):
    """An assignment of bots that was typed makes no sense."""


@dataclass(frozen=True, slots=True)
class Seating:
    """The assignment of bots to the realms of a simulation's games.

    ``fixed``: the bot that plays a realm in all games, by the realm's code; the other realms get the
    ``rotating`` bots in turn. A bot that occurs n times among these plays n times as many realms.
    """

    rotating: tuple[str, ...]
    fixed: Mapping[str, str]

    @property
    def bots(self) -> list[str]:
        """Return the assignment as it may be typed: the rotating bots, then each realm with a fixed one."""
        rotating = list[str]()
        for bot, times in Counter(self.rotating).items():
            # a star behind a command would be read as a part of the command
            rotating += [bot] * times if times == 1 or bot.startswith(PROGRAM) else [f"{bot}*{times}"]
        return [*rotating, *(f"{code}={bot}" for code, bot in sorted(self.fixed.items()))]


def parties_typed(bots: str) -> tuple[str, ...]:
    """Return the codes of the realms for which a bot was typed (``ENG=raider``): they must be in every game.

    A colon before the first equals sign is a command's: ``program:my_bot --level=3`` names no realm.
    """
    parts = (part.partition("=") for part in bots.split(","))
    return tuple(
        dict.fromkeys(code.strip().upper() for code, equals, _ in parts if equals and ":" not in code)
    )


def read_seating(
    text: str,
    bots: Collection[str],
    realms: Sequence[str],
    load: Callable[[str], object] | None = None,
    only_by_name: Collection[str] = (),
) -> Seating:
    """Return the assignment of bots that was typed.

    ``text`` is, for example: ``conqueror``, ``conqueror,builder``, ``king,conqueror*22`` (22 times as many),
    ``ENG=raider,builder``, ``rotate`` (all ``bots``), ``all`` (those ``only_by_name`` too). ``realms``:
    codes. ``load`` loads ``module:Class`` or ``program:COMMAND``, and raises ``ValueError`` for a bot that
    cannot be loaded. Raises ``SeatingError``, with the nearest name, for an unknown bot or realm, and for a
    realm without bot.
    """
    groups = {"rotate": tuple(bots), "all": (*bots, *only_by_name)}
    rotating = Counter[str]()
    fixed = dict[str, str]()
    for entry in text.split(","):
        realm, bot = _realm_and_bot(entry.strip())
        if realm is None and bot in groups:
            rotating.update(groups[bot])
            continue
        times = 1
        # a star in a command is the command's own
        if realm is None and not bot.startswith(PROGRAM):
            bot, times = _how_often(bot, len(realms))
        _check_bot(bot, (*bots, *only_by_name), load)
        if realm is None:
            rotating[bot] += times
        elif realm.upper() not in realms:
            hint = _hint_for(realm.upper(), realms)
            raise SeatingError(says("this map has no realm {0!r}; {1}", realm, hint))
        elif fixed.setdefault(realm.upper(), bot) != bot:
            code = realm.upper()
            raise SeatingError(says("{0} gets two bots, {1} and {2}", code, fixed[code], bot))
    free_realms = [realm for realm in realms if realm not in fixed]
    if free_realms and not rotating:
        realm_names = ", ".join(free_realms)
        pattern = "nobody plays {0}; add a bot for the others, as in {1},{2}"
        raise SeatingError(says(pattern, realm_names, text, next(iter(bots))))
    # bots that all play equally often are listed once each, however often they were typed
    equally_often = len(set(rotating.values())) == 1
    return Seating(tuple(rotating if equally_often else rotating.elements()), fixed)


def _realm_and_bot(entry: str) -> tuple[str | None, str]:
    """Return the realm and the bot in ``ENG=raider``; no realm for a bot alone, such as ``raider``."""
    realm, equals, bot = (part.strip() for part in entry.partition("="))
    # an equals sign behind a colon is a command's, as in ``program:my_bot --level=3``
    if not equals or ":" in realm:
        return None, entry
    return realm, bot


def _check_bot(bot: str, names: Collection[str], load: Callable[[str], object] | None) -> None:
    """Raise ``SeatingError`` for a bot that has none of these names and cannot be loaded."""
    if bot in names:
        return
    if load is None or ":" not in bot:  # without a colon it is neither module:Class nor program:COMMAND
        raise SeatingError(says("there is no bot {0!r}; {1}", bot, _hint_for(bot, names)))
    load_bot(bot, load)


def load_bot(bot: str, load: Callable[[str], object]) -> None:
    """Load a bot. Raises ``SeatingError`` if that fails."""
    try:
        load(bot)
    except ValueError as error:
        raise SeatingError(message_of(error)) from None


def _how_often(typed: str, most: int) -> tuple[str, int]:
    """Return the bot and the number in ``conqueror*22``; 1 without a star.

    Raises ``SeatingError`` unless the number is from 1 to ``most``.
    """
    bot, star, number = (part.strip() for part in typed.partition("*"))
    if star and not (re.fullmatch("[0-9]{1,3}", number) and 1 <= int(number) <= most):
        pattern = "behind '*' a number from 1 to {0} says how often a bot plays, not {1!r}"
        raise SeatingError(says(pattern, most, number))
    return bot, int(number or 1)


def _hint_for(name: str, names: Collection[str]) -> str:
    """Return a hint for a name that is none of these: the nearest, or all of them."""
    return did_you_mean(nearest(name, names)) or says("there are {0}", ", ".join(names))


def seats_of(seating: Seating, realms: Sequence[str], seed: str, number: int) -> dict[str, str]:
    """Return the bot of each realm, by the realm's code, in the game ``number``, counted from 1.

    In a round of as many games as there are rotating bots, every realm is played by every bot once, and in
    each game the bots have as many realms as each other, to within one; from round to round the realms are
    shuffled, so that no bot always has the same neighbours.
    """
    free_realms = [realm for realm in realms if realm not in seating.fixed]
    if not free_realms:
        return dict(seating.fixed)
    count = len(seating.rotating)
    round_number, game_of_round = divmod(number - 1, count)
    stream = Dice(seed, "seats")(f"round {round_number}")
    for last in range(len(free_realms) - 1, 0, -1):  # shuffles them
        other = stream.below(last + 1)
        free_realms[last], free_realms[other] = free_realms[other], free_realms[last]
    bot_of_realm = {
        realm: seating.rotating[(place + game_of_round) % count] for place, realm in enumerate(free_realms)
    }
    return {realm: seating.fixed.get(realm) or bot_of_realm[realm] for realm in realms}
