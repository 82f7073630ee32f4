"""Who of a unit takes part in a battle, and whom damage finds (B2, B4-B8, B11-B13, M12)."""

from decimal import Decimal
from fractions import Fraction

import pytest
from msgspec.structs import replace

from gm.core.dice import Dice
from gm.games.medieval.combat.battle import Battle, Field
from gm.games.medieval.combat.contingents import Barracks, Contingent, ContingentStatus, Role, in_percent
from gm.games.medieval.combat.fight import fight_it_out, fight_on, lose_one
from gm.games.medieval.combat.muster import fill_marine_space, muster
from gm.games.medieval.combat.rounds import is_crowded
from gm.games.medieval.combat.setup import land_battle
from gm.games.medieval.state import Unit
from tests.medieval.testland import commander, make_turn, make_world, unit, with_marks
from tests.medieval.warfare import fought, outcome_of, report, sure_rules


def marines(space: int, **troops: tuple[int, ...]) -> Contingent:
    """Two in rank 1 and two in rank 2, as many of them on deck as there is space."""
    fleet = unit("ENG/F1", "Channel", {"Ship": 1})
    army = unit("ENG/A1", "Channel", troops or {"Tough Target": (2, 2, 0, 0, 0)}, aboard="ENG/F1")
    field = Field(replace(make_turn(make_world(fleet, army)), rules=sure_rules()))
    fighters = muster(field, army, Role.MARINES)
    fill_marine_space([fighters], space)
    return fighters


@pytest.mark.clause("B7", "B13")
def test_damage_stays_with_its_victim_while_he_stands_in_front() -> None:
    fighters = marines(4)
    front, behind = fighters.bands
    fighters.victim = front
    fill_marine_space([fighters], 3)
    assert (front.standing, behind.standing, behind.reserve) == (2, 1, 1)
    assert fighters.victim is front


@pytest.mark.clause("B7", "B13")
def test_damage_leaves_a_victim_who_went_below_decks_or_behind_others() -> None:
    below = marines(4)
    below.victim = below.bands[0]
    fill_marine_space([below], 0)
    assert below.victim is None
    beside = marines(2, Striker=(1, 0, 0, 0, 0), Target=(1, 0, 0, 0, 0))
    beside.victim = beside.bands[1]
    fill_marine_space([beside], 1)
    assert (beside.front_rank, beside.victim) == (1, None)
    behind = marines(4)
    behind.victim = behind.bands[1]
    fill_marine_space([behind], 4)
    assert behind.victim is None


def drawn_up(french: Unit, **options: int) -> Battle:
    """A battle in Reims before round 1 that tells of no round.

    The English came from Flanders, which is theirs.
    """
    world = make_world(
        unit("ENG/A1", "Reims", {"Target": 3}), french, war=[("ENG", "FRA")], owners={"Flanders": "ENG"}
    )
    turn = make_turn(world)
    state = with_marks(turn.state, {"ENG/A1": {"came_from": "Flanders"}, "FRA/A1": {"came_from": "Paris"}})
    battle = land_battle(Field(replace(turn, state=state, rules=sure_rules(**options))), "Reims")
    assert battle is not None
    battle.recorded = False
    return battle


@pytest.mark.clause("B10", "B14")
def test_a_drawn_battle_of_which_no_round_is_told_ends_with_the_same_retreats() -> None:
    battle = drawn_up(unit("FRA/A1", "Reims", {"Target": 3}), round_limit=4)
    fight_it_out(battle)
    assert (battle.drawn, battle.rounds) == (True, [])
    assert battle.field.unit("ENG/A1").place == "Flanders"


@pytest.mark.clause("B9")
def test_a_battle_goes_on_with_the_retreats_at_the_end_of_its_last_round() -> None:
    fled = drawn_up(unit("FRA/A1", "Reims", {"Target": (0, 3, 0, 0, 0)}, retreat_level=1))
    fight_on(fled)
    assert (fled.round, fled.field.unit("FRA/A1").place) == (0, "Paris")
    fought_on = drawn_up(unit("FRA/A1", "Reims", {"Striker": 9}))
    fight_on(fought_on)
    assert fought_on.round == 2
    assert fought_on.by_key["ENG/A1"].state is ContingentStatus.DESTROYED


WAR = [("ENG", "FRA")]
SEA = "Channel"


def ashore(army: Unit) -> Contingent:
    return muster(field_of(army), army, landing=False)


