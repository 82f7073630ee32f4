"""Do the dice keep their promises? Frequencies against exact binomial tails, with fixed seeds (B2, B5-B7,
B11).
"""

from fractions import Fraction
from itertools import chain

import pytest

from gm.games.medieval.combat.report import BattleReport
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events import CommandersChanged
from gm.games.medieval.state import Unit
from gm.games.medieval.steps.conquest import sea_battles_fought
from tests.likely import is_likely
from tests.medieval.testland import commander, make_world, rules, unit
from tests.medieval.warfare import damage_caused, fought, report, rounds_of, sure_rules, troop

WAR = [("ENG", "FRA")]
SEEDS = ("spring", "summer", "autumn", "winter", "flood")


def shipped(**battle: int) -> Rules:
    """The shipped rules and the test troops, the best chance as shipped."""
    return sure_rules(**{"best_chance_percent": rules().battle.best_chance_percent, **battle})


ONE_ROUND = shipped(round_limit=1)


def test_the_measure_itself() -> None:
    assert is_likely(50, 100, Fraction(1, 2))
    assert is_likely(36, 100, Fraction(1, 2))
    assert not is_likely(30, 100, Fraction(1, 2))
    assert not is_likely(70, 100, Fraction(1, 2))


@pytest.mark.clause("B5")
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("name", "rating", "chance"),
    [
        ("Peasant Rabble", 0, Fraction(13, 100)),
        ("Heavy Infantry", 0, Fraction(34, 100)),
        ("Heavy Infantry", 46, Fraction(34 * 123, 10000)),
        ("Longbowmen", 60, Fraction(78, 100)),
        ("Striker", 100, Fraction(99, 100)),
        ("Siege Machine", 100, Fraction(5, 100)),
    ],
)
def test_soldiers_hit_as_often_as_they_should(seed: str, name: str, rating: int, chance: Fraction) -> None:
    leader = commander("John", infantry=rating, cavalry=99, siege=99, naval=99)
    world = make_world(
        unit("ENG/A1", "Reims", {name: 400}, commanders=[leader], leader="John"),
        unit("FRA/A1", "Reims", {"Target": 900}),
        war=WAR,
    )
    caused = rounds_of(report(fought(world, by=ONE_ROUND, seed=seed)), "ENG/A1")[0].caused
    hits = {hits.troop: hits for hits in caused}[name]
    assert is_likely(hits.damage, hits.count, chance)


@pytest.mark.clause("B5")
@pytest.mark.parametrize("seed", SEEDS)
def test_every_attack_of_a_troop_is_a_roll_of_its_own(seed: str) -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Crusader Knights": 300}), unit("FRA/A1", "Reims", {"Target": 900}), war=WAR
    )
    line = rounds_of(report(fought(world, by=ONE_ROUND, seed=seed)), "ENG/A1")[0]
    assert is_likely(damage_caused(line), 600, Fraction(45, 100))


@pytest.mark.clause("B5.2", "B5.3")
@pytest.mark.parametrize("seed", SEEDS)
def test_landings_and_decks_weaken_as_they_should(seed: str) -> None:
    landing = make_world(
        unit("ENG/A1", "Reims", {"Heavy Infantry": 500}), unit("FRA/A1", "Reims", {"Target": 900}), war=WAR
    )
    marks = {"ENG/A1": {"landed_phase": 1}}
    line = rounds_of(report(fought(landing, by=ONE_ROUND, seed=seed, done=marks)), "ENG/A1")[0]
    assert is_likely(damage_caused(line), 500, Fraction(34 * 7, 1000))
    decks = make_world(
        unit("ENG/F1", "Channel", {"Ship": 250}),
        unit("ENG/A1", "Channel", {"Heavy Cavalry": 250}, aboard="ENG/F1"),
        unit("FRA/F1", "Channel", {"Hulk": 900}),
        war=WAR,
    )
    line = rounds_of(report(fought(decks, sea_battles_fought, by=ONE_ROUND, seed=seed)), "ENG/A1")[0]
    assert is_likely(damage_caused(line), 500, Fraction(35 * 5, 1000))


