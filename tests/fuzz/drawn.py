"""``python -m tests.fuzz.drawn COUNT`` prints so many positions of the test world, one a line: always the same ones."""

import sys

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings

from gm.games.medieval.state import World
from gm.games.medieval.state.world import world_record
from gm.store.formats import compact
from tests.medieval.positions import worlds

SEED = 1320


def draw(count: int) -> list[World]:
    """Positions that ``worlds()`` draws for a fixed seed, all with turn 0: a game is to begin from each."""
    found: list[World] = []

    @hypothesis.seed(SEED)
    @settings(
        max_examples=count,
        phases=(Phase.generate,),
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(worlds())
    def collect(world: World) -> None:
        found.append(world.evolve(turn=0))

    collect()
    return found


if __name__ == "__main__":
    sys.stdout.write("".join(f"{compact(world_record(world))}\n" for world in draw(int(sys.argv[1]))))
