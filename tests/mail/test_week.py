"""The week: what is due when, and what makes a turn wait for the GM: the cases of ``week.yaml``."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from gm.mail.settings import Care
from gm.mail.week import Plan, Situation, plan_of

CASES: dict[str, Any] = YAML(typ="safe").load(Path(__file__).with_name("week.yaml").read_text("utf-8"))
DEADLINE = datetime(2026, 1, 11, 20, 0, tzinfo=UTC)
REALMS = ("ENG", "FRA", "NOR", "SCO")


def situation(
    at: float = -1,
    reads: tuple[float, ...] = (-1,),
    missing: tuple[str, ...] = (),
    gate: bool = False,
    **more: Any,
) -> Situation:
    """``at`` and ``reads`` in hours after the deadline."""
    now, *read = (DEADLINE + timedelta(hours=hours) for hours in (at, *reads))
    more |= {name: frozenset(more[name]) for name in ("quiet", "absent") if name in more}
    more["reminded"] = frozenset(map(tuple, more.get("reminded", ())))
    facts = {"turn": 5, "deadline": DEADLINE, "hold": "", "expected": REALMS, "reminders": (48, 12), **more}
    return Situation(now=now, reads=tuple(read), missing=tuple(missing), care=Care(gate=gate), **facts)


@pytest.mark.parametrize("name", CASES)
def test_what_is_due(name: str) -> None:
    for case in CASES[name]:
        more = {key: value for key, value in case.items() if key not in ("plan", "says", "anyway", "publish")}
        plan = plan_of(
            situation(**more), anyway=case.get("anyway", False), publish=case.get("publish", False)
        )
        expected = Plan(**case["plan"])
        remind = tuple(map(tuple, expected.remind))
        assert plan.evolve(waits=()) == expected.evolve(remind=remind, waits=()), case
        assert [wait.guard for wait in plan.waits] == list(expected.waits), case
        assert case.get("says", "") in (plan.waits[0].says if plan.waits else "")


@given(
    hours=st.integers(-100, 100),
    missing=st.sets(st.sampled_from(REALMS)),
    early=st.booleans(),
    hold=st.sampled_from(["", "ill"]),
    unpublished=st.booleans(),
    gate=st.booleans(),
    anyway=st.booleans(),
    publish=st.booleans(),
)
def test_whatever_the_situation_a_plan_never_plays_early_twice_or_unseen(
    hours: int,
    missing: set[str],
    early: bool,
    hold: str,
    unpublished: bool,
    gate: bool,
    anyway: bool,
    publish: bool,
) -> None:
    due = situation(
        hours, missing=tuple(sorted(missing)), early=early, hold=hold, unpublished=unpublished, gate=gate
    )
    plan = plan_of(due, anyway=anyway, publish=publish)
    assert not (plan.play and ((hours <= 0 and not early) or hold or unpublished))
    assert not (plan.play and hours <= 0 and missing)
    assert not (plan.publish and not unpublished)
    assert not (plan.publish and gate and not publish)
    assert {realm for realm, _ in plan.remind} <= missing
    # either something is done, or the clock has not come, or the GM is told what waits
    assert plan.play or plan.publish or plan.waits or hours <= 0