@pytest.mark.clause("B5.1")
def test_the_places_behind_the_walls_are_drawn_fairly_each_round() -> None:
    walls = ONE_ROUND.fortifications[0].evolve(foot_combat=98, barracks=1)
    by = ONE_ROUND.evolve(
        troops={**ONE_ROUND.troops, "One": troop("One", 50), "Other": troop("Other", 0)},
        fortifications=(walls, *ONE_ROUND.fortifications[1:]),
    )
    world = make_world(
        unit("ENG/A1", "Minsk", {"Target": 9}),
        unit("LIT/G1", "Minsk", {"One": 1, "Other": 3}),
        war=[("ENG", "LIT")],
        provinces={"Minsk": {"fortification": 1}},
    )
    tries = 500
    hits = sum(
        damage_caused(rounds_of(report(fought(world, by=by, seed=f"walls {n}")), "LIT/G1")[0])
        for n in range(tries)
    )
    assert is_likely(hits, tries, Fraction(1, 4) * Fraction(99, 100) + Fraction(3, 4) * Fraction(1, 2))


@pytest.mark.clause("B6")
@pytest.mark.parametrize("seed", SEEDS)
def test_hits_choose_realms_in_proportion_to_their_troops(seed: str) -> None:
    world = make_world(
        unit("ENG/A1", "Flanders", {"Striker": 500}),
        unit("FRA/A1", "Flanders", {"Target": 1000}, commanders=[commander()]),
        unit("IND/A1", "Flanders", {"Target": 700}),
        unit("IND/A2", "Flanders", {"Target": (0, 799, 0, 0, 0)}),
        war=WAR,
    )
    first = report(fought(world, by=sure_rules(round_limit=1), seed=seed)).rounds[0]
    taken = {unit.unit: int(unit.taken) for unit in first.units}
    assert taken["FRA/A1"] + taken["IND/A1"] == 500
    assert is_likely(taken["FRA/A1"], 500, Fraction(1001, 2500))


@pytest.mark.clause("B7")
@pytest.mark.parametrize("seed", SEEDS)
def test_hits_choose_among_units_of_equal_rank_in_proportion_to_the_troops_there(seed: str) -> None:
    by = sure_rules(round_limit=1)
    by = by.evolve(troops={**by.troops, "Rock": troop("Rock", 0, 10_000)})
    world = make_world(
        unit("ENG/A1", "Reims", {"Striker": 500}),
        unit("FRA/A1", "Reims", {"Rock": (1, 50, 0, 0, 0)}),
        unit("FRA/A2", "Reims", {"Rock": (3, 0, 0, 0, 0)}),
        war=WAR,
    )
    first = report(fought(world, by=by, seed=seed)).rounds[0]
    taken = {unit.unit: int(unit.taken) for unit in first.units}
    assert is_likely(taken["FRA/A1"], 500, Fraction(1, 4))


@pytest.mark.clause("B2")
@pytest.mark.parametrize(("siegecraft", "chance"), [(0, Fraction(1, 2)), (42, Fraction(605, 1000))])
def test_siege_machines_breach_as_often_as_they_should(siegecraft: int, chance: Fraction) -> None:
    world = make_world(
        unit(
            "ENG/A1",
            "Paris",
            {"Siege Machine": 6},
            commanders=[commander("John", siege=siegecraft)],
            leader="John",
        ),
        unit("FRA/G1", "Paris", {"Target": 1}),
        war=WAR,
        provinces={"Paris": {"fortification": 12}},
    )
    damage = 0
    for n in range(80):
        siege = report(fought(world, by=ONE_ROUND, seed=f"siege {n}")).siege
        assert siege is not None
        damage += siege.damage_after
    assert is_likely(damage, 480, chance)


@pytest.mark.clause("B11")
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("name", "chance"), [("Trading Cog", Fraction(1, 5)), ("Light Dromond", Fraction(1, 10))]
)
def test_ships_are_captured_as_often_as_they_should(seed: str, name: str, chance: Fraction) -> None:
    world = make_world(
        unit("ENG/F1", "Channel", {"Ship": 400}), unit("FRA/F1", "Channel", {name: 400}), war=WAR
    )
    played = fought(world, sea_battles_fought, by=sure_rules(), seed=seed)
    assert report(played).winners == ("ENG",)
    assert is_likely(played.unit("ENG/F1").count(name), 400, chance)


