"""A small fixed world for tests: five seas, fourteen provinces, six realms, every kind of border.

        North Sea --- Channel --- Alborg Bight --- Hanobukten --- Baltic

London (city, harbour, fort 2, ENG) . Kent (ENG) . Flanders (independent) . Reims, Paris (FRA) . Savoy .
Slavinia, Schleswig, Zeeland, Scania (DEN) . Pomerania, Riga (TEU) . Minsk, Zodzina (LIT)
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from gm.core.codec import from_plain
from gm.core.pipeline import Step, Turn
from gm.core.values import Event
from gm.core.yaml.models import load_data
from gm.games.medieval.data.atlas import Atlas, Barrier, Border, City, Location, RealmSeat
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.state import INDEPENDENTS, Commander, Province, Realm, Unit, UnitKind, World, pair
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.steps.outcomes import OrderSettled


def data_of(name: str) -> dict[str, Any]:
    """A file of ``data``."""
    data: dict[str, Any] = load_data(Path(__file__).with_name("data") / f"{name}.yaml")[0]
    return data


LAND = data_of("testland")
REALMS: dict[str, str] = LAND["realms"]
PROVINCES: tuple[tuple[str, int, bool, str, bool, int], ...] = tuple(map(tuple, LAND["provinces"]))
"""Name, revenue, city?, owner, harbour?, fortification."""
SEAS: tuple[str, ...] = tuple(LAND["seas"])
BORDERS: tuple[tuple[str, ...], ...] = tuple(map(tuple, LAND["borders"]))
WORLD = ("war", "allied", "owners", "provinces", "turn", "victory_turns", "winners")


@cache
def atlas() -> Atlas:
    """The map of the test world."""
    capitals = {place: code for code, place in REALMS.items()}
    places = {
        name: Location(
            name=name,
            revenue=Decimal(revenue),
            city=City(name=name, resource=6, recruits=tuple(LAND["recruits"])) if city else None,
            production_limit=3,
            capital_of=capitals.get(name),
        )
        for name, revenue, city, *_ in PROVINCES
    }
    places |= {name: Location(name=name, sea=True) for name in SEAS}
    return Atlas(
        name="testland",
        title="Testland",
        width=100,
        height=100,
        realms={
            code: RealmSeat(
                code=code, name=code.title(), ruler="", group="west", capital=place, colour="#888888"
            )
            for code, place in REALMS.items()
        },
        locations=places,
        borders=tuple(
            Border(a=a, b=b, barrier=Barrier(more[0]) if more else None) for a, b, *more in BORDERS
        ),
    )


@cache
def rules() -> Rules:
    """The rules data as shipped."""
    from gm.games.medieval.data.rules_data import load_rules

    return load_rules()


def unit(
    key: str,
    place: str,
    troops: Mapping[str, int | Sequence[int]] | None = None,
    *,
    commanders: Sequence[Commander] = (),
    **more: Any,
) -> Unit:
    """A unit by its key (``ENG/A1``). ``troops``: a count for rank 1, or five counts by rank."""
    realm, unit_id = key.split("/")
    ranks = {
        name: (counts, 0, 0, 0, 0) if isinstance(counts, int) else tuple(counts)
        for name, counts in (troops or {}).items()
    }
    return Unit(
        realm=realm,
        kind=UnitKind(unit_id[0]),
        number=int(unit_id[1:]),
        place=place,
        troops=ranks,
        commanders=tuple(commanders),
        **more,
    )


def commander(
    name: str = "Sir John", infantry: int = 0, cavalry: int = 0, siege: int = 0, naval: int = 0
) -> Commander:
    return Commander(name=name, infantry=infantry, cavalry=cavalry, siege=siege, naval=naval)


def _lands(owners: Mapping[str, str], changes: Mapping[str, Mapping[str, Any]]) -> dict[str, Province]:
    """Return the test map's provinces by name; ``changes``: single fields of some."""
    lands = {}
    for name, _, _city, usual, harbour, fortification in PROVINCES:
        owner = owners.get(name, usual)
        fields: dict[str, Any] = {
            "owner": owner,
            "annexed_to": None if owner == INDEPENDENTS else owner,
            "harbour": harbour,
            "fortification": fortification,
        }
        lands[name] = from_plain({"name": name, **fields, **changes.get(name, {})}, Province)
    return lands


def _missing_garrisons(units: Sequence[Unit], lands: Mapping[str, Province]) -> Iterator[Unit]:
    """Yield an empty garrison for each city and fortification that has none among the units."""
    garrisons = [unit for unit in units if unit.is_garrison]
    guarded = {garrison.place for garrison in garrisons}
    numbers: dict[str, int] = {}
    for garrison in garrisons:
        numbers[garrison.realm] = max(numbers.get(garrison.realm, 0), garrison.number)
    for name, _, city, *_ in PROVINCES:
        if name not in guarded and (city or lands[name].fortification):
            owner = lands[name].owner
            numbers[owner] = numbers.get(owner, 0) + 1
            yield Unit(realm=owner, kind=UnitKind.GARRISON, number=numbers[owner], place=name)


