"""One simulated game, ready to be timed: what a benchmark needs without knowing how simulations are made."""

from __future__ import annotations

from collections.abc import Callable

from gm.games import game_spec
from gm.simulation.plan import make_plan
from gm.simulation.worker import Desk


def sample_game(
    game: str, map_name: str, *, turns: int, bots: str = "rotate", seed: str = "sample"
) -> Callable[[], int]:
    """A function that plays one game with bots and says how many turns it had; loading is done before.

    Raises ``KeyError`` for a game or a map that is not there, and ``ValueError`` for bots that are not.
    """
    spec = game_spec(game)
    plan, _ = make_plan(spec, spec.maps()[map_name], bots=bots, turns=turns, seed=seed)
    desk, job = Desk(plan), plan.job(1)
    return lambda: int(desk.play(job)["turns"])
