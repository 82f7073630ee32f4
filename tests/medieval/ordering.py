"""Hypothesis generators of orders for a world: sensible, impossible and absurd ones, as order sheets."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from gm.games.medieval.orders import model
from gm.games.medieval.orders.model import Order, OrderSheet, PlanEntry, Structure, UnitOrder, Written
from gm.games.medieval.state import Unit, World
from gm.kernel.model import FrozenMap
from tests.medieval.positions import CODES, LANDS, NAMES, PLACES, SHIPS, SOLDIERS
from tests.medieval.testland import atlas

NEW_IDS = ("A50", "A51", "F50", "F51")
HERE = Written(0, 0, "")
_troop = st.sampled_from((*SOLDIERS, *SHIPS))
_count = st.integers(1, 12)
_code = st.sampled_from(CODES)
_land = st.sampled_from(LANDS)
_name = st.sampled_from((*NAMES, "Nobody", "Jean  the\u00a0Odd"))
_answer = st.booleans()
_amount = st.builds(lambda cents: Decimal(cents) / 100, st.integers(1, 20000))


def references(world: World, realm: str) -> SearchStrategy[str]:
    """Own units mostly; also units to be formed, other realms' units, and ids of nobody."""
    own = [unit.id for unit in world.of_realm(realm)]
    others = [unit.key for unit in world.units.values() if unit.realm not in (realm, "IND")]
    return st.sampled_from((*own, *own, *NEW_IDS, *others, "A98", "F98", "G98", "ENG/A98"))


def beside(unit: Unit | None, own_first: bool = True) -> SearchStrategy[str]:
    """Mostly the places next to a unit, sometimes any."""
    if unit is None:
        return st.sampled_from(PLACES)
    near = atlas().topology.neighbours(unit.place)
    return st.sampled_from((*near, *near, *near, unit.place, *PLACES))


@st.composite
def headquarters(draw: DrawFn, world: World, realm: str) -> Order:
    """One order of the headquarters."""
    kind = draw(
        st.sampled_from(
            (
                model.DeclareWar,
                model.RefuseGifts,
                model.AcceptGifts,
                model.GrantPassage,
                model.RevokePassage,
                model.SendAmbassador,
                model.OfferPeace,
                model.CancelAlliance,
                model.OfferAlliance,
            )
        )
    )
    own = [land.name for land in world.owned_by(realm)]
    land = draw(st.sampled_from((*own, *own, *LANDS)))
    other = draw(_code)
    commanders = [c.name for unit in world.of_realm(realm) for c in unit.commanders]
    return draw(
        st.sampled_from(
            (
                kind(HERE, other),
                kind(HERE, other),
                model.GrantPermission(HERE, land, other),
                model.RevokePermission(HERE, land, other),
                model.SendGold(HERE, other, draw(_amount)),
                model.Annex(HERE, land),
                model.GiveProvince(HERE, land, other),
                model.CedeProvince(HERE, land),
                model.Proclamation(HERE, draw(st.sampled_from(("Hear ye!", "<script>x</script>", "p" * 1001)))),
                model.RenameCommander(HERE, draw(st.sampled_from((*commanders, *NAMES))), draw(_name)),
            )
        )
    )


@st.composite
def unit_orders(draw: DrawFn, world: World, realm: str, reference: str) -> UnitOrder:
    """One order to a unit besides its plan."""
    unit = world.unit(realm, reference)
    here = sorted(unit.troops) if unit is not None else []
    commanders = [c.name for c in unit.commanders] if unit is not None else []
    troop = draw(st.sampled_from((*here, *here, *SOLDIERS, *SHIPS)))
    commander = draw(st.sampled_from((*commanders, *commanders, *NAMES)))
    structure = draw(st.sampled_from(Structure))
    recruits = ("Peasant Rabble", "Heavy Infantry", "Trading Cog", "Siege Machine")
    ranks = st.dictionaries(st.integers(1, 5), st.integers(0, 8), min_size=1, max_size=3)
    own = [each.id for each in world.of_realm(realm)]
    return draw(
        st.sampled_from(
            (
                model.FormUnit(HERE, reference, draw(st.sampled_from((*NEW_IDS, "A1", "F2"))), draw(st.none() | _name)),
                model.Recruit(HERE, reference, draw(st.sampled_from((*recruits, "Berber Warriors"))), draw(_count)),
                model.HireCommander(HERE, reference, draw(st.integers(1, 6))),
                model.Build(HERE, reference, structure),
                model.Build(HERE, reference, Structure.FORTIFICATION),
                model.Repair(HERE, reference),
                model.Raze(HERE, reference, structure),
                model.Rename(HERE, reference, draw(st.none() | _name)),
                model.SetRetreatLevel(HERE, reference, draw(st.integers(1, 5))),
                model.Follow(HERE, reference, draw(st.sampled_from((None, *own, *NEW_IDS)))),
                model.SetDefendFortifications(HERE, reference, draw(_answer)),
                model.SetMarines(HERE, reference, draw(_answer)),
                model.SetLeader(HERE, reference, draw(st.sampled_from((None, commander)))),
                model.SetRanks(HERE, reference, troop, FrozenMap(draw(ranks))),
                model.Disband(HERE, reference, troop, draw(_count)),
                model.DisbandCommander(HERE, reference, commander),
            )
        )
    )