def field_of(*units: Unit) -> Field:
    from msgspec.structs import replace

    return Field(replace(make_turn(make_world(*units)), rules=sure_rules()))


@pytest.mark.clause("B11")
def test_the_wounded_one_who_dies_is_one_and_is_nobodys_next_victim() -> None:
    army = ashore(unit("ENG/A1", "Reims", {"Tough Target": 3}))
    (band,) = army.bands
    army.victim = band
    lose_one(army, band)
    assert (band.standing, band.fell, army.victim) == (2, 1, None)


@pytest.mark.clause("B11", "B13")
def test_a_wounded_soldier_below_decks_dies_there() -> None:
    fleet = unit("ENG/F1", SEA, {"Ship": 1})
    army = unit("ENG/A1", SEA, {"Tough Target": 3}, aboard="ENG/F1")
    marines = muster(field_of(fleet, army), army, Role.MARINES)
    (band,) = marines.bands
    lose_one(marines, band)
    assert (band.standing, band.reserve, band.fell) == (0, 2, 1)


@pytest.mark.clause("B11", "B12")
def test_a_leader_who_dies_of_wounds_leads_no_more_and_another_commander_changes_nothing() -> None:
    both = [commander("John"), commander("Hugh")]
    for dead, leader in (("John", None), ("Hugh", "John")):
        army = ashore(unit("ENG/A1", "Reims", {"Target": 1}, commanders=both, leader="John"))
        lose_one(army, next(band for band in army.bands if band.commander and band.commander.name == dead))
        assert (army.leader.name if army.leader else None) == leader
    leaderless = ashore(unit("ENG/A1", "Reims", {"Target": 1}, commanders=both))
    lose_one(leaderless, leaderless.bands[-1])
    assert leaderless.leader is None


@pytest.mark.clause("B11", "B14")
def test_a_wounded_commander_is_told_by_name() -> None:
    by = sure_rules()
    by = by.evolve(commanders=by.commanders.evolve(hit_points=Decimal(3)))
    world = make_world(
        unit("ENG/A1", "Reims", {"Striker": 9}, commanders=[commander("John")], retreat_level=4),
        unit("FRA/A1", "Reims", {"Striker": (0, 0, 0, 10, 0)}),
        war=WAR,
        owners={"Flanders": "ENG"},
    )
    rolls = [roll for roll in report(fought(world, by=by)).wounded if roll.unit == "ENG/A1"]
    assert [(roll.troop, roll.commander, roll.damage, roll.hit_points) for roll in rolls] == [
        ("Commander", "John", 1, 3)
    ]


@pytest.mark.clause("B8", "B5.1")
def test_when_the_last_behind_walls_falls_what_is_left_of_the_damage_meets_troops_without_walls() -> None:
    army = ashore(unit("ENG/A1", "Reims", {"Target": 9}))
    (band,) = army.bands
    band.sheltered = True
    band.fortification_hit_points = Decimal(2)
    army.barracks = Barracks(row=sure_rules().fortifications[1], room=2, bonus_left=2)
    army.take_hits(7, Dice("test")("rank 5"))  # twice three, and one
    assert (band.marked, army.damage, army.barracks.bonus_left) == (3, 0, 0)


def behind(barracks: Barracks, **troops: int) -> Contingent:
    """Troops in barracks; their last type gets no shelter."""
    army = ashore(unit("ENG/A1", "Reims", troops))
    army.barracks = barracks
    for band in army.bands:
        band.sheltered = band.troop != "Ram"
    return army


def room_for(count: int) -> Barracks:
    return Barracks(row=sure_rules().fortifications[0], room=count, bonus_left=count)


@pytest.mark.clause("B5.1")
def test_barracks_are_crowded_when_more_are_in_them_than_there_are_places() -> None:
    shared = room_for(3)
    assert not is_crowded([behind(shared, Target=1), behind(shared, Target=2)])
    assert is_crowded([behind(shared, Target=1), behind(shared, Target=3)])
    assert not is_crowded([behind(shared, Target=3, Ram=5)])
    assert not is_crowded([behind(room_for(1), Target=1), behind(room_for(1), Target=1)])
    assert is_crowded([behind(room_for(1), Target=1), behind(room_for(1), Target=2)])


