"""The plan of a simulation, as plain data for any process: the map's files, the bots, the seed."""

import hashlib
import hmac
import re
import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import gm
from gm.bots.registry import bot_named, installed_bots
from gm.core.diagnostics import did_you_mean, nearest
from gm.core.dice import Dice
from gm.game.spec import GameSpec
from gm.game.values import NewGameRequest
from gm.games import game_module
from gm.resources import resource
from gm.store.formats import JsonObject
from gm.store.inbox import fingerprint
from gm.store.settings import PROGRAM

_PLAYING = ("plan.py", "playing.py", "record.py")  # what of this package decides how games come out


IDENTITY = (
    "game",
    "map",
    "map_files",
    "options",
    "turns",
    "bots",
    "seats",
    "seed",
    "gm",
    "program",
    "other_bots",
)


class SeatingError(ValueError):
    """An assignment of bots that was typed makes no sense."""


@dataclass(frozen=True, slots=True)
class Seating:
    """The assignment of bots.

    ``fixed``: the bot of a realm in all games; the other realms get the ``rotating`` bots in turn. A bot that
    occurs n times among these plays n times as many realms.
    """

    rotating: tuple[str, ...]
    fixed: Mapping[str, str]

    @property
    def bots(self) -> list[str]:
        """Return the assignment as it may be typed: the rotating bots, then each realm with a fixed one."""
        turns = list[str]()
        for bot, times in Counter(self.rotating).items():
            turns += [bot] * times if times == 1 or bot.startswith(PROGRAM) else [f"{bot}*{times}"]
        return [*turns, *(f"{code}={bot}" for code, bot in sorted(self.fixed.items()))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Games with bots on one map.

    Two equal plans give the same games, whoever plays them and in whatever order. ``turns``: the limit of a
    game; ``version`` and ``program``: those of the pbem that must play it; ``others``: fingerprints of the
    code of bots that do not come with the game.
    """

    game: str
    map: str
    files: Mapping[str, bytes]
    realms: tuple[str, ...]
    seating: Seating
    turns: int
    seed: str
    version: str
    program: str
    others: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def identity(self) -> JsonObject:
        """Return all settings that decide the games, as plain data for people and for comparing."""
        return {
            "game": self.game,
            "map": self.map,
            "map_files": {name: fingerprint(data)[:16] for name, data in sorted(self.files.items())},
            "options": dict(sorted(self.options.items())),
            "turns": self.turns,
            "bots": list(self.seating.rotating),
            "seats": dict(sorted(self.seating.fixed.items())),
            "seed": self.seed,
            "gm": self.version,
            "program": self.program,
            "other_bots": dict(self.others),
        }

    @property
    def fingerprint(self) -> str:
        return fingerprint(repr(sorted(self.identity.items())).encode())[:16]

    def job(self, number: int) -> "Job":
        """Return the job of the game ``number``, counted from 1."""
        return Job(
            number,
            derive_seed(self.seed, "game", number),
            seats_of(self.seating, self.realms, self.seed, number),
        )

    def jobs(self, games: int) -> Iterator["Job"]:
        return map(self.job, range(1, games + 1))


@dataclass(frozen=True, slots=True)
class Job:
    """One game to be played: its number, its seed, and the bot of each party."""

    number: int
    seed: str
    seats: Mapping[str, str]


def derive_seed(seed: str, *parts: Any) -> str:
    """Return a seed that follows from another and a label.

    It reveals nothing about the other, or about those of other labels.
    """
    return hmac.digest(seed.encode(), " | ".join(map(str, parts)).encode(), "sha256").hex()[:32]


@cache
def program_fingerprint(game: str) -> str:
    """Return the fingerprint of all code that decides games: core, game, rules and playing.

    Equal ones play equal games. Code that only adds up or shows finished games is not in it.
    """
    package = Path(str(gm.__file__)).parent
    own = Path(str(import_module(game_module(game)).__file__)).parent
    shared = (package / part for part in ("core", "text", "game", "campaign"))
    digest = hashlib.sha256()
    for folder in (*shared, own, package / "simulation", resource("rules", game)):
        sources = (path for path in folder.rglob("*") if path.suffix in (".py", ".yaml", ".json"))
        for path in sorted(
            path for path in sources if path.parent != package / "simulation" or path.name in _PLAYING
        ):
            digest.update(f"{folder.name}/{path.relative_to(folder).as_posix()}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def code_fingerprint(bot: str) -> str:
    """Return the fingerprint of another package's bot.

    It covers the files that its name tells: module or words of a command. Raises ``SeatingError`` for a
    command that cannot be understood.
    """
    if bot.startswith(PROGRAM):
        try:
            files = [Path(word) for word in shlex.split(bot.removeprefix(PROGRAM))]
        except ValueError as error:
            raise SeatingError(f"the command of {bot!r} cannot be understood: {error}") from None
    else:
        spec = find_spec(bot.partition(":")[0])
        files = [Path(spec.origin)] if spec and spec.origin else []
    return fingerprint(b"".join(path.read_bytes() for path in files if path.is_file()))[:16]


def make_plan(
    spec: GameSpec[Any],
    chosen: Path,
    *,
    bots: str,
    turns: int,
    seed: str,
    options: Mapping[str, str] | None = None,
) -> tuple[Plan, dict[str, str]]:
    """Return the plan for a map's folder, and the realms' names by code.

    Raises ``SeatingError`` for bots, ``ValueError`` for options, ``SourceError`` and ``OSError`` for a map
    that cannot be played.
    """
    request = NewGameRequest(map=chosen, options=options or {}, seed=seed, parties=_parties_typed(bots))
    table = spec.founded(request).table
    seats = {seat.code: seat.name for seat in spec.seats(table, spec.start(table, chosen, None))}
    # notes about a map are no part of it
    files = [path for path in sorted(chosen.iterdir()) if path.is_file() and path.suffix != ".md"]
    other_bots = (*spec.thinkers, *installed_bots(spec))
    seating = read_seating(bots, tuple(spec.bots), tuple(seats), partial(bot_named, spec), other_bots)
    foreign = sorted({bot for bot in (*seating.rotating, *seating.fixed.values()) if ":" in bot})
    plan = Plan(
        game=spec.key,
        map=chosen.name,
        files={path.name: path.read_bytes() for path in files},
        realms=tuple(seats),
        seating=seating,
        turns=turns,
        seed=seed,
        version=gm.__version__,
        program=program_fingerprint(spec.key),
        others={bot: code_fingerprint(bot) for bot in foreign},
        options=dict(options or {}),
    )
    return plan, seats


def _parties_typed(bots: str) -> tuple[str, ...]:
    """Return the realms with a typed bot, which must be in every game."""
    parts = (part.partition("=") for part in bots.split(","))
    return tuple(
        dict.fromkeys(code.strip().upper() for code, equals, _ in parts if equals and ":" not in code)
    )


def read_seating(
    text: str,
    bots: Collection[str],
    realms: Sequence[str],
    check: Callable[[str], object] | None = None,
    named: Collection[str] = (),
) -> Seating:
    """Return the assignment of bots that was typed.

    ``conqueror``, ``conqueror,builder``, ``king,conqueror*22`` (22 times as many), ``ENG=raider,builder``,
    ``rotate``, ``all``; all equally often is the same as each once. ``named``: bots that do not rotate.
    ``check`` raises ``ValueError`` for an unknown bot of another package. Raises ``SeatingError``, with the
    nearest name, for an unknown bot or realm, and for a realm without bot.
    """
    groups = {"rotate": tuple(bots), "all": (*bots, *named)}
    rotating = Counter[str]()
    fixed = dict[str, str]()
    for entry in text.split(","):
        realm, equals, bot = (part.strip() for part in entry.strip().partition("="))
        # a command may have an equals sign in it
        if not equals or ":" in realm:
            realm = ""
            equals = ""
            bot = entry.strip()
        if bot in groups and not equals:
            rotating.update(groups[bot])
            continue
        # and a star, which says how often only behind a name or a class
        bot, times = (bot, 1) if equals or bot.startswith(PROGRAM) else _how_often(bot, len(realms))
        _check_bot(bot, (*bots, *named), check)
        if not equals:
            rotating[bot] += times
        elif realm.upper() not in realms:
            raise SeatingError(f"this map has no realm {realm!r}; {_known(realm.upper(), realms)}")
        elif fixed.setdefault(realm.upper(), bot) != bot:
            raise SeatingError(f"{realm.upper()} gets two bots, {fixed[realm.upper()]} and {bot}")
    free_realms = [realm for realm in realms if realm not in fixed]
    if free_realms and not rotating:
        realm_names = ", ".join(free_realms)
        raise SeatingError(
            f"nobody plays {realm_names}; add a bot for the others, as in {text},{next(iter(bots))}"
        )
    alike = len(set(rotating.values())) == 1
    return Seating(tuple(rotating if alike else rotating.elements()), fixed)


def _check_bot(bot: str, names: Collection[str], check: Callable[[str], object] | None) -> None:
    """Raise ``SeatingError`` for a bot that is neither known nor, by ``check``, one of another package."""
    if bot in names:
        return
    if check is None or ":" not in bot:
        raise SeatingError(f"there is no bot {bot!r}; {_known(bot, names)}")
    try:
        check(bot)
    except ValueError as error:
        raise SeatingError(str(error)) from None


def _how_often(typed: str, most: int) -> tuple[str, int]:
    """Return the bot and the number in ``conqueror*22``."""
    bot, star, number = (part.strip() for part in typed.partition("*"))
    if star and not (re.fullmatch("[0-9]{1,3}", number) and 1 <= int(number) <= most):
        raise SeatingError(f"behind '*' a number from 1 to {most} says how often a bot plays, not {number!r}")
    return bot, int(number or 1)


def _known(name: str, names: Collection[str]) -> str:
    return did_you_mean(nearest(name, names)) or f"there are {', '.join(names)}"


def seats_of(seating: Seating, realms: Sequence[str], seed: str, number: int) -> dict[str, str]:
    """Return the bot of each realm in game ``number``, from 1.

    In a round of as many games as bots take turns, every realm is played by every bot once, and in each game
    the bots have as many realms as each other, to within one; from round to round the realms are shuffled, so
    that no bot always has the same neighbours.
    """
    free = [realm for realm in realms if realm not in seating.fixed]
    if not free:
        return dict(seating.fixed)
    count = len(seating.rotating)
    cycle, step = divmod(number - 1, count)
    stream = Dice(seed, "seats")(f"round {cycle}")
    for last in range(len(free) - 1, 0, -1):
        other = stream.below(last + 1)
        free[last], free[other] = free[other], free[last]
    bot_of_realm = {realm: seating.rotating[(place + step) % count] for place, realm in enumerate(free)}
    return {realm: seating.fixed.get(realm) or bot_of_realm[realm] for realm in realms}


def difference_words(name: str, earlier: Any, now: Any) -> str:
    """Return the difference of one setting from that of an earlier simulation, in words.

    ``name``: a key of ``Plan.identity``.
    """
    if name == "program":
        return "the program or its rules have changed since"
    if name == "other_bots":
        return "the code of bots that do not come with the game has changed since"
    if isinstance(earlier, Mapping) and isinstance(now, Mapping) and name == "map_files":
        changed = sorted(file for file in {*earlier, *now} if earlier.get(file) != now.get(file))
        return f"the map's {' and '.join(changed)} have changed since"
    verb = "were" if name in ("turns", "bots", "seats", "options") else "was"
    return f"its {name} {verb} {shown(earlier)}, not {shown(now)}"


def shown(value: Any) -> str:
    """Return a setting in words."""
    if isinstance(value, Mapping):
        return ",".join(f"{key}={setting}" for key, setting in value.items()) or "none"
    return ",".join(value) or "none" if isinstance(value, list) else str(value)
