"""What is to be simulated, as plain data that can be sent to any process: the map's files, the bots, the seed."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from gm import __version__
from gm.game.spec import GameSpec
from gm.game.values import NewGameRequest
from gm.simulation.program import program_mark
from gm.simulation.seating import Seating, check_bot, fixed_codes, read_seating, seats_of
from gm.store.formats import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Games with bots on one map. Two equal plans give the same games, whoever plays them and in whatever order.

    ``files`` are the map's files by name; ``realms`` the parties' codes in their order; ``turns`` ends a game that
    nobody has won; ``version`` and ``program`` say with which gm it must be played.
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
    options: Mapping[str, str] = field(default_factory=dict)
    """What was set for the games, as with ``gm new --set``."""

    @property
    def identity(self) -> Record:
        """What decides how the games come out, as plain data for people and for comparing."""
        return {
            "game": self.game,
            "map": self.map,
            "map_files": {name: hashlib.sha256(data).hexdigest()[:16] for name, data in sorted(self.files.items())},
            "options": dict(sorted(self.options.items())),
            "turns": self.turns,
            "bots": list(self.seating.rotating),
            "seats": dict(sorted(self.seating.fixed.items())),
            "seed": self.seed,
            "gm": self.version,
            "program": self.program,
        }

    @property
    def mark(self) -> str:
        """A fingerprint of the identity."""
        return hashlib.sha256(repr(sorted(self.identity.items())).encode()).hexdigest()[:16]

    def job(self, number: int) -> Job:
        """The game of this number, counted from 1."""
        return Job(number, derived(self.seed, "game", number), seats_of(self.seating, self.realms, self.seed, number))

    def jobs(self, games: int) -> Iterator[Job]:
        """The first so many games."""
        return (self.job(number) for number in range(1, games + 1))


@dataclass(frozen=True, slots=True)
class Job:
    """One game to be played: its number, its seed, and the bot of each party."""

    number: int
    seed: str
    seats: Mapping[str, str]


def derived(seed: str, *parts: Any) -> str:
    """A seed that follows from another and a label, and tells nothing about it or about those of other labels."""
    label = " | ".join(str(part) for part in parts)
    return hmac.new(seed.encode(), label.encode(), "sha256").hexdigest()[:32]


def _of_map(path: Path) -> bool:
    """Whether a file in a map's folder is part of the map; notes about it are not."""
    return path.is_file() and path.suffix != ".md"


def make_plan(
    spec: GameSpec[Any], chosen: Path, *, bots: str, turns: int, seed: str, options: Mapping[str, str] | None = None
) -> tuple[Plan, dict[str, str]]:
    """The plan for a map's folder, and the realms' names by code. ``bots`` as :func:`read_seating` understands it.

    Reads the map's files. Raises ``SeatingError`` for bots and ``ValueError`` for options that are not there,
    ``SourceError`` and ``OSError`` for a map that cannot be played.
    """
    wanted = fixed_codes(bots)
    table = spec.founded(NewGameRequest(map=chosen, options=options or {}, seed=seed, parties=wanted)).table
    seats = {seat.code: seat.name for seat in spec.seats(table, spec.start(table, chosen, None))}
    plan = Plan(
        game=spec.key,
        map=chosen.name,
        files={path.name: path.read_bytes() for path in sorted(chosen.iterdir()) if _of_map(path)},
        realms=tuple(seats),
        seating=read_seating(bots, tuple(spec.bots), tuple(seats), partial(check_bot, spec)),
        turns=turns,
        seed=seed,
        version=__version__,
        program=program_mark(spec.key),
        options=dict(options or {}),
    )
    return plan, seats
