"""Bots: what does not stand in a case (cases/bots.yaml): wars that hang on dice, sums, and what their
files say.
"""

import hashlib
from collections.abc import Iterable
from decimal import Decimal
from itertools import chain
from typing import Any

import pytest

from gm.games.medieval.bots.command import Command
from gm.games.medieval.bots.playing import drafted
from gm.games.medieval.bots.relations import gains_nothing
from gm.games.medieval.bots.survey import survey_of, troop_force
from gm.games.medieval.data import edition
from gm.games.medieval.data.clauses_data import bot_profiles
from gm.games.medieval.data.rules import TroopClass
from gm.games.medieval.orders.model import Annex, DeclareWar, OfferPeace, Order, Recruit
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import World
from gm.games.medieval.steps.economy import total_upkeep
from tests.medieval.botland import TEMPERS, asked, orders_of, table, view_of
from tests.medieval.testland import make_world, rules, unit

LOCAL = "local-forces"
CAPITALS = {"FRA": "Paris", "DEN": "Zeeland", "TEU": "Pomerania", "LIT": "Minsk", "AQU": "Bordeaux"}
SEEDS = tuple(f"seed {number}" for number in range(12))
HOST = {"Heavy Infantry": 30, "Heavy Cavalry": 20}


def of_kind(orders: Iterable[Order], kind: type[Order]) -> list[Any]:
    return [order for order in orders if isinstance(order, kind)]


def rich(*units: Any, gold: int = 300, **more: Any) -> World:
    """A world in which everybody has gold, on turn 6."""
    realms = {code: {"treasury": Decimal(gold)} for code in ("ENG", "FRA", "DEN", "TEU", "LIT", "NOR", "AQU")}
    return make_world(*units, realms=realms, turn=6, **more)


def world_of(*units: Any, gold: object = 100, **more: Any) -> World:
    """England between London and Kent, its treasury as said."""
    return make_world(*units, realms={"ENG": {"treasury": Decimal(str(gold))}}, **more)


def strong_england(**more: Any) -> World:
    return rich(unit("ENG/A1", "London", HOST), owners={"Flanders": "ENG"}, **more)


def wars_of(name: str, world: World, realm: str = "ENG") -> set[str]:
    """On whom the bot would declare war, whatever its dice say."""
    declarations = chain.from_iterable(
        of_kind(orders_of(name, world, realm, seed), DeclareWar) for seed in SEEDS
    )
    return {declaration.other for declaration in declarations}


def test_a_conqueror_falls_upon_a_weak_neighbour_and_a_builder_only_when_he_is_idle() -> None:
    weak = unit("AQU/A1", "Bordeaux", {"Men-at-Arms": 30})
    assert wars_of("conqueror", strong_england().with_units([weak]))
    assert wars_of("builder", strong_england())
    # Flanders is still to be had in peace
    assert wars_of("builder", rich(unit("ENG/A1", "London", HOST))) == set()


def test_a_builder_begins_no_war_with_an_equal() -> None:
    equals = [unit(f"{code}/A1", place, HOST) for code, place in CAPITALS.items()]
    assert wars_of("builder", strong_england().with_units(equals)) == set()
    assert wars_of("conqueror", strong_england().with_units(equals))


def test_nobody_starts_a_war_in_the_first_turns_or_against_an_ally() -> None:
    assert wars_of("conqueror", strong_england().evolve(turn=0)) == set()
    allies = [("ENG", code) for code in ("AQU", "DEN", "FRA", "LIT", "NOR", "TEU")]
    assert wars_of("conqueror", strong_england(allied=allies)) == set()


def test_a_conqueror_fights_one_war_at_a_time() -> None:
    french = unit("FRA/A1", "Paris", HOST)
    assert wars_of("conqueror", strong_england(war=[("ENG", "FRA")]).with_units([french])) == set()


def test_who_is_near_to_victory_has_all_his_neighbours_against_him_at_once() -> None:
    cities = {
        name: "FRA" for name in ("Bordeaux", "Riga", "Minsk", "Scania") if name in table().board.provinces
    }
    hosts = [unit(f"{code}/A1", place, HOST) for code, place in CAPITALS.items()]
    world = rich(
        unit("ENG/A1", "London", HOST), *hosts, owners={"Flanders": "ENG", **cities}, war=[("DEN", "ENG")]
    )
    shares = survey_of(world, table()).victory_shares
    assert shares[frozenset({"FRA"})] >= bot_profiles()["builder"].rival_percent
    for name in ("builder", "conqueror", "raider"):
        orders = orders_of(name, world, "ENG")
        assert [declaration.other for declaration in of_kind(orders, DeclareWar)] == ["FRA"]
        assert "DEN" in [offer.other for offer in of_kind(orders, OfferPeace)] or name == "builder"


