"""Taking with one what cannot be held (M14)."""

from __future__ import annotations

from gm.games.medieval.bots.command import Command
from gm.games.medieval.state.strength import total_combat
from gm.games.medieval.steps.revenue import province_revenue

TOO_MANY = 1.5
"""Against so many times its own power an army does not hope to keep a province."""


def plunder(command: Command) -> None:
    """Armies in land that is not annexed to their realm pillage it when too many enemies are near."""
    done: set[str] = set()
    for army in command.armies:
        land = command.world.provinces[army.place]
        if land.annexed_to == command.realm or land.name in done or command.is_busy(army):
            continue
        strong_enough = total_combat(army, command.rules) >= command.rules.movement.pillage_combat
        hopeless = command.threat(land.name) > TOO_MANY * command.survey.force(army).power
        gold = province_revenue(land, command.atlas, command.rules)
        if strong_enough and hopeless and gold > 0:
            done.add(land.name)
            command.engage(army.key)
            why = f"{gold:f} gold for us, and none for whoever comes"
            command.sheet.unit(army.id, f"in {army.place}").then("pillage", None, why)
