"""Hypothesis generators of orders for a world: mostly sensible, sometimes impossible or absurd, as order
sheets.
"""

from collections.abc import Sequence
from decimal import Decimal
from itertools import chain
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from gm.games.medieval.orders import model
from gm.games.medieval.orders.model import Order, Orders, PlanEntry, Structure, UnitOrder, Written
from gm.games.medieval.state import Unit, UnitKind, World
from tests.medieval.positions import CODES, LANDS, NAMES, PLACES, SHIPS, SOLDIERS, between, once, one_of
from tests.medieval.testland import atlas

T = TypeVar("T")

NEW_IDS = ("A50", "A51", "F50", "F51")
NOBODY = ("A98", "F98", "G98", "ENG/A98")
HERE = Written(0, 0, "")
REALM_ORDERS = tuple(model.RealmOrder.__subclasses__())
_count = between(1, 12)
_few = between(1, 3)
_code = one_of(*CODES)
_name = one_of(*NAMES, "Nobody", "Jean  the\u00a0Odd", "n" * 41)
_answer = st.booleans()
_amount = st.builds(lambda cents: Decimal(cents) / 100, between(1, 3000))
_structure = one_of(*Structure)
_here = st.just(HERE)
_hold = st.just(model.Hold(HERE))
_pillage = st.just(model.Pillage(HERE))
_board = st.builds(model.Board, _here, _code)
_ranks = st.dictionaries(between(1, 5), between(0, 8), min_size=1, max_size=3)
_perhaps_name = st.none() | _name
_strangers = st.lists(one_of(*NEW_IDS, "A98", "G98"), max_size=1)


def mostly(usual: Sequence[T], odd: Sequence[T]) -> SearchStrategy[T]:
    """One of ``usual`` four times out of five, if there are any, else one of ``odd``."""
    return _mostly(tuple(usual), tuple(odd))


def perhaps(usual: Sequence[T], odd: Sequence[T]) -> SearchStrategy[T | None]:
    """The same, or nothing."""
    return _or_none(mostly(usual, odd))


@once
def _or_none(strategy: SearchStrategy[T]) -> SearchStrategy[T | None]:
    return st.none() | strategy


@once
def _mostly(usual: tuple[T, ...], odd: tuple[T, ...]) -> SearchStrategy[T]:
    if not usual:
        return one_of(*odd)
    return between(0, 4).flatmap(lambda roll: one_of(*(odd if roll == 4 else usual)))


@st.composite
def headquarters(draw: DrawFn, world: World, realm: str) -> Order:
    """One order of the headquarters, whoever and whatever it is about."""
    other = draw(_code)
    own = [land.name for land in world.owned_by(realm)]
    idle = [land.name for land in world.owned_by(realm) if land.annexed_to != realm]
    land = draw(mostly(own, LANDS))
    all_commanders = chain.from_iterable(unit.commanders for unit in world.of_realm(realm))
    commanders = [commander.name for commander in all_commanders]
    words = one_of("Hear ye!", "", "<script>x</script>", "p" * 1001)
    return draw(
        st.sampled_from(
            (
                draw(one_of(*REALM_ORDERS))(HERE, other),
                model.GrantPermission(HERE, land, other),
                model.RevokePermission(
                    HERE, land, draw(mostly(sorted(world.provinces[land].permissions), CODES))
                ),
                model.SendGold(HERE, other, draw(_amount)),
                model.Annex(HERE, draw(mostly(idle, LANDS))),
                model.GiveProvince(HERE, land, other),
                model.CedeProvince(HERE, land),
                model.Proclamation(HERE, draw(words)),
                model.RenameCommander(HERE, draw(mostly(commanders, NAMES)), draw(_name)),
            )
        )
    )


@st.composite
def policies(draw: DrawFn, world: World, realm: str) -> list[Order]:
    """A realm's stance to all others at once, so that some offers meet."""
    others = [code for code in world.realms if code != realm]
    choice = draw(between(0, 7))
    if choice == 0:
        return [model.OfferPeace(HERE, other) for other in others if world.at_war(realm, other)]
    if choice == 1:
        return [model.OfferAlliance(HERE, other) for other in others if not world.at_war(realm, other)]
    if choice == 2:
        return [model.CancelAlliance(HERE, other) for other in others if world.allied(realm, other)]
    if choice == 3:
        lands = [land.name for land in world.owned_by(realm)]
        return [model.GiveProvince(HERE, land, others[0]) for land in lands]
    if choice == 4:
        return [model.DeclareWar(HERE, draw(one_of(*others))), model.DeclareWar(HERE, others[-1])]
    return draw(st.lists(headquarters(world, realm), max_size=5))


