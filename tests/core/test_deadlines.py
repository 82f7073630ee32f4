"""Deadlines: right across summer time, and moved, extended, skipped and held as the GM says (W9, O1)."""

from datetime import UTC, datetime, timedelta

import pytest

from gm.core.yaml.pydantic_models import validated
from gm.store.deadlines import Deadline
from gm.store.moments import fixed
from tests.core.cases import cases


def deadline(
    zone: str = "Europe/Berlin",
    clock: str = "20:00",
    first: str = "2026-03-20",
    weekday: str = "friday",
    **more: object,
) -> Deadline:
    return validated({"weekday": weekday, "time": clock, "zone": zone, "first": first, **more}, Deadline)


@pytest.mark.clause("W9")
@cases("due")
def test_turns_are_due(settings: dict[str, str], due: dict[int, str]) -> None:
    moments = {turn: deadline(**settings).of_turn(turn).astimezone(UTC) for turn in due}
    assert {turn: f"{moment:%Y-%m-%d %H:%M}" for turn, moment in moments.items()} == due


@cases("played")
def test_the_next_counts_from_the_nearest(settings: dict[str, str], at: str, following: str) -> None:
    due = deadline(**{"zone": "UTC", "first": "2026-01-09", **settings})
    played = due.counted_from(1, due.slot_of(1, datetime.fromisoformat(f"{at}+00:00")))
    assert f"{played.of_turn(2):%Y-%m-%d %H:%M}" == following


@cases("wrong deadlines")
def test_a_deadline_that_nobody_can_keep_is_refused(settings: dict[str, str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        deadline(**settings)


@pytest.mark.clause("W9")
def test_the_clock_on_the_wall_says_the_same_in_summer_and_winter() -> None:
    for turn in range(1, 80):
        assert deadline().of_turn(turn).strftime("%A %H:%M") == "Friday 20:00"


def test_moments_compare_as_moments_in_the_doubled_hour() -> None:
    due = deadline(clock="02:30", first="2026-10-25").of_turn(1)
    shown_first = datetime(2026, 10, 25, 0, 45, tzinfo=UTC)  # 02:45, the first time round
    assert fixed(shown_first, "Europe/Berlin") < due
    assert due - fixed(shown_first, "Europe/Berlin") == timedelta(minutes=45)


@pytest.mark.clause("O1")
def test_nothing_is_late_while_the_game_is_held() -> None:
    after = deadline().of_turn(1) + timedelta(minutes=1)
    assert deadline().late(after, 1)
    assert not deadline().late(deadline().of_turn(1), 1)
    assert not deadline(hold="the GM is ill").late(after, 1)


def test_the_first_deadline_leaves_the_notice() -> None:
    for hours in range(0, 24 * 8, 5):
        now = datetime(2026, 1, 9, 12, 0, tzinfo=UTC) + timedelta(hours=hours)
        due = Deadline.starting("friday", "20:00", "Europe/Minsk", now, timedelta(days=3)).of_turn(1)
        assert timedelta(days=3) <= due - now < timedelta(days=10)
        assert due.weekday() == 4