def test_a_war_in_which_nothing_moves_ends_and_one_that_gains_land_does_not() -> None:
    hosts = (unit("ENG/A1", "Kent", {"Heavy Infantry": 9}), unit("FRA/A1", "Reims", {"Heavy Infantry": 9}))
    quiet = rich(*hosts, owners={"Flanders": "ENG"}, war=[("ENG", "FRA")])
    moved = quiet.with_provinces(quiet.provinces["Reims"].evolve(owner="ENG"))
    hurt = quiet.with_provinces(quiet.provinces["Reims"].evolve(damage=1))

    def asks(world: World) -> list[bool]:
        turns = (
            Command(view_of(world.evolve(turn=turn), "ENG"), bot_profiles()["conqueror"])
            for turn in range(6, 14)
        )
        return [gains_nothing(turn, "FRA") for turn in turns]

    assert asks(quiet).count(True) == 2
    assert not any(asks(moved))
    assert not any(asks(hurt))


def test_war_is_not_declared_while_units_stand_in_each_others_land() -> None:
    world = strong_england().with_units([unit("FRA/A1", "Kent", {"Men-at-Arms": 1})])
    assert "FRA" not in wars_of("conqueror", world)


@pytest.mark.parametrize("name", ["local-forces", *TEMPERS])
def test_the_file_says_who_wrote_it_and_why(name: str) -> None:
    text = asked(name, rich(unit("ENG/A1", "Kent", HOST)), "ENG").data.decode()
    assert f"written by the bot '{name}'" in text
    assert text.count("  # ") > 0


def test_what_the_bots_would_do_at_the_start_is_what_their_edition_stands_for() -> None:
    """If this fails and the change is meant: raise BOTS_EDITION in edition.py, so that replays of older
    games know.
    """
    digest = hashlib.sha256()
    for name in ("local-forces", *TEMPERS):
        for code in ("ENG", "FRA", "DEN"):
            world = rich(
                unit("ENG/A1", "Kent", HOST), unit("DEN/G1", "Zeeland", {"Trading Cog": 4, "Militia": 9})
            )
            digest.update(asked(name, world, code).data)
    marks = SPEC.fingerprints(SPEC.shipped_table("minsk"))
    assert (marks["bots"], digest.hexdigest()[:16]) == ("58c940a3f588e372", "7b976d512078df6f")


def test_what_people_read_of_a_bot_is_no_part_of_its_edition(monkeypatch: pytest.MonkeyPatch) -> None:
    table = SPEC.shipped_table("minsk")
    before = SPEC.fingerprints(table)
    profiles = {name: profile.evolve(about="in other words") for name, profile in bot_profiles().items()}
    monkeypatch.setattr(edition, "bot_profiles", lambda: profiles)
    assert SPEC.fingerprints(table) == before
    bolder = {name: profile.evolve(war_percent=profile.war_percent + 1) for name, profile in profiles.items()}
    monkeypatch.setattr(edition, "bot_profiles", lambda: bolder)
    assert SPEC.fingerprints(table)["bots"] != before["bots"]


@pytest.mark.clause("N2")
@pytest.mark.parametrize("gold", [5, 12, 40, 250])
def test_they_keep_one_turns_upkeep_in_reserve(gold: int) -> None:
    world = world_of(
        unit("ENG/G1", "London", {"Heavy Infantry": 10}), gold=gold, provinces={"Kent": {"annexed_to": None}}
    )
    orders = orders_of(LOCAL, world, "ENG")
    spent = sum(
        (rules().troops[order.troop].cost * order.count for order in of_kind(orders, Recruit)), Decimal(0)
    )
    spent += sum(
        (table().board.locations[order.province].revenue for order in of_kind(orders, Annex)), Decimal(0)
    )
    upkeep = total_upkeep(world.of_realm("ENG"), rules())
    assert bot_profiles()[LOCAL].reserve_percent == 100
    assert spent == 0 or Decimal(gold) - upkeep - spent >= upkeep
    assert bool(spent) == (gold >= 12)


