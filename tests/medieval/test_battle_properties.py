"""Any forces, anywhere: battles end, nobody is made or unmade out of nothing, nothing goes below zero (B,
M6, M12).
"""

from collections import Counter
from decimal import Decimal
from itertools import chain, combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.games.medieval.combat.report import BattleReport
from gm.games.medieval.events import CommandersChanged, TroopsChanged
from gm.games.medieval.state import Unit, World
from gm.games.medieval.steps.conquest import (
    cross_border_battles_fought,
    land_battles_fought,
    sea_battles_fought,
)
from tests.examples import examples
from tests.medieval.testland import Played, commander, make_world, rules, unit
from tests.medieval.warfare import fought, reports

REALMS = ("AQU", "DEN", "ENG", "FRA")
PAIRS = list(combinations(REALMS, 2))
SOLDIERS = (
    "Peasant Rabble",
    "Heavy Infantry",
    "Longbowmen",
    "Heavy Cavalry",
    "Siege Machine",
    "Elite Marines",
)
SHIPS = ("Trading Cog", "Light Dromond", "War Dhow", "Royal Galleon")

ranks = st.tuples(*[st.integers(0, 4)] * 5)


def troops(names: tuple[str, ...]) -> st.SearchStrategy[dict[str, tuple[int, ...]]]:
    return st.dictionaries(st.sampled_from(names), ranks.filter(any), max_size=3)


@st.composite
def options(draw: st.DrawFn, key: str) -> dict[str, Any]:
    led = draw(st.booleans())
    names = [f"{key} leader"] if led else []
    return {
        "commanders": [commander(name, *draw(st.tuples(*[st.integers(0, 100)] * 4))) for name in names],
        "leader": names[0] if led else None,
        "retreat_level": draw(st.integers(1, 5)),
        "follow": draw(st.sampled_from([None, "A1", "F1"])) if not key.endswith("1") else None,
        "defend_fortifications": draw(st.booleans()),
        "marines": draw(st.booleans()),
    }


@st.composite
def worlds(draw: st.DrawFn, *, sea: bool) -> World:
    """Up to two units a realm in one or two places, in any relations, behind any walls."""
    units: list[Unit] = []
    for realm in (*REALMS, "IND") if not sea else REALMS:
        for number in range(1, draw(st.integers(0, 2)) + 1):
            place = draw(st.sampled_from(("Channel", "North Sea") if sea else ("Flanders", "Paris")))
            key = f"{realm}/{'F' if sea else 'A'}{number}"
            fleet = unit(key, place, draw(troops(SHIPS if sea else SOLDIERS)), **draw(options(key)))
            units.append(fleet)
            if sea and draw(st.booleans()):
                owner = draw(st.sampled_from((realm, realm, "FRA")))
                aboard = f"{owner}/A{10 + number}{REALMS.index(realm)}"
                units.append(unit(aboard, place, draw(troops(SOLDIERS)), aboard=key, **draw(options(aboard))))
    relation = {pair: draw(st.sampled_from(("war", "war", "neutral", "allied"))) for pair in PAIRS}
    level = draw(st.integers(0, 12))
    return make_world(
        *units,
        war=[pair for pair, status in relation.items() if status == "war"],
        allied=[pair for pair, status in relation.items() if status == "allied"],
        owners={"Paris": draw(st.sampled_from(REALMS)), "Flanders": draw(st.sampled_from((*REALMS, "IND")))},
        provinces={"Paris": {"fortification": level, "fortification_damage": draw(st.integers(0, level))}},
    )


def headcount(world: World) -> Counter[tuple[str, str]]:
    """Every troop and commander by realm and kind."""
    heads: Counter[tuple[str, str]] = Counter()
    for force in world.units.values():
        for name in force.troops:
            heads[force.realm, name] += force.count(name)
        heads[force.realm, "commanders"] += len(force.commanders)
    return heads


def check(played: Played) -> None:
    """What must hold of every step of battles."""
    books = headcount(played.before)
    for event in played.only(TroopsChanged):
        books[event.realm, event.troop] += event.count
    for lost in played.only(CommandersChanged):
        books[lost.realm, "commanders"] += lost.count
    assert +books == +headcount(played.world)
    assert all(count >= 0 for count in books.values())
    for force in played.world.units.values():
        all_counts = chain.from_iterable(force.troops.values())
        assert all(count >= 0 for count in all_counts)
        assert force.leader is None or force.lead_commander is not None
        if force.aboard and not force.empty:
            assert played.world.units[force.aboard].place == force.place
    for province in played.world.provinces.values():
        assert 0 <= province.fortification_damage <= province.fortification
    for battle in reports(played):
        check_report(battle)


def check_report(battle: BattleReport) -> None:
    assert 1 <= len(battle.rounds) <= rules().battle.round_limit
    entered = {unit.unit: sum(count.count for count in unit.troops) for unit in battle.units}
    for end in battle.ends:
        lost = sum(count.count for count in end.losses)
        assert lost >= 0
        if battle.kind != "sea":  # marines in reserve are not among those who entered
            assert lost <= entered[end.unit]
    for each_round in battle.rounds:
        for line in each_round.units:
            assert line.taken >= 0
            assert line.remaining is None or line.remaining >= 0
            assert line.total_taken <= line.hit_points or battle.kind == "sea"
    for roll in battle.wounded:
        assert Decimal(0) < roll.damage < roll.hit_points


@pytest.mark.clause("B10", "B11", "M12")
@examples(150)
@given(world=worlds(sea=False), seed=st.text(max_size=4))
def test_land_battles_end_and_their_books_balance(world: World, seed: str) -> None:
    played = fought(world, land_battles_fought, seed=seed, by=rules())
    check(played)
    for place in ("Flanders", "Paris"):
        fighters = [unit for unit in played.world.at(place) if not unit.is_fleet and not unit.empty]
        drawn = any(battle.result == "drawn" for battle in reports(played))
        assert drawn or not any(
            played.world.hostile(a.realm, b.realm, place) for a, b in product(fighters, fighters)
        )


@pytest.mark.clause("B10", "B12", "M6", "M6.1")
@examples(150)
@given(world=worlds(sea=True), seed=st.text(max_size=4))
def test_sea_battles_end_and_their_books_balance(world: World, seed: str) -> None:
    played = fought(world, sea_battles_fought, seed=seed, by=rules())
    check(played)
    drawn = any(battle.result == "drawn" for battle in reports(played))
    fleets = [unit for unit in played.world.units.values() if unit.is_fleet and unit.troops]
    for a in fleets:
        for b in fleets:
            assert drawn or a.place != b.place or not played.world.at_war(a.realm, b.realm)


@pytest.mark.clause("M11")
@examples(80)
@given(world=worlds(sea=False), seed=st.text(max_size=4))
def test_border_battles_end_and_their_books_balance(world: World, seed: str) -> None:
    other = {"Flanders": "Paris", "Paris": "Flanders"}
    done = {
        unit.key: {"marched_phase": 1, "came_from": other[unit.place]}
        for unit in world.units.values()
        if unit.is_army and unit.realm != "IND"
    }
    check(fought(world, cross_border_battles_fought, seed=seed, by=rules(), done=done))


@pytest.mark.clause("W12")
@examples(40)
@given(world=worlds(sea=False), seed=st.text(max_size=4))
def test_the_same_battle_twice_is_the_same(world: World, seed: str) -> None:
    first, second = (fought(world, seed=seed, by=rules()) for _ in range(2))
    assert first.events == second.events
    assert first.world == second.world
