"""One game from the start position to its end, with a bot for each realm: order files in, the game's record out."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gm.bots.registry import bot_named
from gm.core.events import DiceRolled
from gm.game.base.events import FAILED, ORDERS
from gm.game.bots import bot_view
from gm.game.spec import GameSpec
from gm.game.values import GameData
from gm.simulation.findings import UNFINISHED
from gm.simulation.plan import Job, derived
from gm.store.formats import JsonObject, compact
from gm.store.settings import PROGRAM

KEY = "simulation"
"""What the order files of a simulated game must say: nobody else sends any."""
SAMPLES = 5
"""So many refused orders of a game are kept in full."""

Beat = Callable[[], bool]
"""Asked before each turn; the game is given up when it says no."""


class GameBrokeError(Exception):
    """A bot raised an error, or a turn left a broken state: one sentence about where, with the error's own text."""


class GivenUpError(Exception):
    """Somebody wants no more games: this one has no record."""


class _Seed(str):
    """A bot's seed that notes whether anybody looked at it: a bot that does not, plays alike in every game."""

    looked = False


def _noting(name: str) -> Callable[..., Any]:
    def method(seed: _Seed, *given: Any) -> Any:
        seed.looked = True
        return getattr(str, name)(seed, *given)

    return method


for _name in ("encode", "__str__", "__format__", "__hash__", "__eq__"):
    setattr(_Seed, _name, _noting(_name))


@dataclass
class _Game:
    """A game that is being played. ``out``: the turn after which each realm was out; ``refused``: files that were set
    aside whole, and orders with an error, of which a bot that knows the rules has none; ``chance``: whether a bot or
    the dice drew anything."""

    spec: GameSpec[Any]
    table: GameData
    job: Job
    out: dict[str, int] = field(default_factory=dict)
    uses: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    refused: int = 0
    refusals: list[str] = field(default_factory=list)
    chance: bool = False

    def play(self, state: Any, turn: int) -> Any:
        """One turn; returns the state after it. Raises ``GameBrokeError``."""
        sheets = self._orders(state, turn)
        try:
            outcome = self.spec.play(self.table, state, sheets, derived(self.job.seed, "dice", turn))
        except Exception as error:
            raise self._broke(f"turn {turn}", error) from error
        self.chance = self.chance or any(isinstance(each, DiceRolled) for each in outcome.events)
        for kind, names in self.spec.rule_uses(self.table, sheets, outcome.events).items():
            self.uses[kind].update(names)
        for seat in self.spec.seats(self.table, outcome.state):
            if seat.out:
                self.out.setdefault(seat.code, turn)
        return outcome.state

    def _orders(self, state: Any, turn: int) -> dict[str, Any]:
        """The orders of all bots that are in the game, through the reader that takes everybody's."""
        spec, name = self.spec, f"game-{self.job.number}"
        waiting = {seat.code for seat in spec.seats(self.table, state) if seat.waiting}
        found = {}
        for realm, bot in self.job.seats.items():
            if realm in self.out or realm in waiting:
                continue
            seed = _Seed(derived(self.job.seed, "bot", turn, realm))
            view = bot_view(spec, self.table, state, realm, game=name, key=KEY, seed=seed)
            try:
                data = bot_named(spec, bot).orders(view)
            except Exception as error:
                raise self._broke(f"turn {turn}: the bot {bot} of {realm}", error) from error
            self.chance = self.chance or seed.looked
            file = f"game {self.job.number}, turn {turn}, {realm} ({bot})"
            reading = spec.read_orders(self.table, view.state, data, file, game=name, realm=realm, key=KEY)
            self.refused += (reading.sheet is None) + reading.errors
            wrong = [each for each in reading.diagnostics if each.is_error]
            self.refusals += [each.render() for each in wrong[: SAMPLES - len(self.refusals)]]
            if reading.sheet is not None:
                found[realm] = reading.sheet
        return found

    def _broke(self, where: str, error: Exception) -> GameBrokeError:
        return GameBrokeError(f"game {self.job.number}, {where}: {type(error).__name__}: {error}")


def play_game(
    spec: GameSpec[Any], table: GameData, start: Any, job: Job, turns: int, beat: Beat | None = None
) -> JsonObject:
    """Play one game; returns its record as plain data, the same for the same arguments.

    ``figures`` are a realm's at the start and after each turn, in the order of ``columns``. Raises ``GameBrokeError``
    for an error in the program, and ``GivenUpError`` when ``beat`` says no.
    """
    game = _Game(spec, table, job, chance=any(bot.startswith(PROGRAM) for bot in job.seats.values()))
    state, history, turn = start, [spec.figures(table, start)], 0
    while (winners := spec.ended(table, state)) is None and turn < turns:
        if beat is not None and not beat():
            raise GivenUpError
        turn += 1
        state = game.play(state, turn)
        history.append(spec.figures(table, state))
    broken = spec.broken(table, state)
    if broken:
        raise GameBrokeError(f"game {job.number}, after turn {turn}: {'; '.join(broken)}")
    return {
        "game": job.number,
        "seed": job.seed,
        "turns": turn,
        "reason": UNFINISHED if winners is None else "victory" if winners else "draw",
        "winners": sorted(winners or ()),
        "leaders": _leaders(history[-1]) if winners is None else [],
        # games without chance that begin alike are one game, however often it is played
        "mark": "" if game.chance else _mark(spec.record(start), job.seats),
        "columns": list(next(iter(history[0].values()), {})),
        "realms": {
            code: {
                "bot": bot,
                "out": game.out.get(code),
                "figures": [[_short(value) for value in each[code].values()] for each in history],
            }
            for code, bot in job.seats.items()
        },
        "rules": {kind: dict(sorted(names.items())) for kind, names in sorted(game.uses.items())},
        "orders": game.uses[ORDERS].total(),
        "failed": game.uses[FAILED].total(),
        "refused": game.refused,
        "refusals": game.refusals,
    }


def _leaders(figures: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Who has most of the first column: they lead a game that was stopped. Nobody, when nobody has any."""
    scores = {code: next(iter(row.values())) for code, row in figures.items()}
    best = max(scores.values(), default=0)
    return sorted(code for code, score in scores.items() if score == best and best > 0)


def _mark(start: JsonObject, seats: Mapping[str, str]) -> str:
    """A fingerprint of a position and who plays what."""
    return hashlib.sha256(compact({"start": start, "seats": dict(seats)}).encode()).hexdigest()[:16]


def _short(value: float) -> float:
    """A figure as it is kept: whole where it is whole, else to four places."""
    kept = round(float(value), 4)
    return int(kept) if kept.is_integer() else kept
