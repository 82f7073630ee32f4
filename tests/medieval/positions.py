"""Hypothesis generators of worlds on the test map: any position that a turn can start from.

``worlds()`` draws sound worlds (``broken_invariants`` finds nothing in them but realms above their limits,
whose status a GM may have lowered): armies, fleets at sea, docked or homeless, cargo also of enemies, wars,
alliances, damages, commanders, empty treasuries, annexations and permissions.
"""

from decimal import Decimal
from functools import lru_cache
from itertools import combinations
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from gm.games.medieval.state import (
    INDEPENDENTS,
    Commander,
    Pair,
    Province,
    Ranks,
    Realm,
    Status,
    Unit,
    UnitKind,
    World,
)
from gm.games.medieval.state.realm import Controller
from tests.medieval.testland import PROVINCES, REALMS, SEAS, atlas, rules

T = TypeVar("T")

CODES = tuple(sorted(REALMS))
PLACES = tuple(atlas().locations)
LANDS = atlas().provinces
PORTS = tuple(name for name in LANDS if atlas().has_coast(name))
SOLDIERS = (
    "Peasant Rabble",
    "Men-at-Arms",
    "Elite Marines",
    "Longbowmen",
    "Heavy Infantry",
    "Nordic Warriors",
    "Mounted Infantry",
    "Heavy Cavalry",
    "Mongol Raiders",
    "Siege Machine",
)
SHIPS = ("Trading Cog", "Light Dromond", "Medium Galley", "Carrack")
NAMES = ("Sir John", "Étienne", "Otto Wolfsbane", "Kutlugh Timur", "Gleb of Pinsk", "<b>Bold</b>")

# hypothesis looks into each strategy before it draws from it: what is asked for often is made once
once = lru_cache(maxsize=10_000)
between = once(st.integers)


@once
def one_of(*options: Any) -> SearchStrategy[Any]:
    """One of the options, any as likely as another."""
    return st.sampled_from(options)


_few = one_of(0, 0, 0, 1, 1, 2)
_answers = st.booleans()

