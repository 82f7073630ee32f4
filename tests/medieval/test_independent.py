"""The battle engine against :mod:`tests.medieval.independent`, which was written from the clauses alone:
random battles of armies in the open, fought often by both, leave as many of each side.
"""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from statistics import fmean, variance

import pytest

from gm.games.medieval.data.rules import TroopClass
from tests.medieval.independent import Kind, Troops, fight
from tests.medieval.testland import PROVINCES, make_world, rules, unit
from tests.medieval.warfare import fought

BATTLES = 120
TIMES = 30
SOLDIERS = {
    name: Kind(troop.attacks, troop.combat, Fraction(troop.hit_points), Fraction(troop.cost))
    for name, troop in rules().troops.items()
    if troop.kind in (TroopClass.FOOT, TroopClass.ARCHER, TroopClass.MOUNTED)
}
NOWHERE = {name: "NOR" for name, *_ in PROVINCES} | {"Paris": "FRA"}


def army(chance: Random) -> Troops:
    """Up to three types of different cost, so that it is plain which is the cheapest."""
    names = {SOLDIERS[name].cost: name for name in chance.sample(sorted(SOLDIERS), 3)}
    ranks_of = {}
    for name in list(names.values())[: chance.randint(1, 3)]:
        ranks = [0] * 5
        for _ in range(chance.randint(1, 2)):
            ranks[chance.randrange(5)] += chance.randint(1, 5)
        ranks_of[name] = ranks
    return ranks_of


def engine(sides: list[list[Troops]], seed: str) -> tuple[int, int]:
    """How many of each side the game's own engine leaves."""
    units = {
        f"{realm}/A{number}": unit(
            f"{realm}/A{number}", "Paris", troops, retreat_level=5, defend_fortifications=False
        )
        for realm, side in zip(("ENG", "FRA"), sides, strict=True)
        for number, troops in enumerate(side, 1)
    }
    open_field = {"Paris": {"fortification": 0}}
    world = make_world(*units.values(), war=[("ENG", "FRA")], owners=NOWHERE, provinces=open_field)
    after = fought(world, seed=seed, by=rules()).world.units
    left = dict.fromkeys(("ENG", "FRA"), 0)
    for key, force in after.items():
        if key in units:
            left[key.partition("/")[0]] += sum(sum(ranks) for ranks in force.troops.values())
    return left["ENG"], left["FRA"]


@pytest.mark.slow
@pytest.mark.clause("B4", "B5", "B6", "B7", "B8", "B8.1", "B10", "B11")
def test_random_battles_end_as_the_clauses_say(record_property: Callable[[str, object], None]) -> None:
    chance = Random(1320)  # noqa: S311 - no secret
    deviations = []
    for number in range(BATTLES):
        sides = [[army(chance) for _ in range(chance.randint(1, 2))] for _ in range(2)]
        ours = [engine(sides, f"{number} {time}") for time in range(TIMES)]
        theirs = [fight(*sides, SOLDIERS, number * 1000 + time) for time in range(TIMES)]
        for one, other in zip(zip(*ours, strict=True), zip(*theirs, strict=True), strict=True):
            spread = (variance(one) + variance(other)) / TIMES
            if spread:
                deviations.append(((fmean(one) - fmean(other)) / spread**0.5, sides))
            else:
                assert one == other, sides
    worst = max(deviations, key=lambda deviation: abs(deviation[0]))
    squares = fmean(deviation**2 for deviation, _ in deviations)
    record_property("battles", BATTLES * TIMES)
    record_property("mean square of deviations", round(squares, 3))
    assert abs(worst[0]) < 5, worst
    # about 1 when both draw from the same distributions; it would grow with the number of fights otherwise
    assert squares < 1.35
    assert abs(fmean(deviation for deviation, _ in deviations)) < 0.25
