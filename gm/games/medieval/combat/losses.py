"""What a battle takes from units, written into the world."""

from __future__ import annotations

from gm.games.medieval.combat.contingents import Contingent
from gm.games.medieval.combat.field import Field
from gm.games.medieval.state import Ranks, Unit


def write_losses(field: Field, contingent: Contingent) -> Unit:
    """The unit as it now is, without those of the contingent that fell since this was last done (B8.1)."""
    unit = field.unit(contingent.key)
    fresh = contingent.unwritten()
    if fresh:
        troops = {name: list(ranks) for name, ranks in unit.troops.items()}
        for band, count in fresh:
            if band.commander:
                unit, _ = unit.without_commander(band.commander.name)
            else:
                troops[band.troop][band.rank - 1] -= count
        unit = unit.with_troops({name: _ranks(counts) for name, counts in troops.items()})
        field.put(unit)
    return unit


def _ranks(counts: list[int]) -> Ranks:
    one, two, three, four, five = counts
    return one, two, three, four, five
