"""The steps of a turn, in their order. Each phase of a year is a turn of its own."""

from gm.core.pipeline import Stage
from gm_diplomacy.movement import moves, retreats
from gm_diplomacy.winter import builds, centres
from gm_diplomacy.workspace import Workspace, step


@step("What comes next", "DP-1.2")
def calendar(work: Workspace) -> None:
    """Let the next turn's orders be for the phase that is open now.

    Reads: phase. Writes: asked. Emits: nothing.
    """
    work.state = work.state.evolve(asked=work.state.phase)


STAGES = tuple(Stage(run.name, (run,)) for run in (moves, retreats, centres, builds, calendar))
