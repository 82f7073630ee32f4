"""Running a turn up to the end of Movement Events, with its progress still to be seen."""

from collections.abc import Mapping, Sequence
from itertools import chain

from msgspec.structs import replace

from gm.core.pipeline import Stage, Step, run_stages
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.orders.model import Orders, PlanEntry, Written
from gm.games.medieval.pipeline import FIRST, MOVEMENT
from gm.games.medieval.state import UnitProgress, World
from gm.games.medieval.state.strength import move_points_left
from gm.games.medieval.steps.bookkeeping import movement_ends
from gm.games.medieval.steps.outcomes import OrderSettled
from tests.medieval.testland import Played, make_turn, rules


def move(
    world: World,
    orders: Mapping[str, str | Orders] | None = None,
    *,
    seed: str = "test",
    before: Sequence[Step] = (),
    board: Atlas | None = None,
) -> Played:
    """First Events and all phases.

    ``before`` are steps that put something into the turn ahead of the phases.
    """
    turn = make_turn(world, orders, seed)
    turn = replace(turn, board=board or turn.board)
    stages = (FIRST, Stage("before", tuple(before)), MOVEMENT, Stage("movement ends", (movement_ends,)))
    outcome = run_stages(stages, turn)
    played = Played(world, outcome.state, outcome.events)
    settled_once(played, turn.orders)
    return played


def settled_once(played: Played, orders: Mapping[str, Orders]) -> None:
    """Every entry of every plan has exactly one outcome (O2)."""
    for realm, sheet in orders.items():
        entries = chain.from_iterable(sheet.plans.values())
        written = [(entry.written.line, entry.written.column) for entry in entries]
        places = [(e.line, e.column) for e in played.only(OrderSettled) if e.audience == realm]
        assert sorted(where for where in places if where in set(written)) == sorted(written)


def plans(**entries: Sequence[str]) -> str:
    """An order file's units: ``plans(A1=["hold", "march: Kent"], London=[...])``."""
    lines = ["units:"]
    for unit, plan in entries.items():
        lines += [f"  {unit}:", "    plan:", *(f"      - {entry}" for entry in plan)]
    return "\n".join(lines) + "\n"


def done(played: Played, key: str) -> UnitProgress:
    """What a unit has done so far."""
    return played.world.done(key)


def left(played: Played, key: str) -> int:
    """The move-points that a unit has left."""
    return move_points_left(played.unit(key), done(played, key), rules())


def sheet_of(realm: str, **entries: Sequence[PlanEntry]) -> Orders:
    """An order sheet of plans that the reader of files would refuse already."""
    return Orders(realm=realm, turn=1, plans={name: tuple(plan) for name, plan in entries.items()})


def written(text: str, line: int = 1) -> Written:
    """Where a typed order pretends to stand."""
    return Written(line, 1, text)