@st.composite
def unit_orders(draw: DrawFn, world: World, realm: str, unit: Unit | None, reference: str) -> UnitOrder:
    """One order to a unit besides its plan: mostly one that its kind can carry out."""
    kind = unit.kind if unit is not None else draw(one_of(*UnitKind))
    if draw(between(0, 9)) == 9:
        kind = draw(one_of(*UnitKind))
    commanders = [commander.name for commander in unit.commanders] if unit is not None else []
    troop = draw(mostly(sorted(unit.troops) if unit is not None else [], (*SOLDIERS, *SHIPS)))
    ranks = draw(_ranks)
    orders: list[UnitOrder] = [
        model.FormUnit(HERE, reference, draw(mostly(NEW_IDS, ("A1", "F2"))), draw(_perhaps_name)),
        model.Rename(HERE, reference, draw(_perhaps_name)),
        model.SetLeader(HERE, reference, draw(perhaps(commanders, NAMES))),
        model.SetRanks(HERE, reference, troop, ranks),
        model.Disband(HERE, reference, troop, draw(_count)),
        model.DisbandCommander(HERE, reference, draw(mostly(commanders, NAMES))),
    ]
    if kind is not UnitKind.GARRISON:
        friends = [unit.id for unit in world.of_realm(realm) if unit.kind is kind and unit.id != reference]
        orders += [
            model.SetRetreatLevel(HERE, reference, draw(between(1, 5))),
            model.Follow(HERE, reference, draw(perhaps(friends, (*NEW_IDS, reference)))),
        ]
    if kind is UnitKind.ARMY:
        orders += [
            model.SetDefendFortifications(HERE, reference, draw(_answer)),
            model.SetMarines(HERE, reference, draw(_answer)),
        ]
    if kind is not UnitKind.FLEET:
        orders += [
            model.Build(HERE, reference, draw(_structure)),
            model.Repair(HERE, reference),
            model.Raze(HERE, reference, draw(_structure)),
        ]
    if kind is UnitKind.GARRISON:
        city = atlas().city(unit.place) if unit is not None and unit.is_garrison else None
        recruit = mostly(city.recruits if city else (), ("Berber Warriors", "Carrack"))
        orders += [
            *(model.Recruit(HERE, reference, draw(recruit), draw(_count)) for _ in range(3)),
            model.HireCommander(HERE, reference, draw(_few)),
        ]
    return draw(st.sampled_from(orders))


@st.composite
def plans(draw: DrawFn, world: World, realm: str, unit: Unit | None) -> tuple[PlanEntry, ...]:
    """A plan that goes step by step from where the unit is, with an absurd entry now and then."""
    at = unit.place if unit is not None else draw(st.sampled_from(PLACES))
    kind = unit.kind if unit is not None else UnitKind.ARMY
    entries: list[PlanEntry] = []
    for _ in range(draw(between(1, 4))):
        acting = draw(one_of(*UnitKind)) if draw(between(0, 9)) == 9 else kind
        entries.append(draw(st.one_of(_entries(world, realm, unit, acting, at))))
        match entries[-1]:
            case model.March(_, place) | model.Sail(_, place):
                at = place
    return tuple(entries)


def _entries(
    world: World, realm: str, unit: Unit | None, kind: UnitKind, at: str
) -> list[SearchStrategy[PlanEntry]]:
    """What a unit of a kind can do at a place."""
    options: list[SearchStrategy[PlanEntry]] = [transfers(world, realm, unit, at)]
    if kind is not UnitKind.GARRISON:
        options.append(_hold)
    if kind is not UnitKind.FLEET:
        options.append(_pillage)
    if kind is UnitKind.ARMY:
        near = [place for place in atlas().open_neighbours(at, sea=False) if may_enter(world, realm, place)]
        march = _going(model.March, tuple(near))
        options += [march, march, march, _board]
    if kind is UnitKind.FLEET:
        sail = _going(
            model.Sail, tuple(atlas().open_neighbours(at, sea=None if atlas().is_sea(at) else True))
        )
        options += [sail, sail, _loads(world, realm, at), _unloads(world, realm, unit, at)]
    return options


@once
def _going(order: type[model.March | model.Sail], near: tuple[str, ...]) -> SearchStrategy[PlanEntry]:
    return st.builds(order, _here, mostly(near, PLACES))


def may_enter(world: World, realm: str, place: str) -> bool:
    """Whether a march there is allowed (P1, P2)."""
    return world.has_permission(realm, place) or world.is_enemy_land(realm, place)


