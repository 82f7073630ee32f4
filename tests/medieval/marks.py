"""Steps for tests: they put into a turn what its earlier steps would have left there."""

from typing import Any

from gm.core.pipeline import Step
from gm.games.medieval.steps.turn import Outcome
from tests.medieval.testland import with_marks


def marked(*provinces: str, **marks: Any) -> Step:
    """As if this had happened to these provinces earlier in the turn."""
    return Step(
        "marks", (), lambda turn: Outcome(with_marks(turn.state, provinces=dict.fromkeys(provinces, marks)))
    )


def taken(province: str, owner: str, **marks: Any) -> Step:
    """As if the province had come to this owner earlier in the turn."""

    def take(turn: Any) -> Outcome:
        world = turn.state
        world = world.with_provinces(world.provinces[province].evolve(owner=owner))
        return Outcome(with_marks(world, provinces={province: marks}))

    return Step("taken", (), take)


def retreated(unit: str) -> Step:
    """As if the unit had retreated earlier in the turn."""
    return Step("retreat", (), lambda turn: Outcome(with_marks(turn.state, {unit: {"retreated": True}})))
