"""The clock of games in which one side moves at a time.

Each player has a bank of time. It shrinks by the time that passes in their own turns until their orders come,
and grows with each move. When a bank has run down, the player's turn is due: it is played as the game's rules
play one without orders. Turn 1 has its ordinary deadline; from then on the clock runs.

The record of each turn holds what is left, so that it is written and undone with the turn: ``clock``, the
seconds of each player, and ``began``, the moment from which the next turn's time runs. A deadline that the GM
or a week of vacation has moved stays where it is: the time up to it is not taken from the bank.
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
    """Return the time in a player's bank after the turn with this record; ``code``: the party's.

    It is a full bank if the record has none of theirs.
    """
    banks = record.get("clock") or {}
    return timedelta(seconds=banks[code]) if code in banks else clock.bank


def with_clock(due: Deadline, turn: int, seats: Iterable[Seat], record: Mapping[str, Any]) -> Deadline:
    """Return the deadlines, with that of the coming turn at the moment when the mover's bank is empty.

    If this is in a holiday, it is after the holiday. The deadlines are unchanged where no clock runs, where
    not just one party is to move, and for a turn whose deadline was moved. ``record``: of the turn before.
    """
    clock = due.ticks
    code = mover(seats)
    if clock is None or "began" not in record or not code or turn in due.moved or turn in due.extended:
        return due
    empty_at = datetime.fromisoformat(record["began"]) + left_of(clock, record, code)
    full_minute = empty_at + MINUTE - timedelta.resolution  # the text below cuts the seconds off
    slot = due.free(fixed(full_minute, due.zone).replace(tzinfo=None))
    return due.evolve(moved={**due.moved, turn: f"{slot:%Y-%m-%d %H:%M}"})


def clock_record(
    due: Deadline,
    turn: int,
    seats: Iterable[Seat],
    record: Mapping[str, Any],
    came: datetime | None,
    played: datetime | None,
) -> Mapping[str, Any]:
    """Return what a turn's record stores of the clock; nothing in a game without one.

    ``record``: that of the turn before; ``came``: when the orders of the side to move arrived, None without
    orders; ``played``: when the turn is played, None: at its deadline.
    """
    clock = due.ticks
    seats = tuple(seats)
    if clock is None:
        return {}
    banks = {seat.code: left_of(clock, record, seat.code) for seat in seats}
    code = mover(seats)
    if code:
        bank = banks[code]
        if "began" in record:
            bank = _bank_after_move(bank, datetime.fromisoformat(record["began"]), due.of_turn(turn), came)
        banks[code] = bank + clock.increment
    began = played or due.of_turn(turn)
    return {
        "clock": {party: int(time_left.total_seconds()) for party, time_left in banks.items()},
        "began": began.isoformat(),
    }


def _bank_after_move(
    bank: timedelta, began: datetime, deadline: datetime, came: datetime | None
) -> timedelta:
    """Return what is left of a player's bank after their turn, before the increment.

    ``began``: when their time began to run; ``came``: when their orders arrived, None without orders.
    """
    if came is None:
        return timedelta(0)
    unused = bank - (came - began)
    until_deadline = deadline - came  # larger than what is unused if the deadline was moved to a later one
    return min(max(unused, until_deadline, timedelta(0)), bank)
