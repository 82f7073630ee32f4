"""Any game of the registry as the conformance tests play it: begun, and played on by its own bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from gm.game.spec import GameSpec
from gm.game.turn_result import ReadOrders, TurnResult
from gm.game.values import GameData, NewGameRequest, View
from gm.games import GAMES, game_spec

ALL = tuple(GAMES)
PLAIN = tuple(name for name in GAMES if name != "medieval")
"""The games that are made of gm.game.base."""
GAME = "conformance"
KEY = "sly-newt-99"


@dataclass(frozen=True)
class Begun:
    """A game with its table and the state before turn 1."""

    spec: GameSpec[Any]
    table: GameData
    state: Any


@cache
def begun(name: str) -> Begun:
    """A game on its own default map, everybody seated."""
    spec = game_spec(name)
    folder = spec.maps()[spec.default_map]
    founded = spec.founded(NewGameRequest(map=folder, seed="conformance", people=2))
    return Begun(spec, founded.table, spec.start(founded.table, folder, None))


def orders_of(spec: GameSpec[Any], table: GameData, state: Any, realm: str, bot: str, seed: str) -> bytes:
    """A bot's order file for the turn after a state."""
    view = View(
        game=GAME,
        realm=realm,
        turn=spec.turn_of(state) + 1,
        key=KEY,
        seed=f"{seed} {realm}",
        table=table,
        state=spec.seen(table, state, realm),
    )
    return spec.bots[bot].orders(view)


def read(
    spec: GameSpec[Any], table: GameData, state: Any, data: bytes, realm: str | None, key: str | None = KEY
) -> ReadOrders:
    """An order file as the turn reads it."""
    return spec.read_orders(table, state, data, "orders.yaml", game=GAME, realm=realm, key=key)


def parties(spec: GameSpec[Any], table: GameData, state: Any) -> list[str]:
    """Who has orders to give."""
    return [seat.code for seat in spec.seats(table, state) if not seat.out and not seat.waiting]


def bots_for(spec: GameSpec[Any], codes: list[str], at: int) -> dict[str, str]:
    """A bot for each party, another one each turn."""
    names = list(spec.bots)
    return {code: names[(at + index) % len(names)] for index, code in enumerate(codes)}


def turns(name: str, seed: str, most: int) -> Iterator[TurnResult]:
    """Turns of a game between its bots, up to its end."""
    game = begun(name)
    spec, table, state = game.spec, game.table, game.state
    for number in range(most):
        if spec.ended(table, state) is not None:
            return
        codes = parties(spec, table, state)
        files = {
            code: orders_of(spec, table, state, code, bot, f"{seed} {number}")
            for code, bot in bots_for(spec, codes, number).items()
        }
        readings = {code: read(spec, table, state, data, code) for code, data in files.items()}
        yield played(spec, table, state, readings, f"{seed} dice {number}")
        sheets = {code: each.sheet for code, each in readings.items() if each.sheet is not None}
        state = spec.play(table, state, sheets, f"{seed} dice {number}").state


def played(
    spec: GameSpec[Any], table: GameData, state: Any, readings: Mapping[str, ReadOrders], seed: str, **more: Any
) -> TurnResult:
    """A turn with these order files, as the kernel hands it to the reports."""
    sheets = {code: each.sheet for code, each in readings.items() if each.sheet is not None}
    outcome = spec.play(table, state, sheets, seed)
    codes = [seat.code for seat in spec.seats(table, state)]
    return TurnResult(
        game=GAME,
        before=state,
        after=outcome.state,
        events=outcome.events,
        readings=readings,
        keys={code: secret_of(code) for code in codes},
        deadline="Sunday",
        next_seal="f" * 64,
        tally=spec.tally({}, outcome.events),
        **more,
    )


def secret_of(code: str) -> str:
    """A key that only its own party's files may hold."""
    return f"secret-{code.lower()}-77"