@pytest.mark.clause("N2")
def test_they_recruit_what_has_most_hit_points_for_the_gold() -> None:
    recruits = [name for name in table().board.city("London").recruits if not rules().troops[name].ship]
    best = max(rules().troops[name].hit_points / rules().troops[name].cost for name in recruits)
    recruiting = of_kind(orders_of(LOCAL, world_of(), "ENG"), Recruit)
    assert [
        rules().troops[order.troop].hit_points / rules().troops[order.troop].cost for order in recruiting
    ] == [best]


@pytest.mark.clause("L4", "B2")
@pytest.mark.parametrize(
    ("without", "where"), [((), "Paris"), (("Paris",), "London"), (("Paris", "London"), "")]
)
def test_siege_machines_are_built_where_they_are_offered(without: tuple[str, ...], where: str) -> None:
    """A city on the front that offers none is passed over, also the largest."""
    world = make_world(
        unit("ENG/G1", "London", {"Men-at-Arms": 8}),
        unit("ENG/G2", "Paris", {"Men-at-Arms": 8}),
        war=[("ENG", "FRA")],
        owners={"Paris": "ENG", "Kent": "IND"},
        provinces={"Reims": {"fortification": 5}},
        realms={"ENG": {"treasury": Decimal(900)}},
        turn=6,
    )
    places = dict(table().board.locations)
    for name, resource in (("Paris", 12), ("London", 6)):
        city = places[name].city
        recruits = tuple(row for row in city.recruits if name not in without or row != "Siege Machine")
        places[name] = places[name].evolve(city=city.evolve(resource=resource, recruits=recruits))
    board = table().board.evolve(locations=places)
    sheet = drafted(view_of(world, "ENG", on=table().evolve(board=board)), bot_profiles()["builder"])
    recruited = {
        place: sheet.units[place].orders.get("recruit", ({}, ""))[0] for place in ("Paris", "London")
    }
    first = next((place for place, troops in recruited.items() if "Siege Machine" in troops), "")
    assert first == where


def test_who_masses_has_no_gold_for_fields_and_recruits_the_most_power_for_it() -> None:
    royalty = {"ENG": {"treasury": Decimal(400), "status": "royalty"}}
    view = view_of(make_world(unit("ENG/G1", "London", {"Men-at-Arms": 8}), realms=royalty, turn=6), "ENG")
    usual, massing = (
        drafted(view, bot_profiles()["raider"].evolve(masses=masses)) for masses in (False, True)
    )
    assert b"production area" in usual.data()
    assert b"production area" not in massing.data()
    rows = [rules().troops[name] for name in table().board.city("London").recruits]
    soldiers = {row.name: row for row in rows if not row.ship and row.kind is not TroopClass.SIEGE}
    best = max(troop_force(row).power / float(row.cost) for row in soldiers.values())
    recruited, _ = massing.units["London"].orders["recruit"]
    powers = [
        troop_force(soldiers[name]).power / float(soldiers[name].cost)
        for name in recruited
        if name in soldiers
    ]
    assert powers == [best]


@pytest.mark.clause("N2")
def test_good_odds_are_at_least_sixty_in_a_hundred() -> None:
    assert bot_profiles()[LOCAL].odds_percent == 60


@pytest.mark.clause("N3")
def test_their_orders_are_an_ordinary_order_file_for_the_turn() -> None:
    file = asked(LOCAL, world_of(), "ENG").reading
    assert file is not None
    assert (file.realm, file.turn, file.key) == ("ENG", 1, "a-key-1")


@pytest.mark.clause("N3")
def test_the_same_position_gives_the_same_bytes_and_another_seed_changes_nothing() -> None:
    world = world_of(unit("ENG/A1", "Kent", HOST), war=[("ENG", "FRA")])
    assert asked(LOCAL, world, "ENG", "one").data == asked(LOCAL, world, "ENG", "another").data


@pytest.mark.clause("N3", "V3")
def test_a_realm_of_local_forces_names_its_bot() -> None:
    world, _ = SPEC.with_standings(make_world(), {"ENG": (None, "local forces")})
    seats = {seat.code: seat for seat in SPEC.seats(table(), world)}
    assert (seats["ENG"].bot, seats["ENG"].played) == (LOCAL, False)
    assert (seats["FRA"].bot, seats["FRA"].played) == ("", True)
