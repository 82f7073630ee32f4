"""What a realm may choose in its next orders, as tables: legal targets, what each costs, and why the others fail (O2).

The turn's own ``why_not`` functions fill the tables in, on the world as the next turn opens; a page adds them up and
decides nothing. An answer is a number, the cost (hundredths of gold, or move-points for what moves), or a text: the
index in ``says`` of the reason and its clause. What stands in no table is not known beforehand: the trial tells it.

``says`` are pairs (clause, sentence). ``{needs}``, ``{to}`` and their like in a sentence are filled in by the reader;
so are nouns that are counted, ``{needs:move-point}``.

Two tables: :meth:`TurnChoices.shared`, what all realms share, and :meth:`TurnChoices.of_realm`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from gm.games.medieval.analysis.choices_context import Answer, Answers, Blank, ChoiceContext, Choices, cents
from gm.games.medieval.analysis.choices_headquarters import headquarters_choices
from gm.games.medieval.analysis.choices_units import unit_choices
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules, TroopType
from gm.games.medieval.state import Province, Unit, UnitKind, World
from gm.games.medieval.steps.loading import CERTAIN, why_not_board, why_not_load, why_not_unload
from gm.games.medieval.steps.movement import homeless, march_cost, sail_cost, why_not_march, why_not_sail
from gm.games.medieval.steps.transfers import why_not_transfer
from gm.games.medieval.steps.turn import Refusal, refuse
from gm.games.medieval.steps.workspace import Workspace

BY_DICE = -1  # The answer of what dice decide, such as a landing on enemy land (M8)
Ask = Callable[[World, str, str, str], Refusal | None]  # Why a realm's unit cannot get from one place to another
_LAND, _OUT, _IN, _SEA = (False, False), (False, True), (True, False), (True, True)
"""Ways between places: whether each is a sea."""

_PAID = "needs-move-points"  # Whether the points are there is added up by the reader, who knows how many are left


class TurnChoices(ChoiceContext):
    """The tables of one turn: what all realms share is made once. ``world``: the one before the turn."""

    def __init__(self, world: World, rules: Rules, atlas: Atlas) -> None:
        super().__init__(world, rules, atlas)
        soldiers = [name for name, troop in rules.troops.items() if not troop.ship]
        ships = [name for name, troop in rules.troops.items() if troop.storage]
        self._crew = {UnitKind.ARMY: {soldiers[0]: (1, 0, 0, 0, 0)}, UnitKind.FLEET: {ships[0]: (9, 0, 0, 0, 0)}}

    def probe(self, realm: str, kind: UnitKind, place: str, aboard: str | None = None) -> Unit:
        """A unit that nothing hinders, to ask the rules about."""
        return Unit(realm=realm, kind=kind, number=0, place=place, aboard=aboard, troops=self._crew[kind])

    # -- what all realms share -----------------------------------------------------------------------------------------

    def shared(self) -> Choices:
        """``closed``: by word, for a pair of places (indices, from and to) why the way between them is closed."""
        says = Answers(self.formatter)
        return {
            "closed": {
                "march": dict(self._closed(says, self._march, frozenset({_LAND}))),
                "sail": dict(self._closed(says, self._sail, frozenset({_OUT, _IN, _SEA}))),
                "load": dict(self._closed(says, self._load, frozenset({_IN}))),
                "unload": dict(self._closed(says, self._unload, frozenset({_IN}))),
            },
            "troops": {name: self._troop(each) for name, each in self.rules.troops.items()},
            "commander": self._commander,
            "said": self._said(says),
            "limits": self._limits,
            "phases": PHASES,
            "gold": GOLD,
            "free": FREE,
            "late": LATE,
            "war": "declare_war",
            "says": says.table(),
        }

    def _on(self, world: World) -> Workspace:
        """What a step of this turn would work on in another world."""
        return Workspace(replace(self.turn, state=world))

    def _march(self, world: World, realm: str, a: str, b: str) -> Refusal | None:
        return why_not_march(self._on(world), self.probe(realm, UnitKind.ARMY, a), b)

    def _sail(self, world: World, realm: str, a: str, b: str) -> Refusal | None:
        return why_not_sail(self._on(world), self.probe(realm, UnitKind.FLEET, a), b)

    def _load(self, world: World, realm: str, a: str, b: str) -> Refusal | None:
        fleet, army = self.probe(realm, UnitKind.FLEET, a), self.probe(realm, UnitKind.ARMY, b)
        return why_not_load(self._on(world), fleet, army)

    def _unload(self, world: World, realm: str, a: str, b: str) -> Refusal | None:
        fleet = self.probe(realm, UnitKind.FLEET, a)
        army = self.probe(realm, UnitKind.ARMY, a, fleet.key)
        return why_not_unload(self._on(world), fleet, army, army.key, b)

    def _closed(self, says: Answers, ask: Ask, between: frozenset[tuple[bool, bool]]) -> Iterable[tuple[str, Answer]]:
        """The ways that are closed to everybody: nobody's leave is wanted where all is one's own, harbours included."""
        realm = next(iter(self.world.realms))
        own = (land.evolve(owner=realm, harbour=True) for land in self.world.provinces.values())
        world = self.world.with_provinces(*own)
        order = self.atlas.place_order
        shut = (border for border in self.atlas.borders if border.barrier is not None)
        for a, b in (way for border in shut for way in ((border.a, border.b), (border.b, border.a))):
            if (self.atlas.is_sea(a), self.atlas.is_sea(b)) in between:
                refusal = ask(world, realm, a, b)
                if refusal is not None and refusal.reason != _PAID:
                    yield f"{order[a]},{order[b]}", says(refusal, blanks={a: "from", b: "to"})

    def _said(self, says: Answers) -> dict[str, Answer]:
        """Why something fails that the reader adds up itself, by a name that he knows it by."""
        percent = self.rules.movement.load_weight_percent
        needs, has = Blank("needs"), Blank("has")
        unit, place, to = Blank("unit"), Blank("from"), Blank("to")
        found = {
            "points": refuse(_PAID, needs=needs, has=has),
            "hold": refuse("hold-needs-move-points", needs=needs, has=has),
            "far": refuse("no-border", place=place, other=to),
            "inland": refuse("fleet-cannot-cross-land", place=place, other=to),
            "docked": refuse("docked-elsewhere", place=to, other=place),
            "no unit": refuse("unit-not-yours", unit=unit),
            "nobody": refuse("unit-empty", unit=unit),
            "no ships": refuse("fleet-without-ships", fleet=unit),
            "nobody to load": refuse("army-empty", army=unit),
            "loaded": refuse("army-already-aboard", army=unit, fleet=to),
            "apart": refuse("army-out-of-reach", army=unit, place=to),
            "heavy": refuse("army-too-heavy", army=unit, needs=needs, has=has, percent=percent),
            "ashore": refuse("army-not-aboard", army=unit, fleet=to),
            "given up": refuse("earlier-move-failed"),
            "receiver": refuse("no-such-receiver", receiver=to),
            "elsewhere": refuse("receiver-elsewhere", receiver=unit, place=to),
            "fewer": refuse("has-fewer-troops", troop=to, needs=needs, has=has),
            "ship": refuse("ships-not-in-armies", troop=to),
            "soldier": refuse("soldiers-not-in-fleets", troop=to),
            "gold": refuse("gold-too-little", needs=needs, has=has),
        }
        return {name: says(refusal) for name, refusal in found.items()}

    def _troop(self, troop: TroopType) -> Choices:
        found = {
            "attacks": troop.attacks,
            "combat": troop.combat,
            "total": troop.total_combat,
            "hits": float(troop.hit_points),
            "moves": troop.move_points,
            "cost": cents(troop.cost),
            "upkeep": float(troop.upkeep * 100),
            "weight": troop.weight,
            "room": troop.storage,
            "ship": troop.ship,
        }
        return {name: each for name, each in found.items() if each}

    @property
    def _commander(self) -> Choices:
        data = self.rules.commanders
        return {
            "total": data.attacks * data.combat,
            "hits": float(data.hit_points),
            "upkeep": float(data.upkeep * 100),
            "moves": self.rules.movement.commanders_move_points,
        }

    @property
    def _limits(self) -> Choices:
        rules = self.rules
        return {
            "number": rules.units.number_limit,
            "name": rules.units.name_length,
            "ranks": rules.units.ranks,
            "proclamation": rules.economy.proclamation_length,
            "phases": rules.movement.phase_limit,
            "holds": rules.movement.free_holds,
            "hold": rules.movement.hold,
            "loaded": rules.movement.load_weight_percent,
            "landing": CERTAIN,
            "fee": rules.economy.gold_fee_percent,
            "reach": rules.economy.gold_reach,
            "decay": rules.economy.decay_percent,
            "low": cents(rules.forecast.warn_below),
            "short": cents(rules.forecast.alarm_below),
        }

    # -- one realm's ---------------------------------------------------------------------------------------------------

    def of_realm(self, realm: str) -> Choices:
        """``headquarters`` by word, ``units`` by id and word (choices_headquarters, choices_units), and ``enter``;
        ``homeless``: the fleets that have no anchorage (M5).

        ``enter``: by word, for each place (in the order of the map) what it takes to enter it from any neighbour across
        an open border. ``war``: the same where it is otherwise after the realm has declared war on the owner, by index.
        Raises ``KeyError`` for a code that is no realm's.
        """
        says = Answers(self.formatter)
        peace = self._entries(self.world, realm, says)
        own = self.world.realms[realm]
        all_at_war = self.world.evolve(
            wars=self.world.wars | {(min(realm, code), max(realm, code)) for code in self.world.realms if code != realm}
        )
        after = self._entries(all_at_war, realm, says)
        war = {
            word: {index: each for index, each in enumerate(after[word]) if each != peace[word][index]}
            for word in after
        }
        return {
            "headquarters": headquarters_choices(self, realm, says),
            "units": {unit.id: unit_choices(self, unit, says) for unit in self.world.of_realm(realm)},
            "pools": says.pools,
            "homeless": [
                unit.id
                for unit in self.world.of_realm(realm)
                if unit.is_fleet and not unit.empty and homeless(self.world, self.atlas, unit)
            ],
            "enter": peace,
            "war": war,
            "board": self._hosts(own.code, says),
            "receivers": self._receivers(own.code, says),
            "says": says.table(),
        }

    def _entries(self, world: World, realm: str, says: Answers) -> dict[str, list[Answer]]:
        """By word, for each place: move-points or a refusal; for a landing nothing, a refusal or ``BY_DICE``."""
        known: dict[tuple[Any, ...], tuple[Answer, Answer, Answer]] = {}
        found: dict[str, list[Answer]] = {"march": [], "sail": [], "unload": []}
        for name, location in self.atlas.locations.items():
            land = world.provinces.get(name)
            # places that differ in nothing that is asked here are asked about once
            alike = (land.owner, land.permissions, land.harbour) if land else (location.sea,)
            if alike not in known:
                known[alike] = self._entry(world, realm, name, land, says)
            for word, answer in zip(found, known[alike], strict=True):
                found[word].append(answer)
        return found

    def _entry(
        self, world: World, realm: str, place: str, land: Province | None, says: Answers
    ) -> tuple[Answer, Answer, Answer]:
        rules = self.rules
        blanks = {place: "to"}
        sailed = sail_cost(world, rules, place)
        if land is None:
            return None, sailed, None  # a sea: nobody marches or lands there
        ashore = self._ashore(world, realm, place)
        marched = march_cost(world, rules, realm, place)
        landed = BY_DICE if world.is_enemy_land(realm, place) else 0
        return (
            says(ashore, marched, blanks),
            says(self._docked(world, realm, place), sailed, blanks),
            says(self._unload(world, realm, place, place), landed, blanks),
        )

    def _ashore(self, world: World, realm: str, place: str) -> Refusal | None:
        """M9 across an open border, the points aside; a province that no land borders on is entered from the sea."""
        near = self.atlas.open_neighbours(place, sea=False)
        return _but_paid(self._march(world, realm, near[0], place)) if near else None

    def _docked(self, world: World, realm: str, place: str) -> Refusal | None:
        """M4 likewise, from the sea; inland nobody docks."""
        seas = self.atlas.open_neighbours(place, sea=True)
        return _but_paid(self._sail(world, realm, seas[0], place)) if seas else refuse("no-harbour", place=place)

    def _hosts(self, realm: str, says: Answers) -> dict[str, Answer]:
        """M2: the realms whose fleets may be told to take an army aboard."""
        army = self.probe(realm, UnitKind.ARMY, self.atlas.provinces[0])
        return {code: says(why_not_board(self.world, army, code)) for code in self.world.realms if code != realm}

    def _receivers(self, realm: str, says: Answers) -> dict[str, Answer]:
        """M1: the realms whose units may be handed troops, where both are in one place."""
        place = self.atlas.provinces[0]
        giver = self.probe(realm, UnitKind.ARMY, place)
        found = {}
        for code in self.world.realms:
            if code != realm:
                receiver = self.probe(code, UnitKind.ARMY, place)
                found[code] = says(why_not_transfer(self.world, giver, receiver, receiver.key))
        return found


def _but_paid(refusal: Refusal | None) -> Refusal | None:
    return None if refusal is not None and refusal.reason == _PAID else refusal


PHASES: tuple[Choices, ...] = (
    {"words": ["transfer"]},
    {"words": ["board"]},
    {"words": ["load"]},
    {"words": ["sail", "hold"], "kind": "F"},
    {"words": ["unload"]},
    {"words": ["march", "hold"], "kind": "A"},
    {"words": ["pillage"]},
)
"""The order in which a phase comes to the entries of plans (M1-M14)."""

GOLD: tuple[Choices, ...] = (
    {"words": ["disband"], "what": "salvage"},
    {"words": ["pillage"], "what": "pillage", "later": True},
    {"words": ["send_gold"], "what": "gold sent"},
    {"words": [], "what": "upkeep"},
    {"words": ["recruit"], "what": "troops", "part": True},
    {"words": ["hire_commander"], "what": "commanders"},
    {"words": ["annex"], "what": "annexation"},
    {"words": ["build", "repair"], "what": "construction"},
    {"words": ["raze"], "what": "razed", "later": True},
    {"words": ["proclamation"], "what": "proclamation", "later": True},
)
"""The order in which words move gold (F10, M14, L2-L13), by what the forecast calls it; ``part``: as far as the gold
goes; ``later``: the forecast does not count it (H1). No word: upkeep."""

FREE = ("name", "retreat_level", "leader", "marines", "defend_fortifications", "ranks", "disband_commanders")
"""What units are told that nothing forbids, but a name that does not exist (F7-F10)."""

LATE = ("build", "repair", "raze")  # What hangs on where the unit is and who is in it when the turn ends (L8, L10)