@pytest.mark.clause("B11")
@pytest.mark.parametrize("seed", SEEDS)
def test_siege_machines_are_captured_as_often_as_they_should(seed: str) -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Striker": 400}), unit("FRA/A1", "Reims", {"Siege Machine": 400}), war=WAR
    )
    played = fought(world, by=sure_rules(), seed=seed)
    assert is_likely(played.unit("ENG/A1").count("Siege Machine"), 400, Fraction(1, 5))


@pytest.mark.clause("B11")
def test_captors_are_drawn_in_proportion_to_their_troops() -> None:
    taken = {"AQU": 0, "ENG": 0}
    for n in range(150):
        world = make_world(
            unit("AQU/A1", "Reims", {"Striker": 1}),
            unit("ENG/A1", "Reims", {"Striker": 3}),
            unit("FRA/A1", "Reims", {"Ram": 2}),
            war=[*WAR, ("AQU", "FRA")],
        )
        for capture in report(fought(world, seed=f"captor {n}")).captures:
            taken[capture.captor] += capture.count
    assert sum(taken.values()) == 300
    assert is_likely(taken["AQU"], 300, Fraction(1, 4))


@pytest.mark.clause("B11")
@pytest.mark.parametrize("damage", [1, 2, 4])
def test_the_wounded_die_as_often_as_they_should(damage: int) -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Striker": damage}), unit("FRA/A1", "Reims", {"Tough Target": 3}), war=WAR
    )
    rolls = chain.from_iterable(
        report(fought(world, by=sure_rules(round_limit=1), seed=f"wounds {n}")).wounded for n in range(300)
    )
    died = sum(roll.dies for roll in rolls)
    assert is_likely(died, 300, Fraction(damage, 5))


@pytest.mark.clause("B12")
def test_a_commander_in_rank_five_falls_first_as_often_as_any_other_there() -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Target": (0, 0, 0, 0, 3)}, commanders=[commander("John")]),
        unit("FRA/A1", "Reims", {"Striker": 1}),
        war=WAR,
    )
    fallen = sum(
        len(fought(world, seed=f"rank five {n}", by=sure_rules(round_limit=1)).only(CommandersChanged))
        for n in range(400)
    )
    assert is_likely(fallen, 400, Fraction(1, 4))


@pytest.mark.clause("B9.1")
def test_refuges_are_drawn_evenly() -> None:
    def retreat(n: int) -> str:
        army = unit("ENG/A1", "Reims", {"Target": (0, 9, 0, 0, 0)}, retreat_level=1)
        world = make_world(
            army, unit("FRA/A1", "Reims", {"Target": 1}), war=WAR, owners={"Flanders": "ENG", "Paris": "ENG"}
        )
        return fought(world, seed=f"refuge {n}").unit("ENG/A1").place

    assert is_likely([retreat(n) for n in range(300)].count("Paris"), 300, Fraction(1, 2))


@pytest.mark.clause("W12")
def test_a_battle_elsewhere_changes_no_dice_here() -> None:
    def reims(*elsewhere: Unit) -> BattleReport:
        world = make_world(
            unit("ENG/A1", "Reims", {"Heavy Infantry": 20}),
            unit("FRA/A1", "Reims", {"Heavy Infantry": 20}),
            *elsewhere,
            war=[*WAR, ("LIT", "TEU")],
        )
        battles = [event.report for event in fought(world, by=rules()).events if hasattr(event, "report")]
        return next(battle for battle in battles if battle.place == "Reims")

    assert reims() == reims(
        unit("LIT/A1", "Riga", {"Heavy Infantry": 9}), unit("TEU/G1", "Riga", {"Longbowmen": 3})
    )
    assert reims() == reims(
        unit("ENG/A9", "Kent", {"Longbowmen": 9}), unit("FRA/A9", "Kent", {"Longbowmen": 3})
    )
