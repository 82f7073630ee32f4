"""War, gifts, passage and permission: the first things of a turn (F0-F4)."""

from __future__ import annotations

import pytest

from gm.games.medieval.orders.model import DeclareWar, Orders, Written
from gm.games.medieval.steps.diplomacy import (
    war_declared,
)
from tests.medieval.testland import make_world, run_steps


@pytest.mark.clause("F1", "L19")
def test_nobody_deals_with_himself_with_strangers_or_with_the_dead():
    here = Written(1, 1, "declare_war")
    sheet = Orders(
        "ENG",
        1,
        headquarters=tuple(DeclareWar(here, other) for other in ("ENG", "XXX", "DEN")),
    )
    world = make_world(realms={"DEN": {"defeated": True}})
    played = run_steps(world, [war_declared], {"ENG": sheet}, phase=0)
    assert [reason for *_, reason in played.fates("ENG")] == ["other-is-self", "other-unknown", "other-is-out"]