@pytest.mark.clause("B8")
def test_when_friends_have_used_up_the_walls_earlier_damage_kills() -> None:
    shipped = sure_rules(round_limit=1)
    walls = shipped.fortifications[0].evolve(barracks=1, foot_hit_points=Decimal(2))
    by = shipped.evolve(fortifications=(walls, *shipped.fortifications[1:]))
    world = make_world(
        unit("ENG/G1", "London", {"Target": 1}),
        unit("ENG/A1", "London", {"Target": 1}),
        unit("FRA/A1", "London", {"Striker": 5}),
        war=WAR,
        provinces={"London": {"fortification": 1}},
    )
    for seed in range(30):
        battle = report(fought(world, by=by, seed=str(seed), last_owners={"London": "ENG"}))
        assert battle.wounded == ()
        assert [outcome_of(battle, key) for key in ("ENG/G1", "ENG/A1")] == ["destroyed", "destroyed"]


@pytest.mark.clause("B8", "T2")
def test_machines_that_fall_use_up_no_bonus_of_the_walls() -> None:
    army = ashore(unit("ENG/A1", "Reims", {"Ram": 9}))
    army.barracks = Barracks(row=sure_rules().fortifications[1], room=9, bonus_left=9)
    army.take_hits(2, Dice("test")("rank 5"))
    assert (army.bands[0].marked, army.barracks.bonus_left) == (4, 9)


@pytest.mark.clause("B7")
def test_whoever_falls_counts_no_more_among_those_in_front() -> None:
    army = ashore(unit("ENG/A1", "Reims", {"Target": (9, 5, 0, 0, 0)}))
    assert (army.front_rank, army.front_count) == (1, 9)
    army.take_hits(4, Dice("test")("rank 5"))
    assert (army.front_rank, army.front_count) == (1, 5)


@pytest.mark.clause("B13")
def test_damage_meant_for_one_who_has_gone_below_decks_strikes_another() -> None:
    army = ashore(unit("ENG/A1", "Reims", {"Cheap Target": 1, "Target": 3}))
    army.victim, other = army.bands
    army.victim.reserve = 1
    army.victim.standing = 0
    army.update_front_rank()
    assert army.next_victim(Dice("test")("rank 5")) is other


@pytest.mark.clause("B7")
def test_whom_the_damage_has_begun_to_kill_falls_first_and_then_the_cheapest() -> None:
    army = ashore(unit("ENG/A1", "Reims", {"Cheap Target": 3, "Target": 3}))
    cheap, other = army.bands
    army.victim = other
    army.take_hits(2, Dice("test")("rank 5"))
    assert (cheap.marked, other.marked) == (1, 1)


@pytest.mark.clause("B7", "X8")
def test_what_is_left_of_a_hit_that_wipes_out_a_unit_may_strike_any_friend_in_front() -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Striker": 1}),
        unit("FRA/A1", "Reims", {"Peasant Rabble": 1}),
        unit("FRA/A2", "Reims", {"Tough Target": (0, 1, 0, 0, 0)}),
        unit("FRA/A3", "Reims", {"Tough Target": (0, 1, 0, 0, 0)}),
        war=WAR,
    )
    struck = set()
    for seed in range(30):
        battle = report(fought(world, by=sure_rules(round_limit=1), seed=str(seed)))
        taken = {unit.unit: unit.taken for unit in battle.rounds[0].units}
        assert taken["FRA/A2"] + taken["FRA/A3"] == Decimal("0.1")
        struck |= {key for key in ("FRA/A2", "FRA/A3") if taken[key]}
    assert struck == {"FRA/A2", "FRA/A3"}


@pytest.mark.clause("B2", "B11")
def test_a_commander_gains_once_a_turn_in_a_tactic() -> None:
    field = field_of()
    gains = [
        ("ENG", "John", "siege"),
        ("ENG", "John", "naval"),
        ("FRA", "John", "siege"),
        ("ENG", "John", "siege"),
    ]
    assert [field.gain_once(*gain) for gain in gains] == [True, True, True, False]


@pytest.mark.clause("P7", "B3")
def test_a_sea_has_no_owner() -> None:
    assert field_of().last_owner(SEA) is None
    assert field_of().last_owner("London") == "ENG"


@pytest.mark.clause("B14", "B2")
def test_a_chance_is_told_in_percent_with_two_decimals() -> None:
    assert in_percent(Fraction(1, 3)) == Decimal("33.33")
    assert in_percent(Fraction(7, 8)) == Decimal("87.50")
