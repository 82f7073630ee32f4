"""How a game stands: what one realm may know of it, who has won, and what each realm has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import World
from gm.games.medieval.state.strength import hit_points, ships, soldiers, total_combat
from gm.games.medieval.steps.economy import province_revenue, total_upkeep
from gm.games.medieval.steps.realms import scores

UNKNOWN = Decimal(0)
"""What a treasury is said to hold of which nothing is known."""


def public_state(world: World, realm: str) -> World:
    """W8: the world as the realm's results file shows it: no other treasury, and nobody's missed turns."""
    return world.with_realms(
        *(
            each.evolve(treasury=each.treasury if code == realm else UNKNOWN, missed_turns=0)
            for code, each in world.realms.items()
        )
    )


def winners(world: World) -> Sequence[str] | None:
    """V1, L19: who has won; nobody when every realm is out of the game; none while it goes on."""
    if world.winners:
        return world.winners
    return () if all(realm.defeated for realm in world.realms.values()) else None


def figures(world: World, rules: Rules, atlas: Atlas) -> Mapping[str, Mapping[str, float]]:
    """What each realm has, by code; a defeated one has nothing. The first column is V1's score."""
    points = dict(scores(world, atlas, rules))
    found: dict[str, Mapping[str, float]] = {}
    for code, realm in world.realms.items():
        lands, units = world.owned_by(code), world.of_realm(code)
        annexed = [land for land in lands if land.annexed_to == code]
        found[code] = {
            "score": float(points.get(code, 0)),
            "provinces": float(len(lands)),
            "cities": float(sum(atlas.city(land.name) is not None for land in lands)),
            "annexed": float(len(annexed)),
            "gold": float(realm.treasury),
            "revenue": float(sum((province_revenue(land, atlas, rules) for land in annexed), Decimal(0))),
            "upkeep": float(total_upkeep(units, rules)),
            "soldiers": float(sum(soldiers(unit, rules) for unit in units)),
            "ships": float(sum(ships(unit, rules) for unit in units)),
            "combat": float(sum(total_combat(unit, rules, ships_too=True) for unit in units)),
            "hit points": float(sum((hit_points(unit, rules) for unit in units), Decimal(0))),
            "fortifications": float(sum(land.effective_fortification for land in lands)),
        }
    return found