def make_world(
    *units: Unit,
    war: Sequence[tuple[str, str]] = (),
    allied: Sequence[tuple[str, str]] = (),
    owners: Mapping[str, str] | None = None,
    provinces: Mapping[str, Mapping[str, Any]] | None = None,
    realms: Mapping[str, Mapping[str, Any]] | None = None,
    **more: Any,
) -> World:
    """The test world with these units.

    Every province is annexed to its owner; missing garrisons are made, empty.

    ``provinces`` and ``realms`` override single fields, ``owners`` the owners (and annexations).
    """
    lands = _lands(owners or {}, provinces or {})
    placed = {unit.key: unit for unit in (*units, *_missing_garrisons(units, lands))}
    return World(
        realms={
            code: from_plain(
                {
                    "code": code,
                    "name": code.title(),
                    "ruler": f"Ruler of {code}",
                    "treasury": Decimal(100),
                    **(realms or {}).get(code, {}),
                },
                Realm,
            )
            for code in sorted(REALMS)
        },
        provinces=lands,
        units={unit.key: unit for unit in sorted(placed.values(), key=lambda unit: unit.order)},
        wars=frozenset(pair(a, b) for a, b in war),
        alliances=frozenset(pair(a, b) for a, b in allied),
        **more,
    )


def world_of(fields: Mapping[str, Any]) -> World:
    """A position as data: units by key, and what else is not as usual (as in ``make_world``)."""
    units = []
    for key, fields_of in fields.get("units", {}).items():
        more = dict(fields_of)
        led = [commander(name, *ratings) for name, ratings in more.pop("commanders", {}).items()]
        units.append(unit(key, more.pop("place"), more.pop("troops", None), commanders=led, **more))
    realms = {code: dict(fields_of) for code, fields_of in fields.get("realms", {}).items()}
    for fields_of in realms.values():
        fields_of |= {name: Decimal(fields_of[name]) for name in ("treasury",) if name in fields_of}
    return make_world(*units, realms=realms, **{name: fields[name] for name in WORLD if name in fields})


def with_marks(
    world: World,
    done: Mapping[str, Mapping[str, Any]] | None = None,
    provinces: Mapping[str, Mapping[str, Any]] | None = None,
) -> World:
    """The world as if this had happened to units (by key) and provinces earlier in the turn."""
    draft = Draft(world)
    for key, marks in (done or {}).items():
        draft.set_progress(key, **marks)
    for name, marks in (provinces or {}).items():
        draft.mark_province(name, **marks)
    return draft.finish()


E_ = TypeVar("E_", bound=Event)


@dataclass(frozen=True)
class Played:
    """A turn, or part of one, that was run."""

    before: World
    world: World
    events: tuple[Event, ...]

    def only(self, kind: type[E_]) -> list[E_]:
        """The events of one kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    def fates(self, realm: str) -> list[tuple[str, str, str]]:
        """(order text, fate, reason) of each of the realm's orders, in the order in which they were
        settled.
        """
        return [(e.text, e.fate.value, e.reason) for e in self.only(OrderSettled) if e.audience == realm]

    def fate(self, realm: str, text: str) -> tuple[str, str]:
        """(fate, reason) of the realm's one order whose text contains ``text``."""
        (fate,) = [(fate, reason) for written, fate, reason in self.fates(realm) if text in written]
        return fate

    def unit(self, key: str) -> Unit:
        return self.world.units[key]


def read_orders(world: World, orders: Mapping[str, str | Orders]) -> dict[str, Orders]:
    """Order sheets from YAML texts without header (``headquarters:`` and ``units:``).

    A bad order is an error here.
    """
    from tests.medieval.order_reading import read_sheet

    sheets = {}
    for realm, text in orders.items():
        if isinstance(text, Orders):
            sheets[realm] = text
            continue
        header = f"orders: 1\ngame: test\nrealm: {realm}\nturn: {world.turn + 1}\nkey: test-key\n"
        sheet, diagnostics = read_sheet(
            (header + text).encode(), f"{realm}.yaml", world=world, rules=rules(), atlas=atlas(), game="test"
        )
        bad = [diagnostic for diagnostic in diagnostics if diagnostic.is_error]
        assert not bad, "\n".join(d.render() for d in bad)
        assert sheet is not None
        sheets[realm] = sheet
    return sheets


def make_turn(world: World, orders: Mapping[str, str | Orders] | None = None, seed: str = "test") -> Turn:
    """The turn that a step sees, with the turn's progress opened."""
    from gm.games.medieval.steps.bookkeeping import turn_opens

    turn: Turn = Turn(
        state=world,
        number=world.turn + 1,
        rules=rules(),
        board=atlas(),
        orders=read_orders(world, orders or {}),
        seed=seed,
    )
    from msgspec.structs import replace

    return replace(turn, state=turn_opens(turn).state)


def run_steps(
    world: World,
    steps: Sequence[Step],
    orders: Mapping[str, str | Orders] | None = None,
    *,
    phase: int = 1,
    seed: str = "test",
) -> Played:
    """Run only these steps, in this order, in one phase (0 for First and Final Events)."""
    from msgspec.structs import replace

    turn = make_turn(world, orders, seed)
    events: list[Event] = []
    for step in steps:
        outcome = step(turn.at_step(step.name, phase))
        turn = replace(turn, state=outcome.state)
        events += outcome.events
    return Played(world, turn.state, tuple(events))


def play(world: World, orders: Mapping[str, str | Orders] | None = None, *, seed: str = "test") -> Played:
    """Run a whole turn through the real pipeline."""
    from gm.games.medieval.pipeline import play_turn

    outcome = play_turn(world, read_orders(world, orders or {}), rules=rules(), atlas=atlas(), seed=seed)
    return Played(world, outcome.state, outcome.events)
