"""Steps for tests: they put into a turn what its earlier steps would have left there."""

from __future__ import annotations

from typing import Any

from gm.core.pipeline import Step
from gm.games.medieval.steps.turn import Outcome, Turn


def marked(*provinces: str, **marks: Any) -> Step:
    """As if this had happened to these provinces earlier in the turn."""

    def mark(turn: Turn) -> Outcome:
        return Outcome(turn.state.mark_provinces(provinces, **marks))

    return Step("marks", (), mark)


def taken(province: str, owner: str, **marks: Any) -> Step:
    """As if the province had come to this owner earlier in the turn."""

    def take(turn: Turn) -> Outcome:
        world = turn.state
        world = world.with_provinces(world.provinces[province].evolve(owner=owner))
        return Outcome(world.mark_provinces([province], **marks))

    return Step("taken", (), take)


def retreated(unit: str) -> Step:
    """As if the unit had retreated earlier in the turn."""

    def retreat(turn: Turn) -> Outcome:
        return Outcome(turn.state.with_done({unit: turn.state.done(unit).evolve(retreated=True)}))

    return Step("retreat", (), retreat)


def spent(unit: str) -> Step:
    """As if the unit had used all its move-points earlier in the turn."""

    def spend(turn: Turn) -> Outcome:
        return Outcome(turn.state.with_done({unit: turn.state.done(unit).evolve(spent=True)}))

    return Step("spend", (), spend)
