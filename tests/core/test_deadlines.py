"""Deadlines: right across summer time, and moved, extended, skipped and held as the GM says (W9, O1)."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import pytest

from gm.core.yaml.pydantic_models import validated
from gm.store.deadlines import Deadline, fixed, local_moment


def due(zone: str = "Europe/Berlin", clock: str = "20:00", first: str = "2026-03-20", **more: object) -> Deadline:
    return validated({"weekday": "friday", "time": clock, "zone": zone, "first": first, **more}, Deadline)


def dates(deadline: Deadline, *turns: int) -> list[str]:
    return [deadline.of_turn(turn).date().isoformat() for turn in turns]


@pytest.mark.clause("W9")
def test_the_clock_on_the_wall_says_the_same_in_summer_and_winter() -> None:
    for turn in range(1, 80):
        assert due().of_turn(turn).strftime("%A %H:%M") == "Friday 20:00"
    assert due().of_turn(1) == datetime(2026, 3, 20, 19, 0, tzinfo=UTC)
    assert due().of_turn(3) == datetime(2026, 4, 3, 18, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("day", "clock", "utc"),
    [
        pytest.param("2026-03-29", "02:30", "2026-03-29T01:30", id="leapt over in spring"),
        pytest.param("2026-10-25", "02:30", "2026-10-25T01:30", id="shown twice in autumn: the second time"),
        pytest.param("2026-10-25", "01:59", "2026-10-24T23:59", id="before the change"),
    ],
)
def test_hours_that_are_missing_or_doubled(day: str, clock: str, utc: str) -> None:
    deadline = due(clock=clock, first=day)
    assert deadline.of_turn(1) == datetime.fromisoformat(utc).replace(tzinfo=UTC)


def test_moments_compare_as_moments_in_the_doubled_hour() -> None:
    deadline = due(clock="02:30", first="2026-10-25").of_turn(1)
    shown_first = datetime(2026, 10, 25, 0, 45, tzinfo=UTC)  # 02:45, the first time round
    assert fixed(shown_first, "Europe/Berlin") < deadline
    assert deadline - fixed(shown_first, "Europe/Berlin") == timedelta(minutes=45)


def test_an_extension_is_for_one_turn_alone() -> None:
    extended = due(extended={2: "2026-03-29 22:00"})
    assert extended.of_turn(2) == local_moment(date(2026, 3, 29), time(22, 0), "Europe/Berlin")
    assert dates(extended, 1, 3) == dates(due(), 1, 3)
    with pytest.raises(ValueError, match="without an offset"):
        due(extended={2: "2026-03-29T22:00:00+02:00"})


def test_no_deadline_falls_into_a_holiday_and_later_ones_count_on() -> None:
    rested = due(holidays=[{"first": "2026-04-01", "last": "2026-04-12", "why": "Easter"}])
    assert dates(rested, 1, 2, 3, 4) == ["2026-03-20", "2026-03-27", "2026-04-17", "2026-04-24"]
    assert dates(due(holidays=[{"first": "2026-03-20", "last": "2026-03-20"}]), 1, 2) == ["2026-03-27", "2026-04-03"]
    with pytest.raises(ValueError, match="cannot end on"):
        due(holidays=[{"first": "2026-04-12", "last": "2026-04-01"}])


def test_a_moved_turn_may_lie_in_a_holiday_because_the_gm_said_so() -> None:
    rested = due(holidays=[{"first": "2026-04-01", "last": "2026-04-12"}], moved={3: "2026-04-11"})
    assert dates(rested, 3, 4) == ["2026-04-11", "2026-04-18"]


@pytest.mark.clause("O1")
def test_nothing_is_late_while_the_game_is_held() -> None:
    after = due().of_turn(1) + timedelta(minutes=1)
    assert due().late(after, 1)
    assert not due().late(due().of_turn(1), 1)
    assert not due(hold="the GM is ill").late(after, 1)


def test_a_holiday_moves_an_extended_turn_and_keeps_the_turns_in_their_order() -> None:
    """14.B10: the extension stands in the settings when the holiday is taken."""
    given = due(extended={2: "2026-03-28 22:00"})
    assert dates(given, 1, 2, 3) == ["2026-03-20", "2026-03-28", "2026-04-03"]
    rest = [{"first": "2026-03-27", "last": "2026-03-30"}]
    rested = due(extended={2: "2026-03-28 22:00"}, holidays=rest)
    assert dates(rested, 1, 2, 3) == ["2026-03-20", "2026-04-04", "2026-04-10"]
    assert rested.of_turn(2).hour == 22
