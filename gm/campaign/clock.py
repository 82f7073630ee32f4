"""The clock of games in which one side moves at a time.

Each player has a bank of time. It shrinks by the time that passes in their own turns until their orders come,
and grows with each move. When a bank has run down, the player's turn is due: it is played as the game's rules
play one without orders. Turn 1 has its ordinary deadline; from then on the clock runs.

The record of each turn holds what is left, so that it is written and taken back with the turn: ``clock``, the
seconds of each player, and ``began``, from when the next turn counts. A deadline that the GM or a week of
vacation has moved stays as moved, and takes nothing from the bank beyond what it held.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from gm.game.values import Seat
from gm.store.deadlines import MINUTE, Clock, Deadline
from gm.store.moments import fixed


def mover(seats: Iterable[Seat]) -> str:
    """Return the party whose turn it is; empty when several have orders to give, or none."""
    movers = [seat.code for seat in seats if not seat.out and not seat.waiting]
    return movers[0] if len(movers) == 1 else ""


def left_of(clock: Clock, record: Mapping[str, Any], code: str) -> timedelta:
    """Return the time that a player has left after the turn with this record."""
    banks = record.get("clock") or {}
    return timedelta(seconds=banks[code]) if code in banks else clock.bank


def with_clock(due: Deadline, turn: int, seats: Iterable[Seat], record: Mapping[str, Any]) -> Deadline:
    """Return the deadlines; the coming turn's is when the clock of the side to move runs out."""
    clock = due.ticks
    code = mover(seats)
    if clock is None or "began" not in record or not code or turn in due.moved or turn in due.extended:
        return due
    until = (
        datetime.fromisoformat(record["began"]) + left_of(clock, record, code) + MINUTE - timedelta.resolution
    )
    slot = due.free(fixed(until, due.zone).replace(tzinfo=None))
    return due.evolve(moved={**due.moved, turn: f"{slot:%Y-%m-%d %H:%M}"})


def clock_record(
    due: Deadline,
    turn: int,
    seats: Iterable[Seat],
    record: Mapping[str, Any],
    came: datetime | None,
    played: datetime | None,
) -> Mapping[str, Any]:
    """Return what a turn's record stores of the clock.

    ``record``: that of the turn before; ``came``: when the orders of the side to move arrived, None without
    orders. A program's orders take no time.
    """
    clock = due.ticks
    seats = tuple(seats)
    if clock is None:
        return {}
    banks = {seat.code: left_of(clock, record, seat.code) for seat in seats}
    code = mover(seats)
    if code:
        bank = banks[code]
        until = due.of_turn(turn)
        if "began" in record:
            used = came - datetime.fromisoformat(record["began"]) if came else bank
            # what was moved to a later deadline takes nothing from the bank
            time_left = max(bank - used, until - came if came else -bank, timedelta(0))
            bank = min(time_left, bank)
        banks[code] = bank + clock.increment
    began = played or due.of_turn(turn)
    return {
        "clock": {code: int(time_left.total_seconds()) for code, time_left in banks.items()},
        "began": began.isoformat(),
    }
