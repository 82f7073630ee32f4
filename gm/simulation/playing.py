"""One game from the start position to its end, with a bot for each realm: order files in, the game's record out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gm.bots.registry import bot_named
from gm.core.diagnostics import Diagnostic
from gm.core.events import DiceRolled
from gm.game.bots import PROGRAM, bot_view
from gm.game.rule_book import FAILED, ORDERS, Uses
from gm.game.spec import GameSpec
from gm.game.turn_result import ReadOrders
from gm.game.values import GameData
from gm.simulation.findings import UNFINISHED
from gm.simulation.plan import Job, derived
from gm.store.canonical import compact
from gm.store.formats import Record

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


@dataclass
class _Refusals:
    """What of the bots' order files was not accepted. A bot that knows the rules has none."""

    files: int = 0
    orders: int = 0
    samples: list[str] = field(default_factory=list)

    def add(self, reading: ReadOrders) -> None:
        """Count a file that was set aside whole, or the errors in one that stands."""
        self.files += reading.sheet is None
        self.orders += reading.errors
        for each in reading.diagnostics:
            self._keep(each)

    def _keep(self, found: Diagnostic) -> None:
        if found.is_error and len(self.samples) < SAMPLES:
            self.samples.append(found.render())


class _Seed(str):
    """A bot's seed that notes whether anybody looked at it: a bot that does not, plays alike in every game."""

    looked = False

    def _look(self) -> str:
        self.looked = True
        return str.__str__(self)

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        return str.encode(self._look(), encoding, errors)

    def __str__(self) -> str:
        return self._look()

    def __format__(self, form: str) -> str:
        return format(str.__str__(self._look()), form)

    def __hash__(self) -> int:
        return str.__hash__(self._look())

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self._look(), str(other))


def play_game(
    spec: GameSpec[Any], table: GameData, start: Any, job: Job, turns: int, beat: Beat | None = None
) -> Record:
    """Play one game; returns its record as plain data, the same for the same arguments.

    ``figures`` are a realm's at the start and after each turn, in the order of ``columns``. Raises ``GameBrokeError``
    for an error in the program, and ``GivenUpError`` when ``beat`` says no.
    """
    state, refusals, chance = start, _Refusals(), [each for each in job.seats.values() if each.startswith(PROGRAM)]
    history = [spec.figures(table, start)]
    out: dict[str, int] = {}
    uses: dict[str, dict[str, int]] = {}
    winners = spec.ended(table, state)
    turn = 0
    while winners is None and turn < turns:
        if beat is not None and not beat():
            raise GivenUpError
        turn += 1
        sheets = _sheets(spec, table, state, job, turn, out, refusals, chance)
        try:
            outcome = spec.play(table, state, sheets, derived(job.seed, "dice", turn))
        except Exception as error:
            raise GameBrokeError(f"game {job.number}, turn {turn}: {_said(error)}") from error
        state = outcome.state
        chance += ["dice" for each in outcome.events if isinstance(each, DiceRolled)][:1]
        _count(uses, spec.rule_uses(table, sheets, outcome.events))
        history.append(spec.figures(table, state))
        for seat in spec.seats(table, state):
            if seat.out:
                out.setdefault(seat.code, turn)
        winners = spec.ended(table, state)
    broken = spec.broken(table, state)
    if broken:
        raise GameBrokeError(f"game {job.number}, after turn {turn}: {'; '.join(broken)}")
    reason = UNFINISHED if winners is None else "victory" if winners else "draw"
    return {
        "game": job.number,
        "seed": job.seed,
        "turns": turn,
        "reason": reason,
        "winners": sorted(winners or ()),
        "leaders": sorted(leaders(history[-1])) if winners is None else [],
        # games without chance that begin alike are one game, however often it is played
        "mark": "" if chance else _mark(spec.record(start), job.seats),
        "columns": _columns(history[0]),
        "realms": {
            code: {
                "bot": bot,
                "out": out.get(code),
                "figures": [[_short(value) for value in each[code].values()] for each in history],
            }
            for code, bot in job.seats.items()
        },
        "rules": {kind: dict(sorted(names.items())) for kind, names in sorted(uses.items())},
        "orders": sum(uses.get(ORDERS, {}).values()),
        "failed": sum(uses.get(FAILED, {}).values()),
        "refused": refusals.orders + refusals.files,
        "refusals": refusals.samples,
    }


def leaders(figures: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Who has most of the first column: they lead a game that was stopped. Nobody, when nobody has any."""
    scores = {code: next(iter(row.values())) for code, row in figures.items()}
    best = max(scores.values(), default=0)
    return [code for code, score in scores.items() if score == best and best > 0]


def _sheets(
    spec: GameSpec[Any],
    table: GameData,
    state: Any,
    job: Job,
    turn: int,
    out: Mapping[str, int],
    refusals: _Refusals,
    chance: list[str],
) -> dict[str, Any]:
    """The orders of all bots that are in the game, through the reader that takes everybody's. ``chance`` gets the name
    of each that drew something."""
    name = f"game-{job.number}"
    waiting = {seat.code for seat in spec.seats(table, state) if seat.waiting}
    found = {}
    for realm, bot in job.seats.items():
        if realm in out or realm in waiting:
            continue
        seed = _Seed(derived(job.seed, "bot", turn, realm))
        view = bot_view(spec, table, state, realm, game=name, key=KEY, seed=seed)
        try:
            data = bot_named(spec, bot).orders(view)
        except Exception as error:
            where = f"game {job.number}, turn {turn}: the bot {bot} of {realm}"
            raise GameBrokeError(f"{where}: {_said(error)}") from error
        chance += [bot] * seed.looked
        file = f"game {job.number}, turn {turn}, {realm} ({bot})"
        reading = spec.read_orders(table, view.state, data, file, game=name, realm=realm, key=KEY)
        refusals.add(reading)
        if reading.sheet is not None:
            found[realm] = reading.sheet
    return found


def _mark(start: Record, seats: Mapping[str, str]) -> str:
    """A fingerprint of a position and who plays what."""
    return hashlib.sha256(compact({"start": start, "seats": dict(seats)}).encode()).hexdigest()[:16]


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _count(uses: dict[str, dict[str, int]], more: Uses) -> None:
    for kind, names in more.items():
        counts = uses.setdefault(kind, {})
        for name, count in names.items():
            counts[name] = counts.get(name, 0) + count


def _columns(figures: Mapping[str, Mapping[str, float]]) -> list[str]:
    return list(next(iter(figures.values()), {}))


def _short(value: float) -> float:
    """A figure as it is kept: whole where it is whole, else to four places."""
    kept = round(float(value), 4)
    return int(kept) if kept.is_integer() else kept
