"""Every game of the program can be simulated, and its bots give no order that its reader refuses."""

from __future__ import annotations

import pytest

from gm.games import GAMES, game_spec
from gm.simulation.findings import Findings
from gm.simulation.plan import make_plan
from gm.simulation.pool import run_here
from gm.simulation.sample import sample_game

TURNS = 4
CHANCE = "random"
"""A bot that orders by chance may well order what makes no sense."""


@pytest.mark.parametrize("name", GAMES)
def test_games_of_every_kind_can_be_simulated(name: str) -> None:
    spec = game_spec(name)
    maps = spec.maps()
    chosen = maps[spec.default_map or next(iter(maps))]
    sensible = [bot for bot in spec.bots if bot != CHANCE]
    assert sensible
    plan, names = make_plan(spec, chosen, bots=",".join(sensible), turns=TURNS, seed="every game")
    count = len(plan.seating.rotating)
    records = list(run_here(plan, plan.jobs(count)))
    assert records == list(run_here(plan, plan.jobs(count)))
    found = Findings(records)
    assert "\n".join(found.refusals) == ""
    assert found.refused == 0
    assert set(found.realms) == set(names)
    assert set(found.bots) == set(sensible)
    assert found.orders > 0
    assert sum(found.uses["event"].values()) > 0


def test_a_game_can_be_had_ready_for_a_clock() -> None:
    game = sample_game("medieval", "minsk", turns=2, bots="local-forces")
    assert game() == 2
    with pytest.raises(KeyError):
        sample_game("medieval", "atlantis", turns=2)