purses = one_of(0, 123, 5000, 20000).flatmap(lambda top: between(top // 2, top))
"""Treasuries in hundredths of gold: empty, nearly so, and enough for something."""


@once
def subsets(options: tuple[T, ...], at_most: int = 2) -> SearchStrategy[frozenset[T]]:
    """A few of ``options``, often none."""
    return st.frozensets(one_of(*options), max_size=at_most) if options else st.just(frozenset())


@once
def counts(at_most: int = 6) -> SearchStrategy[Ranks]:
    """Counts by rank, at least one troop in all."""
    one = between(0, at_most)
    return st.tuples(between(1, at_most), one, one, one, one) | st.builds(
        lambda rank, count: tuple(count if at == rank else 0 for at in range(5)),
        between(0, 4),
        between(1, at_most),
    )


@once
def troops(types: tuple[str, ...], at_least: int = 0) -> SearchStrategy[dict[str, Ranks]]:
    """Troops of up to three types."""
    return st.dictionaries(one_of(*types), counts(), min_size=at_least, max_size=3)


@st.composite
def relations(draw: DrawFn) -> tuple[frozenset[Pair], frozenset[Pair]]:
    """(wars, alliances) among the realms."""
    pairs = tuple(combinations(CODES, 2))
    wars = draw(subsets(pairs, 10))
    alliances = draw(subsets(pairs, 6))
    return wars, alliances - wars


def enemies_of(code: str, wars: frozenset[Pair]) -> frozenset[str]:
    """The realms at war with one."""
    return frozenset(b if a == code else a for a, b in wars if code in (a, b))


@st.composite
def realms(draw: DrawFn, code: str, wars: frozenset[Pair], defeated: bool) -> Realm:
    """One realm; it grants its enemies no passage."""
    others = tuple(other for other in CODES if other != code)
    return Realm(
        code=code,
        name=code.title(),
        ruler=f"Ruler of {code}",
        treasury=Decimal(draw(purses)) / 100,
        status=draw(one_of(*Status)),
        controller=draw(one_of(Controller.PLAYER, Controller.PLAYER, Controller.NOBODY)),
        refuses=draw(subsets(others)),
        passage=draw(subsets(others)) - enemies_of(code, wars),
        missed_turns=draw(_few),
        defeated=defeated,
    )


@st.composite
def provinces(draw: DrawFn, name: str, owners: tuple[str, ...], wars: frozenset[Pair]) -> Province:
    """One province, its marks within their bounds."""
    usual = {place: owner for place, _, _, owner, *_ in PROVINCES}[name]
    owner = draw(one_of(usual if usual in owners else INDEPENDENTS, *owners))
    annexed_to = draw(one_of(None if owner == INDEPENDENTS else owner, None, *owners[:-1]))
    away = annexed_to not in (None, owner)
    level = draw(one_of(0, 0, 1, 2, 3, rules().construction.fortification_limit))
    return Province(
        name=name,
        owner=owner,
        annexed_to=annexed_to,
        turns_away=draw(between(0, rules().economy.annexation_turns - 1)) if away else 0,
        damage=draw(between(0, rules().economy.damage_limit)),
        fortification=level,
        fortification_damage=draw(one_of(*sorted({0, level, level // 2}))),
        harbour=name in PORTS and draw(_answers),
        production_areas=draw(between(0, atlas().locations[name].production_limit)),
        permissions=draw(subsets(CODES)) - {owner} - enemies_of(owner, wars),
    )


class Muster:
    """Draws the units of a world: numbers and commanders' names are given out once in a realm."""

    def __init__(self, draw: DrawFn, lands: dict[str, Province], living: tuple[str, ...]) -> None:
        self.draw = draw
        self.lands = lands
        self.living = living
        self.units: dict[str, Unit] = {}
        self.names: dict[str, list[str]] = {code: list(NAMES) for code in (*living, INDEPENDENTS)}

    def garrison(self, place: str, number: int) -> None:
        """The garrison that a province with a city or a fortification has."""
        land = self.lands[place]
        port = land.harbour and atlas().city(place) is not None
        counts = self.draw(troops(SOLDIERS))
        if port and self.draw(_answers):
            counts |= self.draw(troops(SHIPS))
        self._put(land.owner, UnitKind.GARRISON, number, place, counts, self.draw(_few))

    def fleet(self, realm: str, number: int) -> None:
        """A fleet at sea, in a harbour, or somewhere on a coast where it is homeless."""
        place = self.draw(one_of(*SEAS, *SEAS, *PORTS))
        self._put(realm, UnitKind.FLEET, number, place, self.draw(troops(SHIPS, 1)), self.draw(_few) // 2)

    def army(self, realm: str, number: int) -> None:
        """An army ashore or aboard any fleet; independents' armies stand in independent provinces."""
        counts = self.draw(troops(SOLDIERS))
        commanders = self.draw(_few) if counts else 1
        if realm == INDEPENDENTS:
            places = [name for name, land in self.lands.items() if land.owner == INDEPENDENTS]
            if places:
                self._put(
                    realm, UnitKind.ARMY, number, self.draw(st.sampled_from(places)), counts, commanders
                )
            return
        fleets = [unit for unit in self.units.values() if unit.is_fleet]
        if fleets and self.draw(between(0, 2)) == 0:
            fleet = self.draw(st.sampled_from(fleets))
            self._put(realm, UnitKind.ARMY, number, fleet.place, counts, commanders, aboard=fleet.key)
        else:
            self._put(realm, UnitKind.ARMY, number, self.draw(st.sampled_from(LANDS)), counts, commanders)

    def _put(
        self, realm: str, kind: UnitKind, number: int, place: str, ranks: Any, commanders: int, **more: Any
    ) -> None:
        """Add a unit with drawn commanders, leader and settings; an army or fleet of nobody is left out."""
        names = [self.names[realm].pop(0) for _ in range(min(commanders, len(self.names[realm])))]
        if not ranks and not names and kind is not UnitKind.GARRISON:
            return
        ratings = between(0, 100)
        own = [unit.id for unit in self.units.values() if unit.realm == realm and unit.kind is kind]
        unit = Unit(
            realm=realm,
            kind=kind,
            number=number,
            place=place,
            troops=ranks,
            commanders=tuple(
                Commander(
                    name=name,
                    infantry=self.draw(ratings),
                    cavalry=self.draw(ratings),
                    siege=self.draw(ratings),
                    naval=self.draw(ratings),
                )
                for name in names
            ),
            leader=self.draw(one_of(None, *names)),
            retreat_level=self.draw(between(1, 5)),
            # only units made before: no loops
            follow=self.draw(one_of(None, None, *own)),
            defend_fortifications=self.draw(_answers),
            marines=self.draw(_answers),
            **more,
        )
        self.units[unit.key] = unit


def needs_garrison(land: Province) -> bool:
    """Whether a province has a garrison (W5)."""
    return bool(land.fortification) or atlas().city(land.name) is not None


@st.composite
def worlds(draw: DrawFn, *, peace: bool = False) -> World:
    """Any sound world on the test map.

    With ``peace``: no wars, and nobody but independents on independent land.
    """
    wars, alliances = draw(relations())
    if peace:
        wars = frozenset()
    out = draw(one_of(None, None, None, *CODES))
    living = tuple(code for code in CODES if code != out)
    lands = {name: draw(provinces(name, (*living, INDEPENDENTS), wars)) for name in LANDS}
    muster = Muster(draw, lands, living)
    guarded = [name for name in LANDS if needs_garrison(lands[name])]
    for code in (*living, INDEPENDENTS):
        for number, place in enumerate((name for name in guarded if lands[name].owner == code), 1):
            muster.garrison(place, number)
        for number in draw(subsets((1, 2, 7))) if code != INDEPENDENTS else ():
            muster.fleet(code, number)
    for code in (*living, INDEPENDENTS):
        for number in (1, 2, 3, 99)[: draw(between(0, 4))]:
            muster.army(code, number)
    units = muster.units
    if peace:
        strays = {key for key, unit in units.items() if _is_stray(unit, lands)}
        units = {key: unit for key, unit in units.items() if key not in strays and unit.aboard not in strays}
    return World(
        turn=draw(between(0, 12)),
        realms={code: draw(realms(code, wars, code == out)) for code in CODES},
        provinces=lands,
        units={unit.key: unit for unit in sorted(units.values(), key=lambda unit: unit.order)},
        wars=wars,
        alliances=alliances,
    )


def _is_stray(unit: Unit, lands: dict[str, Province]) -> bool:
    land = lands.get(unit.place)
    return land is not None and INDEPENDENTS == land.owner != unit.realm
