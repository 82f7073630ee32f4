"""A tiny game for the tests of simulations: who takes more coins out of a bowl.

It needs no map and no rules.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from gm.core.diagnostics import Diagnostic
from gm.core.dice import Dice
from gm.core.pipeline import Outcome
from gm.core.values import Event
from gm.game.base.events import Uses, uses_in
from gm.game.values import GameData, OrderFile, Seat, View
from gm.simulation.plan import Job

CODES = ("ANN", "BEN", "CEO")
TABLE = GameData(rules=None, board=None)


class CoinTaken(Event):
    """Somebody took coins."""

    realm: str
    coins: int


@dataclass(frozen=True)
class Bowl:
    """The state: how many turns were played, what each has, who is out and who has won."""

    turn: int = 0
    coins: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(CODES, 1))
    out: tuple[str, ...] = ()
    won: tuple[str, ...] | None = None
    waiting: tuple[str, ...] = ()


@dataclass(frozen=True)
class Taker:
    """A bot that always answers the same."""

    name: str
    answer: bytes
    about: str = "Takes."

    def orders(self, view: View) -> bytes:
        """What it was made with. The answer ``crash`` is an error of the bot."""
        if self.answer == b"crash":
            raise RuntimeError("the bowl is <empty>")
        return self.answer


class Countdown:
    """As much of a game's specification as a simulation needs. ``ends``: who wins, by the turn in which."""

    recall = None

    def __init__(
        self, *bots: Taker, ends: Mapping[int, tuple[str, ...]] | None = None, broken: str = ""
    ) -> None:
        self.bots = {bot.name: bot for bot in bots or (Taker("greedy", b"3"), Taker("modest", b"1"))}
        self._ends = ends or {}
        self._broken = broken
        self.asked: list[tuple[int, str]] = []
        self.seeds: list[str] = []

    def seen(self, table: GameData, state: Bowl, realm: str) -> Bowl:
        self.asked.append((state.turn + 1, realm))
        return state

    def record(self, state: Bowl) -> dict[str, Any]:
        return {"coins": str(state)}

    def turn_of(self, state: Bowl) -> int:
        return state.turn

    def seats(self, table: GameData, state: Bowl) -> list[Seat]:
        return [
            Seat(code, code, True, out=code in state.out, waiting=code in state.waiting) for code in CODES
        ]

    def read_orders(self, table: GameData, state: Bowl, data: bytes, file: str, **_: Any) -> OrderFile:
        """Digits are coins; ``bad`` is an order that is refused, anything else a file that is set aside."""
        if data == b"bad":
            return OrderFile(
                {"coins": 0}, (Diagnostic("error", "order/bad", "no coin is called bad", file, 1, 1),)
            )
        if not data.isdigit():
            return OrderFile(None)
        return OrderFile({"coins": int(data)})

    def play(self, table: GameData, state: Bowl, sheets: Mapping[str, Any], seed: str) -> Outcome[Bowl]:
        self.seeds.append(seed)
        dice = Dice(seed, f"turn {state.turn + 1}")
        coins = {**state.coins}
        for code, sheet in sheets.items():
            coins[code] += sheet["coins"] + dice(code).below(3)
        events = tuple(CoinTaken(realm=code, coins=sheet["coins"]) for code, sheet in sheets.items())
        turn = state.turn + 1
        out = (*state.out, "CEO") if turn == 2 and "CEO" not in state.out else state.out
        return Outcome(replace(state, turn=turn, coins=coins, out=out, won=self._ends.get(turn)), events)

    battle_events = ("CoinTaken",)

    def owners(self, table: GameData, state: Bowl) -> Mapping[str, str]:
        """The bowl is of who has most."""
        return {"bowl": max(CODES, key=lambda code: state.coins[code])}

    def rule_uses(self, table: GameData, sheets: Mapping[str, Any], events: Iterable[Event]) -> Uses:
        return uses_in(events)

    def ended(self, table: GameData, state: Bowl) -> tuple[str, ...] | None:
        return state.won

    def broken(self, table: GameData, state: Bowl) -> list[str]:
        return [self._broken] if self._broken else []

    def figures(self, table: GameData, state: Bowl) -> dict[str, dict[str, float]]:
        return {code: {"coins": float(count), "half": count / 2} for code, count in state.coins.items()}


def job(*bots: str, number: int = 1) -> Job:
    """A game whose realms are played by these bots, the last one also by all further realms."""
    names = [*bots, *[bots[-1]] * len(CODES)]
    return Job(number, f"seed {number}", dict(zip(CODES, names, strict=False)))
