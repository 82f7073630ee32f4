"""The plan of a simulation, as plain data for any process: the map's files, the bots, the seed."""

import hashlib
import hmac
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial, reduce
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gm
from gm.bots.registry import bot_named, installed_bots
from gm.core.diagnostics import says
from gm.game.spec import GameSpec
from gm.game.values import NewGameRequest
from gm.games import game_module
from gm.resources import resource
from gm.simulation.seating import Seating, SeatingError, load_bot, parties_typed, read_seating, seats_of
from gm.store.formats import JsonObject
from gm.store.inbox import fingerprint
from gm.store.settings import PROGRAM

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

# the files of this package that decide how games come out
_PLAYING = ("plan.py", "playing.py", "record.py", "seating.py")

# the keys of ``Plan.identity``
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Games with bots on one map.

    Two equal plans give the same games, whoever plays them and in whatever order.
    """

    game: str  # the game's key
    map: str  # the name of the map's folder
    files: Mapping[str, bytes]  # the map's files by name
    realms: tuple[str, ...]  # codes
    seating: Seating
    turns: int  # a game that has not ended is stopped after so many
    seed: str
    version: str  # of the pbem that must play the games
    program: str  # the fingerprint of that pbem's code
    other_bots: Mapping[str, str] = field(default_factory=dict)  # see ``other_bots_code``
    options: Mapping[str, str] = field(default_factory=dict)  # the values of the game's options by name

    @property
    def identity(self) -> JsonObject:
        """Return all settings that decide the games, by the keys of ``IDENTITY``: plain data to compare."""
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
            "other_bots": dict(self.other_bots),
        }

    @property
    def fingerprint(self) -> str:
        """The hash of ``identity``: equal plans have the same."""
        return fingerprint(repr(sorted(self.identity.items())).encode())[:16]

    def job(self, number: int) -> "Job":
        """Return the job of the game ``number``, counted from 1."""
        return Job(
            number,
            derive_seed(self.seed, "game", number),
            seats_of(self.seating, self.realms, self.seed, number),
        )

    def jobs(self, games: int) -> Iterator["Job"]:
        """Return the jobs of the first ``games`` games."""
        return map(self.job, range(1, games + 1))


@dataclass(frozen=True, slots=True)
class Job:
    """One game to be played: its number, its seed, and each realm's bot by the realm's code."""

    number: int
    seed: str
    seats: Mapping[str, str]


def derive_seed(seed: str, *parts: Any) -> str:
    """Return a seed that is computed from another one and a label of some ``parts``.

    It reveals nothing about the other seed, or about the seeds that other labels give.
    """
    return hmac.digest(seed.encode(), " | ".join(map(str, parts)).encode(), "sha256").hex()[:32]


@cache
def program_fingerprint(game: str) -> str:
    """Return the fingerprint of all code that decides games: core, game, rules and playing.

    Programs with the same fingerprint play the same games. Code that only adds up or shows finished games is
    not in it. ``game``: the game's key.
    """
    package = Path(str(gm.__file__)).parent
    game_folder = Path(str(import_module(game_module(game)).__file__)).parent
    shared_folders = (package / part for part in ("core", "text", "game", "campaign"))
    hasher = hashlib.sha256()
    for folder in (*shared_folders, game_folder, package / "simulation", resource("rules", game)):
        sources = (path for path in folder.rglob("*") if path.suffix in (".py", ".yaml", ".json"))
        for path in sorted(
            path for path in sources if path.parent != package / "simulation" or path.name in _PLAYING
        ):
            hasher.update(f"{folder.name}/{path.relative_to(folder).as_posix()}\0".encode())
            hasher.update(hashlib.sha256(path.read_bytes()).digest())
    return hasher.hexdigest()[:16]


def other_bots_code(spec: GameSpec[Any], seating: Seating) -> dict[str, str]:
    """Return the fingerprints of the code of those bots that do not come with the game, by the bot's name.

    These are ``module:Class``, ``program:COMMAND`` and bots of installed packages. Raises ``SeatingError``
    for an installed bot that cannot be loaded, and for a command that cannot be understood.
    """
    installed = installed_bots(spec)
    names = {*seating.rotating, *seating.fixed.values()} - spec.bots.keys() - spec.thinkers.keys()
    fingerprints = dict[str, str]()
    for name in sorted(names):
        if name in installed:
            # only for its errors: a fingerprint is of code that can be loaded
            load_bot(name, partial(bot_named, spec))
        fingerprints[name] = code_fingerprint(name, installed.get(name))
    return fingerprints


def code_fingerprint(bot: str, entry_point: "EntryPoint | None") -> str:
    """Return the fingerprint of the code of a bot that does not come with the game.

    It covers the files that its command names, or the file of its module. ``entry_point``: that of a bot of
    an installed package, whose version is in the fingerprint too. Raises ``SeatingError`` for a command that
    cannot be understood.
    """
    version = ""
    if entry_point is not None:
        files = _module_files(entry_point.module)
        version = entry_point.dist.version if entry_point.dist else ""
    elif bot.startswith(PROGRAM):
        try:
            files = [Path(word) for word in shlex.split(bot.removeprefix(PROGRAM))]
        except ValueError as error:
            raise SeatingError(says("the command of {0!r} cannot be understood: {1}", bot, error)) from None
    else:
        files = _module_files(bot.partition(":")[0])
    code = b"".join(path.read_bytes() for path in files if path.is_file())
    return fingerprint(version.encode() + code)[:16]


def _module_files(module: str) -> list[Path]:
    """Return the file of a module in a list, which is empty if it has none."""
    module_spec = find_spec(module)
    return [Path(module_spec.origin)] if module_spec and module_spec.origin else []


def make_plan(
    spec: GameSpec[Any],
    chosen: Path,
    *,
    bots: str,
    turns: int,
    seed: str,
    options: Mapping[str, str] | None = None,
) -> tuple[Plan, dict[str, str]]:
    """Return the plan for the map in the folder ``chosen``, and the realms' names by code.

    ``bots``: the assignment as it was typed, see :func:`read_seating`. Raises ``SeatingError`` for an
    assignment that makes no sense, ``ValueError`` for an unknown option or value, ``SourceError`` and
    ``OSError`` for a map that cannot be played.
    """
    request = NewGameRequest(map=chosen, options=options or {}, seed=seed, parties=parties_typed(bots))
    table = spec.founded(request).table
    names = {seat.code: seat.name for seat in spec.seats(table, spec.start(table, chosen, None))}
    # notes about a map are no part of it
    files = [path for path in sorted(chosen.iterdir()) if path.is_file() and path.suffix != ".md"]
    only_by_name = (*spec.thinkers, *installed_bots(spec))
    seating = read_seating(bots, tuple(spec.bots), tuple(names), partial(bot_named, spec), only_by_name)
    plan = Plan(
        game=spec.key,
        map=chosen.name,
        files={path.name: path.read_bytes() for path in files},
        realms=tuple(names),
        seating=seating,
        turns=turns,
        seed=seed,
        version=gm.__version__,
        program=program_fingerprint(spec.key),
        other_bots=other_bots_code(spec, seating),
        options=dict(options or {}),
    )
    return plan, names


def difference_words(name: str, earlier: Any, now: Any) -> str:
    """Return the difference of one setting from that of an earlier simulation, in words.

    ``name``: a key of ``Plan.identity``; ``earlier`` and ``now``: its values.
    """
    if name == "program":
        return says("the program or its rules have changed since")
    if name == "other_bots":
        return says("the code of bots that do not come with the game has changed since")
    if isinstance(earlier, Mapping) and isinstance(now, Mapping) and name == "map_files":
        changed = sorted(file for file in {*earlier, *now} if earlier.get(file) != now.get(file))
        files = reduce(partial(says, "{0} and {1}"), changed)
        return says("the map's {0} have changed since", files)
    is_plural = name in ("turns", "bots", "seats", "options")
    pattern = "its {0} were {1}, not {2}" if is_plural else "its {0} was {1}, not {2}"
    return says(pattern, name, shown(earlier), shown(now))


def shown(value: Any) -> str:
    """Return a setting's value in words: ``none`` for an empty list or mapping."""
    if isinstance(value, Mapping):
        return ",".join(f"{key}={setting}" for key, setting in value.items()) or "none"
    return ",".join(value) or "none" if isinstance(value, list) else str(value)