def _loads(world: World, realm: str, at: str) -> SearchStrategy[PlanEntry]:
    armies = chain.from_iterable(world.at(place) for place in (at, *atlas().open_neighbours(at, sea=False)))
    ashore = [
        reference(realm, army) for army in armies if army.is_army and not army.aboard and army.realm != "IND"
    ]
    return _loading(tuple(ashore))


@once
def _loading(ashore: tuple[str, ...]) -> SearchStrategy[PlanEntry]:
    armies = st.lists(mostly(ashore, ("A1", "A50", "FRA/A1")), min_size=1, max_size=3, unique=True)
    return st.builds(model.Load, _here, armies.map(tuple))


def _unloads(world: World, realm: str, unit: Unit | None, at: str) -> SearchStrategy[PlanEntry]:
    aboard = [reference(realm, army) for army in (world.cargo(unit.key) if unit is not None else ())]
    near = (
        [at, *atlas().open_neighbours(at, sea=False)]
        if at in LANDS
        else atlas().open_neighbours(at, sea=False)
    )
    return _landing(tuple(aboard), tuple(near))


@once
def _landing(aboard: tuple[str, ...], near: tuple[str, ...]) -> SearchStrategy[PlanEntry]:
    lands = mostly(near, LANDS).filter(LANDS.__contains__)
    landings = st.dictionaries(mostly(aboard, ("A1", "A2", "A50", "FRA/A1")), lands, min_size=1, max_size=3)
    return st.builds(model.Unload, _here, landings)


@st.composite
def transfers(draw: DrawFn, world: World, realm: str, unit: Unit | None, at: str) -> PlanEntry:
    """A transfer, mostly of what the unit has to somebody in the same place."""
    here = [reference(realm, other) for other in world.at(at) if other != unit and other.realm != "IND"]
    own = [other.id for other in world.of_realm(realm)]
    receiver = draw(mostly(here, (*own, *NEW_IDS, *NOBODY)))
    types = sorted(unit.troops) if unit is not None else []
    commanders = [commander.name for commander in unit.commanders] if unit is not None else []
    chosen_troops = draw(_some_troops(tuple(types)))
    named = draw(st.lists(mostly(commanders, ("Nobody",)), max_size=2, unique=True)) if commanders else []
    return model.Transfer(HERE, receiver, chosen_troops or {"Heavy Infantry": 1}, tuple(named))


@once
def _some_troops(types: tuple[str, ...]) -> SearchStrategy[dict[str, int]]:
    return st.dictionaries(mostly(types, ("Heavy Cavalry", "Trading Cog")), _count, max_size=2)


def reference(realm: str, unit: Unit) -> str:
    """How the realm's order file names a unit."""
    return unit.id if unit.realm == realm else unit.key


@st.composite
def sheets(draw: DrawFn, world: World, realm: str) -> Orders:
    """One realm's orders of a turn; each order has a line of its own."""
    lines = iter(range(1, 10_000))

    def written(order: Any) -> Any:
        fields = {name: getattr(order, name) for name in order.__struct_fields__}
        line = next(lines)
        return type(order)(**{**fields, "written": Written(line, 3, f"line {line}: {type(order).__name__}")})

    units = world.of_realm(realm)
    named = [unit.place if unit.is_garrison and draw(_answer) else unit.id for unit in units]
    plans_by_unit: dict[str, tuple[PlanEntry, ...]] = {}
    orders: list[UnitOrder] = []
    for name in [*named, *draw(_strangers)]:
        unit = world.unit(realm, name)
        # a sheet says something to most units, and to a unit that moves mostly where
        for _ in range(draw(one_of(0, 0, 1, 2))):
            orders.append(written(draw(unit_orders(world, realm, unit, name))))
        if draw(between(0, 3)) < (1 if unit is None or unit.is_garrison else 3):
            plans_by_unit[name] = tuple(written(entry) for entry in draw(plans(world, realm, unit)))
    return Orders(
        realm=realm,
        turn=world.turn + 1,
        headquarters=tuple(written(order) for order in draw(policies(world, realm))),
        units=tuple(orders),
        plans=plans_by_unit,
        contact=f"{realm.lower()}@example.org",
    )


@st.composite
def all_orders(draw: DrawFn, world: World) -> dict[str, Orders]:
    """Sheets of some of the living realms."""
    living = tuple(code for code, realm in world.realms.items() if not realm.defeated)
    senders = draw(st.lists(one_of(*living), max_size=5, unique=True))
    return {realm: draw(sheets(world, realm)) for realm in senders}
