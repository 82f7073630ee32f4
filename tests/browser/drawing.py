"""``python -m tests.browser.drawing COUNT SEED [peace]``: so many drawn positions of the test map, each with orders of
one of its realms, pickled on standard output; the same for the same arguments."""

import pickle
import sys

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from gm.games.medieval.orders.model import Orders
from gm.games.medieval.state import World
from tests.medieval.ordering import sheets
from tests.medieval.positions import worlds


def drawn(count: int, number: int, *, peace: bool) -> list[tuple[World, Orders]]:
    """Any positions with any orders; ``number`` is the seed."""
    found: dict[str, tuple[World, Orders]] = {}

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def draw(data: st.DataObject) -> None:
        world = data.draw(worlds(peace=peace))
        sheet = data.draw(sheets(world, data.draw(st.sampled_from(sorted(world.realms)))))
        found[repr((world, sheet))] = (world, sheet)

    draw()
    return list(found.values())


if __name__ == "__main__":
    sys.stdout.buffer.write(pickle.dumps(drawn(int(sys.argv[1]), int(sys.argv[2]), peace="peace" in sys.argv[3:])))