@st.composite
def transfers(draw: DrawFn, world: World, realm: str, reference: str) -> PlanEntry:
    """A transfer, mostly of what the unit has, mostly to somebody in the same place."""
    unit = world.unit(realm, reference)
    here = [
        other.id if other.realm == realm else other.key
        for other in (world.at(unit.place) if unit is not None else ())
        if other.realm != "IND"
    ]
    receiver = draw(st.sampled_from((*here, *here, *NEW_IDS)) | references(world, realm))
    types = sorted(unit.troops) if unit is not None else []
    commanders = [c.name for c in unit.commanders] if unit is not None else []
    found = draw(st.dictionaries(st.sampled_from((*types, *types, "Heavy Cavalry", "Trading Cog")), _count, max_size=2))
    named = draw(st.lists(st.sampled_from((*commanders, *commanders, "Nobody")), max_size=2, unique=True))
    if not found and not named:
        found = {"Heavy Infantry": 1}
    return model.Transfer(HERE, receiver, FrozenMap(found), tuple(named))


@st.composite
def plan_entries(draw: DrawFn, world: World, realm: str, reference: str) -> PlanEntry:
    """One entry of a plan: mostly what this kind of unit can do."""
    unit = world.unit(realm, reference)
    near = beside(unit)
    at = unit.place if unit is not None else ""
    armies = [
        other.id if other.realm == realm else other.key
        for place in ((at, *atlas().topology.neighbours(at)) if at else ())
        for other in world.at(place)
        if other.is_army and other.realm != "IND"
    ]
    army = st.sampled_from((*armies, *armies, "A1", "A50", "FRA/A1"))
    common: list[SearchStrategy[PlanEntry]] = [
        transfers(world, realm, reference),
        st.just(model.Hold(HERE)),
        st.just(model.Pillage(HERE)),
    ]
    marching: list[SearchStrategy[PlanEntry]] = [
        st.builds(model.March, st.just(HERE), near),
        st.builds(model.March, st.just(HERE), near),
        st.builds(model.Board, st.just(HERE), _code),
    ]
    sailing: list[SearchStrategy[PlanEntry]] = [
        st.builds(model.Sail, st.just(HERE), near),
        st.builds(model.Load, st.just(HERE), st.lists(army, min_size=1, max_size=3, unique=True).map(tuple)),
        st.builds(
            model.Unload,
            st.just(HERE),
            st.dictionaries(army, near.filter(LANDS.__contains__) | _land, min_size=1, max_size=2).map(FrozenMap),
        ),
    ]
    fitting = sailing if reference.startswith("F") else marching
    if draw(st.integers(0, 9)) == 0:
        fitting = [*marching, *sailing]
    return draw(st.one_of(*common, *fitting, *fitting))


@st.composite
def sheets(draw: DrawFn, world: World, realm: str) -> OrderSheet:
    """One realm's orders of a turn; each order has a line of its own."""
    lines = iter(range(1, 10_000))

    def written(order: Any) -> Any:
        fields = {name: getattr(order, name) for name in order.__dataclass_fields__}
        line = next(lines)
        return type(order)(**{**fields, "written": Written(line, 3, f"line {line}: {type(order).__name__}")})

    targets = references(world, realm)
    plain = targets.filter(lambda reference: "/" not in reference)
    own = [unit.id for unit in world.of_realm(realm)]
    guarded = [unit.place for unit in world.of_realm(realm) if unit.is_garrison]
    plans = {}
    told = draw(st.lists(st.sampled_from((*own, *own, *own, *guarded, *NEW_IDS, "A98")), max_size=7, unique=True))
    for reference in told:
        entries = draw(st.lists(plan_entries(world, realm, reference), min_size=1, max_size=4))
        plans[reference] = tuple(written(entry) for entry in entries)
    told_more = draw(st.lists(plain, max_size=6))
    return OrderSheet(
        realm=realm,
        turn=world.turn + 1,
        key="test-key",
        headquarters=tuple(written(order) for order in draw(st.lists(headquarters(world, realm), max_size=6))),
        units=tuple(written(draw(unit_orders(world, realm, reference))) for reference in told_more),
        plans=FrozenMap(plans),
        contact=f"{realm.lower()}@example.org",
    )


@st.composite
def all_orders(draw: DrawFn, world: World) -> dict[str, OrderSheet]:
    """Sheets of some of the living realms."""
    living = tuple(code for code, realm in world.realms.items() if not realm.defeated)
    senders = draw(st.lists(st.sampled_from(living), max_size=5, unique=True))
    return {realm: draw(sheets(world, realm)) for realm in senders}
