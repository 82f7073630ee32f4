"""The week: what is due when, and what makes a turn wait for the GM."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.mail.settings import Care
from gm.mail.week import Guard, Plan, Situation, plan_of

DEADLINE = datetime(2026, 1, 11, 20, 0, tzinfo=UTC)
BEFORE, AFTER = DEADLINE - timedelta(hours=1), DEADLINE + timedelta(minutes=1)

SITUATION = Situation(
    now=BEFORE,
    turn=5,
    deadline=DEADLINE,
    hold="",
    expected=("ENG", "FRA", "NOR", "SCO"),
    missing=(),
    reads=(BEFORE,),
    reminders=(48, 12),
)


def plan(anyway: bool = False, publish: bool = False, **changes: object) -> Plan:
    return plan_of(SITUATION.evolve(**changes), anyway=anyway, publish=publish)


def guards(found: Plan) -> list[Guard]:
    return [each.guard for each in found.waits]


def test_before_the_deadline_nothing_is_played() -> None:
    assert plan() == Plan()
    assert plan(now=DEADLINE) == Plan()


def test_after_the_deadline_the_turn_is_played() -> None:
    assert plan(now=AFTER) == Plan(play=True)
    assert plan(now=AFTER, missing=("ENG",)) == Plan(play=True)


def test_each_reminder_goes_to_each_who_is_missing_once_and_old_ones_are_not_made_up_for() -> None:
    missing = ("ENG", "FRA")
    assert plan(now=DEADLINE - timedelta(hours=49), missing=missing).remind == ()
    assert plan(now=DEADLINE - timedelta(hours=48), missing=missing).remind == (("ENG", 48), ("FRA", 48))
    # the week was not run for long: one reminder, not two
    assert plan(now=DEADLINE - timedelta(hours=2), missing=missing).remind == (("ENG", 12), ("FRA", 12))
    assert plan(missing=missing, reminded=frozenset({("ENG", 12)})).remind == (("FRA", 12),)
    assert plan(now=AFTER, missing=missing).remind == ()


@pytest.mark.parametrize("left_alone", ["quiet", "absent"])
def test_who_wants_no_reminders_or_is_away_gets_none(left_alone: str) -> None:
    assert plan(missing=("ENG", "FRA"), **{left_alone: frozenset({"ENG"})}).remind == (("FRA", 12),)


@pytest.mark.parametrize(
    ("reads", "waits"),
    [
        pytest.param((), True, id="never"),
        pytest.param((DEADLINE - timedelta(hours=12),), False, id="just in time"),
        pytest.param((DEADLINE - timedelta(hours=12, minutes=1),), True, id="too long ago"),
        pytest.param((DEADLINE - timedelta(days=2), AFTER), True, id="only afterwards"),
    ],
)
def test_the_turn_waits_when_the_mailbox_was_not_read_before_the_deadline(
    reads: tuple[datetime, ...], waits: bool
) -> None:
    found = plan(now=AFTER, reads=reads)
    assert found.play is not waits
    assert guards(found) == ([Guard.OUTAGE] if waits else [])
    assert plan(now=AFTER, reads=reads, anyway=True).play


def test_the_turn_waits_when_unusually_many_orders_are_missing() -> None:
    assert guards(plan(now=AFTER, missing=("ENG",))) == []
    found = plan(now=AFTER, missing=("ENG", "FRA"))
    assert (found.play, guards(found)) == (False, [Guard.MISSING])
    assert "2 of 4" in found.waits[0].says
    assert plan(now=AFTER, missing=("ENG", "FRA"), absent=frozenset({"FRA"})).play
    assert plan(now=AFTER, missing=("ENG", "FRA"), anyway=True).play


def test_while_the_game_is_held_nothing_is_played_and_nobody_reminded() -> None:
    found = plan(now=AFTER, hold="the GM is ill", missing=("ENG",))
    assert (found.play, found.remind, guards(found)) == (False, (), [Guard.HOLD])
    assert not plan(now=AFTER, hold="the GM is ill", anyway=True).play
    assert plan(hold="the GM is ill", missing=("ENG",)).remind == ()


def test_a_turn_is_mailed_by_itself_or_at_the_gate_only_at_the_gms_word() -> None:
    gate = Care(gate=True)
    assert plan(unpublished=True) == Plan(publish=True)
    found = plan(unpublished=True, care=gate)
    assert (found.publish, found.play, guards(found)) == (False, False, [Guard.GATE])
    assert plan(unpublished=True, care=gate, publish=True).publish


def test_no_turn_is_played_while_the_results_of_the_last_are_not_out() -> None:
    assert not plan(now=AFTER, unpublished=True).play
    assert not plan(now=AFTER, unpublished=True, care=Care(gate=True), anyway=True).play


@given(
    hours=st.integers(-100, 100),
    missing=st.sets(st.sampled_from(SITUATION.expected)),
    hold=st.sampled_from(["", "ill"]),
    unpublished=st.booleans(),
    gate=st.booleans(),
    anyway=st.booleans(),
    publish=st.booleans(),
)
def test_whatever_the_situation_a_plan_never_plays_early_twice_or_unseen(
    hours: int, missing: set[str], hold: str, unpublished: bool, gate: bool, anyway: bool, publish: bool
) -> None:
    situation = SITUATION.evolve(
        now=DEADLINE + timedelta(hours=hours),
        missing=tuple(sorted(missing)),
        hold=hold,
        unpublished=unpublished,
        care=Care(gate=gate),
    )
    found = plan_of(situation, anyway=anyway, publish=publish)
    assert not (found.play and (hours <= 0 or hold or unpublished))
    assert not (found.publish and not unpublished)
    assert not (found.publish and gate and not publish)
    assert {realm for realm, _ in found.remind} <= missing
    # either something is done, or the clock has not come, or the GM is told what waits
    assert found.play or found.publish or found.waits or hours <= 0


def test_when_the_game_is_over_results_go_out_and_nothing_is_played_or_asked_for() -> None:
    assert plan(now=AFTER, over=True) == Plan()
    assert plan(now=AFTER, over=True, unpublished=True) == Plan(publish=True)
    assert plan(now=DEADLINE - timedelta(hours=1), over=True, missing=("ENG",)).remind == ()
