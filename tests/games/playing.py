"""Any game of the registry as the conformance tests play it: begun, and played on by its own bots."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from gm.game.spec import GameSpec
from gm.game.values import GameData, NewGameRequest, OrderFile, TurnResult, View
from gm.games import GAMES, game_spec

ALL = tuple(GAMES)
PLAIN = tuple(name for name in GAMES if name != "medieval")
"""The games that derive from gm.game.base.small_game."""
GAME = "conformance"
KEY = "sly-newt-99"


@dataclass(frozen=True)
class Begun:
    """A game with its table and the state before turn 1."""

    spec: GameSpec[Any]
    table: GameData
    state: Any
    played: dict[str, list[TurnResult]] = field(default_factory=dict, compare=False)

    @property
    def words(self) -> list[str]:
        """The words of a small game's order file."""
        spec: Any = self.spec
        return list(spec.order_model.model_fields)

    def parties(self, state: Any = None) -> list[str]:
        """Who has orders to give, at the start or in another state."""
        seats = self.spec.seats(self.table, self.state if state is None else state)
        return [seat.code for seat in seats if not seat.out and not seat.waiting]

    def read(self, data: bytes, realm: str | None, state: Any = None, key: str | None = KEY) -> OrderFile:
        """An order file as the turn reads it."""
        at = self.state if state is None else state
        return self.spec.read_orders(self.table, at, data, "orders.yaml", game=GAME, realm=realm, key=key)

    def head(self, **other: object) -> str:
        """The right head of a small game's first order file of its first party, or one that is wrong
        somewhere.
        """
        right = {"game": GAME, "turn": self.spec.quoted(self.state), "player": self.parties()[0], "key": KEY}
        return "".join(f"{word}: {value}\n" for word, value in {**right, **other}.items())

    def orders_of(self, state: Any, realm: str, bot: str, seed: str) -> bytes:
        """A bot's order file for the turn after a state."""
        seen = self.spec.seen(self.table, state, realm)
        turn = state.turn + 1
        view = View(
            game=GAME, realm=realm, turn=turn, key=KEY, seed=f"{seed} {realm}", table=self.table, state=seen
        )
        return self.spec.bots[bot].orders(view)

    def play(self, state: Any, readings: Mapping[str, OrderFile], seed: str, **more: Any) -> TurnResult:
        """A turn with these order files, as the campaign hands it to the reports."""
        sheets = {code: reading.sheet for code, reading in readings.items() if reading.sheet is not None}
        outcome = self.spec.play(self.table, state, sheets, seed)
        return TurnResult(
            game=GAME,
            before=state,
            after=outcome.state,
            events=outcome.events,
            readings=readings,
            keys={seat.code: secret_of(seat.code) for seat in self.spec.seats(self.table, state)},
            deadline="Sunday",
            next_seal="f" * 64,
            tally=self.spec.tally({}, outcome.events),
            **more,
        )

    def turns(self, seed: str, most: int) -> Iterator[TurnResult]:
        """Return turns of the game between its bots, another one for each party each turn, up to its end.

        They are played once, however many tests look at them.
        """
        played = self.played.setdefault(seed, [])
        bots = list(self.spec.bots)
        for number in range(most):
            state = played[number - 1].after if number else self.state
            if self.spec.ended(self.table, state) is not None:
                return
            if number == len(played):
                readings = {}
                for index, code in enumerate(self.parties(state)):
                    bot = bots[(number + index) % len(bots)]
                    readings[code] = self.read(
                        self.orders_of(state, code, bot, f"{seed} {number}"), code, state
                    )
                played.append(self.play(state, readings, f"{seed} dice {number}"))
            yield played[number]


@cache
def begun(name: str, **options: str) -> Begun:
    """A game on its own default map, everybody seated."""
    spec = game_spec(name)
    folder = spec.maps()[spec.default_map]
    founded = spec.founded(NewGameRequest(map=folder, options=options, seed="conformance", people=2))
    return Begun(spec, founded.table, spec.start(founded.table, folder, None))


def secret_of(code: str) -> str:
    """A key that only its own party's files may hold."""
    return f"secret-{code.lower()}-77"
