"""No two commanders of a game have one name, the dead included (L5, F7)."""

from collections import Counter
from itertools import chain

import pytest

from gm.core.diagnostics import fold
from gm.games.medieval.data.map_file import load_atlas
from gm.games.medieval.data.scenario import load_scenario
from gm.games.medieval.orders.model import HireCommander, Orders, RenameCommander, Written
from gm.games.medieval.state import Status, World
from gm.games.medieval.state.world import world_from, world_record
from gm.games.medieval.steps.administration import administrative_actions
from gm.games.medieval.steps.bookkeeping import turn_opens
from gm.games.medieval.steps.recruiting import commanders_hired, free_names
from gm.resources import resource
from tests.medieval.testland import Played, commander, make_world, rules, run_steps, unit

HERE = Written(1, 1, "order")
ROYAL = {code: {"status": Status.ROYALTY} for code in ("AQU", "ENG", "FRA", "TEU")}
CITIES = {"AQU": "Bordeaux", "ENG": "London", "FRA": "Paris", "TEU": "Riga"}


def names_of(world: World) -> list[str]:
    return list(chain.from_iterable(unit.commander_names for unit in world.units.values()))


def hire(world: World, count: int, seed: str = "test") -> Played:
    sheets = {
        code: Orders(code, 1, units=(HireCommander(HERE, city, count),)) for code, city in CITIES.items()
    }
    return run_steps(world, [turn_opens, commanders_hired], sheets, phase=0, seed=seed)


def rename(world: World, realm: str, old: str, new: str) -> Played:
    sheet = Orders(realm, 1, headquarters=(RenameCommander(HERE, old, new),))
    return run_steps(world, [turn_opens, administrative_actions], {realm: sheet}, phase=0)


@pytest.mark.clause("L5", "W6")
def test_realms_that_hire_in_one_turn_never_share_a_name():
    """item 7: four of 23 realms had men of one name."""
    for seed in map(str, range(20)):
        names = names_of(hire(make_world(realms=ROYAL), 5, seed).world)
        assert len(set(names)) == len(names) == 20


@pytest.mark.clause("L5")
def test_the_name_of_a_dead_commander_is_not_given_again():
    """item 7: whoever fell, also in an earlier turn, keeps his name; snapshots keep it too."""
    first = hire(make_world(realms=ROYAL), 5).world
    gone = {key: force.evolve(commanders=(), leader=None) for key, force in first.units.items()}
    after = world_from(world_record(first.evolve(units=gone)))
    names = names_of(hire(after, 1).world)
    assert len(names) == 4
    assert not set(names) & set(names_of(first))


@pytest.mark.clause("L5")
def test_a_commander_who_began_the_game_or_was_renamed_keeps_his_names():
    """item 7: the names that he had before count too, whether or not he lives."""
    start = make_world(unit("ENG/A1", "Kent", commanders=[commander("Adam of Wark")]), realms=ROYAL)
    renamed = rename(start, "ENG", "Adam of Wark", "Alan Thornbury").world
    few = rules().evolve(commander_names=("Adam of Wark", "Alan Thornbury", "Piers Holloway"))
    taken = {fold(name) for name in renamed.commander_names}
    assert free_names(taken, few) == ["Piers Holloway"]


@pytest.mark.clause("F7")
@pytest.mark.parametrize("new", ["Hugh", "HÚGH", "Dead Man", "Ruler of FRA"])
def test_nobody_is_renamed_to_somebody_else_s_name(new: str):
    """item 7: not to that of another realm's commander, of a dead one, of a ruler, however it is spelt."""
    own = commander("Sir John")
    other = commander("Hugh")
    units = (unit("ENG/A1", "Kent", commanders=[own]), unit("FRA/A1", "Reims", commanders=[other]))
    world = make_world(*units, commander_names=frozenset({"Dead Man"}))
    assert rename(world, "ENG", "Sir John", new).fates("ENG") == [("order", "failed", "commander-name-used")]


@pytest.mark.clause("F7")
def test_a_commander_s_own_name_may_be_spelt_anew():
    """item 7: the name is his."""
    world = make_world(unit("ENG/A1", "Kent", commanders=[commander("sir john")]))
    assert names_of(rename(world, "ENG", "sir john", "Sir John").world) == ["Sir John"]


@pytest.mark.clause("L5")
def test_a_used_up_list_gives_new_names_before_it_gives_numbers():
    """item 7: given names and by-names are put together anew, first those that stand side by side."""
    few = rules().evolve(commander_names=("Adam of Wark", "Piers Holloway", "Conan"))
    names: list[str] = []
    while len(names) < 9:
        names.append(free_names({fold(name) for name in names}, few)[0])
    assert names[:3] == ["Adam of Wark", "Piers Holloway", "Conan"]
    assert names[3:7] == ["Adam Holloway", "Conan of Wark", "Piers of Wark", "Conan Holloway"]
    assert names[7:] == ["Adam of Wark 2", "Adam of Wark 3"]


@pytest.mark.clause("L5")
def test_every_name_that_the_files_bring_stands_once():
    """item 7: in the list, in each start file among commanders and rulers."""
    listed = rules().commander_names
    assert len(set(map(fold, listed))) == len(listed)
    for folder in sorted((resource("maps") / "medieval").iterdir()):
        if not (folder / "start.yaml").is_file():
            continue
        atlas = load_atlas(folder / "map.yaml", rules())
        scenario = load_scenario(folder / "start.yaml", atlas, rules())
        groups = [
            *scenario.provinces.values(),
            *chain.from_iterable(units.values() for units in scenario.units.values()),
        ]
        commanders = chain.from_iterable(group.commanders for group in groups)
        names = Counter(fold(named.name) for named in commanders)
        names.update(fold(seat.ruler) for seat in atlas.realms.values())
        assert [name for name, count in names.items() if count > 1] == [], folder.name
