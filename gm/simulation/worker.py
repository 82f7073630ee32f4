"""What runs inside a worker, whether a process of our own or of a cluster: load the map once, then play games."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from gm import __version__
from gm.game.spec import GameSpec
from gm.game.values import GameData, NewGameRequest
from gm.games import game_spec
from gm.simulation.plan import Job, Plan, derived
from gm.simulation.playing import Beat, play_game
from gm.simulation.program import program_mark
from gm.simulation.seating import seats_of
from gm.store.formats import Record

_loading = Lock()


class OtherProgramError(Exception):
    """The worker has another gm than the one that made the plan: its games would not be the same."""


class UnusableWorkersError(Exception):
    """Those who should play the games cannot, or die of it: one sentence about what to do."""


class Desk:
    """Everything that the games of one plan share."""

    def __init__(self, plan: Plan) -> None:
        """Load rules and map. Raises ``OtherProgramError``, and ``SourceError`` for a broken map."""
        check_program(plan)
        self.plan = plan
        self.spec: GameSpec[Any] = game_spec(plan.game)
        table, start = self._begun(plan.seed)
        # where nothing can be chosen, nothing is drawn: all games begin alike
        self._shared = (table, start) if table.settings is None else None

    def _begun(self, seed: str) -> tuple[GameData, Any]:
        # the map travels as bytes, and games read maps from folders
        with tempfile.TemporaryDirectory(prefix="gm-map-") as made:
            folder = Path(made) / self.plan.map
            folder.mkdir()
            for name, data in self.plan.files.items():
                (folder / name).write_bytes(data)
            fixed = tuple(self.plan.seating.fixed)
            wishes = NewGameRequest(map=folder, options=self.plan.options, seed=seed, parties=fixed)
            table = self.spec.founded(wishes).table
            return table, self.spec.start(table, folder, None)

    def play(self, job: Job, beat: Beat | None = None) -> Record:
        """The record of one game, which begins as a new game with the job's seed would."""
        table, start = self._shared or self._begun(derived(job.seed, "start"))
        codes = tuple(seat.code for seat in self.spec.seats(table, start))
        if set(codes) != set(job.seats):  # who plays is drawn for each game
            job = replace(job, seats=seats_of(self.plan.seating, codes, self.plan.seed, job.number))
        return play_game(self.spec, table, start, job, self.plan.turns, beat)


def check_program(plan: Plan) -> None:
    """Raise ``OtherProgramError`` unless this gm is the one that the plan was made with."""
    if plan.version != __version__:
        raise OtherProgramError(f"it has gm {__version__}, and this is gm {plan.version}")
    if plan.program != program_mark(plan.game):
        raise OtherProgramError(f"it has gm {__version__} too, but with other files in it")


class _Kept:
    """A plan that is known by its fingerprint: hashing all of it for each game would be wasted time."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.mark = plan, plan.mark

    def __hash__(self) -> int:
        return hash(self.mark)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kept) and other.mark == self.mark


@lru_cache(maxsize=2)
def _desk(kept: _Kept) -> Desk:
    return Desk(kept.plan)


def desk_of(plan: Plan) -> Desk:
    """The desk of a plan, made once in a process, whichever of its threads asks first."""
    with _loading:
        return _desk(_Kept(plan))
