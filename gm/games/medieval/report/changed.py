"""What changed for a realm since last turn, in at most ten lines, the most important first: the top of its page.
Owners, units and treasuries are compared before and after the turn; events say how it came about. Only what the realm
may know goes into the lines (W8)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Any, TypeVar

from gm.core.events import Event
from gm.core.values import Record
from gm.games.medieval import events
from gm.games.medieval.events import battle, final, first, movement
from gm.games.medieval.report.battle_entries import BattleEntry
from gm.games.medieval.report.turn_result import MedievalFormatter, MedievalResult
from gm.games.medieval.state import Unit, World
from gm.games.medieval.steps.turn import Fate, OrderSettled
from gm.text.pages import counted, gold, listed, signed, slug

EventT = TypeVar("EventT", bound=Event)

Weight = IntEnum(
    "Weight",
    "VICTORY STANDING LANDS_LOST WAR BATTLES_LOST LANDS_WON BATTLES_WON UNITS_LOST UNPAID COMMANDERS_LOST "
    "ALLIANCE_ENDED PEACE ORDERS TREASURY DAMAGE RIGHTS UNITS_FORMED COMMANDERS_WON TROOPS LETTERS "
    "ANNEXED WORKS OTHERS MORE",
)
"""What a line is about, the most important first."""


class Piece(Record):
    """One thing in a line: ``text``, linked to the page's ``anchor`` if it has one, and a ``note`` in plain text."""

    text: str
    anchor: str = ""
    note: str = ""


class Line(Record):
    """One line. ``tone`` is ``good``, ``bad``, ``warn`` or empty; a line without pieces is not shown."""

    weight: Weight
    title: str
    tone: str
    pieces: tuple[Piece, ...]


def line(weight: Weight, title: str, tone: str, pieces: Iterable[Piece]) -> Line:
    """A line of these pieces."""
    return Line(weight, title, tone, tuple(pieces))


def plain_line(line: Line) -> str:
    """A line as text: ``Provinces won: Gotland (from Sweden), Osel``."""
    pieces = (f"{piece.text} ({piece.note})" if piece.note else piece.text for piece in line.pieces)
    return f"{line.title}: {', '.join(pieces)}"


class TurnView:
    """One turn as its changes are looked for: before, after, and the events by their class."""

    def __init__(self, result: MedievalResult, speaker: MedievalFormatter, battles: Sequence[BattleEntry]) -> None:
        self.result = result
        self.speaker = speaker
        self.battles = battles
        self._by_kind: dict[type[Event], list[Event]] = defaultdict(list)
        for event in result.events:
            self._by_kind[type(event)].append(event)
        self.owners_changed = [
            (name, former.owner, land.owner)
            for name, former in result.before.provinces.items()
            if former.owner != (land := result.after.provinces[name]).owner
        ]
        """(province, owner before, owner after) of all that changed hands, in map order."""

    def seen(self, realm: str, kind: type[EventT]) -> Iterator[EventT]:
        """The events of one class that the realm may see (W8), in order."""
        for event in self._by_kind.get(kind, ()):
            if isinstance(event, kind) and event.visible_to(realm):
                yield event

    def own(self, realm: str, kind: type[EventT]) -> Iterator[EventT]:
        """Those of them that are about the realm."""
        return (event for event in self.seen(realm, kind) if getattr(event, "realm", "") == realm)

    def realm(self, code: str, note: str = "") -> Piece:
        """A realm, linked to the table of realms."""
        return Piece(self.speaker.realm(code), "realms", note)

    def realms(self, reader: str, codes: Iterable[str]) -> str:
        """The names of realms as ``reader`` says them."""
        return listed(["you" if code == reader else self.speaker.realm(code) for code in codes])

    def place(self, name: str, note: str = "") -> Piece:
        """A place, linked to its report."""
        return Piece(name, self.place_anchor(name), note)

    def place_anchor(self, name: str) -> str:
        """The anchor of a place's report; empty for a name that is no place's, such as a border's."""
        return f"place-{slug(name)}" if name in self.result.atlas.locations else ""

    def unit(self, key: str) -> str:
        """A unit as its own player calls it."""
        return self.speaker.own_unit(*key.split("/", 1))


LIMIT = 10  # lines at most: more would not be read
_RIGHTS: dict[Any, str] = {
    first.PassageRevoked: "lets you pass no longer",
    first.PermissionRevoked: "lets you into {province} no longer",
    first.GiftsRefused: "refuses your gifts",
    first.RightsEnded: "war ended the rights that it gave you",
    first.PassageGranted: "lets you pass",
    first.PermissionGranted: "lets you into {province}",
    first.GiftsAccepted: "takes your gifts",
}
"""What another realm gave or took, by event; what is taken comes first."""
_RELATIONS: tuple[tuple[type[events.DealingEvent], Weight, str, str, str, str], ...] = (
    (first.WarDeclared, Weight.WAR, "War", "bad", "you declare war", "declares war on you"),
    (final.AllianceCancelled, Weight.ALLIANCE_ENDED, "No longer allied", "warn", "", "ended by them"),
    (final.PeaceMade, Weight.PEACE, "Peace", "good", "", ""),
    (final.AllianceFormed, Weight.PEACE, "Allied", "good", "", ""),
)
"""What two realms said to each other: its line, and the note if it was this realm's word or the other's (L15-L17)."""
_TAKEN = (first.PassageRevoked, first.PermissionRevoked, first.GiftsRefused, first.RightsEnded)


def changes(view: TurnView, realm: str) -> tuple[Line, ...]:
    """At most LIMIT lines by weight; the last names what did not fit. None for the start, before the first turn."""
    if not view.result.turn:
        return ()
    parts = (_of_realms, _of_rights, _of_orders, _of_owners, _of_damage, _of_works, _of_battles, _of_units, _of_leaders)
    lines = (each for part in parts for each in part(view, realm) if each.pieces)
    found = sorted(lines, key=lambda each: each.weight)
    if len(found) <= LIMIT:
        return tuple(found)
    rest = listed([each.title.lower() for each in found[LIMIT - 1 :]])
    return (*found[: LIMIT - 1], line(Weight.MORE, "And more", "", [Piece("in what happened", "events", rest)]))


def _of_realms(view: TurnView, realm: str) -> Iterator[Line]:
    """Who has won or is about to (V1), what the game master decided, who is out; war, peace and alliances (L15-L17)."""
    for won in view.seen(realm, final.VictoryWon):
        tone = "good" if realm in won.realms else "bad"
        yield line(Weight.VICTORY, "The game is won", tone, [Piece(f"by {view.realms(realm, won.realms)}", "realms")])
    for near in view.seen(realm, final.VictoryNear):
        tone = "good" if realm in near.realms else "bad"
        note = f"{near.cities} of {near.total} cities, turn {near.turns} of the {near.needed} needed"
        yield line(Weight.VICTORY, "Victory is near", tone, [Piece(view.realms(realm, near.realms), "realms", note)])
    decided = [Piece(f"you are {each.status} now") for each in view.own(realm, events.StatusSet)]
    decided += [Piece(f"orders are given by {each.controller} now") for each in view.own(realm, events.ControllerSet)]
    yield line(Weight.STANDING, "The game master", "", decided)
    gone = [each.realm for each in view.seen(realm, final.RealmDefeated) if each.realm != realm]
    yield line(Weight.OTHERS, "Out of the game", "", map(view.realm, gone))
    for kind, weight, title, tone, by_us, by_them in _RELATIONS:
        said = [(each.realm, each.other) for each in view.seen(realm, kind) if realm in (each.realm, each.other)]
        others = [view.realm(b, by_us) if a == realm else view.realm(a, by_them) for a, b in said]
        yield line(weight, title, tone, others)


def _of_rights(view: TurnView, realm: str) -> Iterator[Line]:
    """The rights that others gave the realm or took from it (F1-F4); gold and ambassadors from others."""
    found = [
        (kind, view.realm(each.realm, words.format(province=getattr(each, "province", ""))))
        for kind, words in _RIGHTS.items()
        for each in view.seen(realm, kind)
        if each.other == realm
    ]
    tone = "warn" if any(kind in _TAKEN for kind, _ in found) else "good"
    yield line(Weight.RIGHTS, "Rights", tone, [piece for _, piece in found])
    came = [view.realm(each.realm, f"sends {gold(each.amount)} gold") for each in view.seen(realm, final.GoldReceived)]
    came += [view.realm(each.realm, "sends an ambassador") for each in view.seen(realm, first.AmbassadorReceived)]
    yield line(Weight.LETTERS, "Envoys", "good", came)


def _of_orders(view: TurnView, realm: str) -> Iterator[Line]:
    """How many orders did not go as written (O2, O7); the treasury, and who was not paid (L3)."""
    fates = Counter(event.fate for event in view.seen(realm, OrderSettled))
    counts = (
        (len(view.result.refused(realm)), "not understood"),
        (fates[Fate.FAILED], "failed"),
        (fates[Fate.REDUCED], "carried out in part"),
    )
    pieces = [Piece(f"{counted(count, 'order')} {words}", "orders") for count, words in counts if count]
    yield line(Weight.ORDERS, "Orders", "warn", pieces)
    before, after = view.result.before.realms[realm].treasury, view.result.after.realms[realm].treasury
    if after != before:
        note = f"it was {gold(before)}: {signed(after - before)}"
        tone = "good" if after > before else "bad"
        yield line(Weight.TREASURY, "Treasury", tone, [Piece(f"{gold(after)} gold", "headquarters", note)])
    for short in view.seen(realm, final.UpkeepShort):
        gone = sum(sum(each.troops.values()) + len(each.commanders) for each in view.own(realm, final.UnpaidLeft))
        note = f"{gone} of {short.unpaid} unpaid left your service"
        missing = Piece(f"{gold(short.needed - short.paid)} gold of upkeep", "headquarters", note)
        yield line(Weight.UNPAID, "Not paid", "bad", [missing])


def _of_owners(view: TurnView, realm: str) -> Iterator[Line]:
    """Provinces lost and won: the owner before against the owner after, whatever happened in between (M13, L12)."""
    result, name_of = view.result, view.speaker.realm
    given = {each.province for each in view.seen(realm, final.ProvinceGiven)}
    lost: list[Piece] = []
    won: list[Piece] = []
    for name, former, owner in view.owners_changed:
        if realm not in (former, owner):
            continue
        gift = "as a gift " if name in given else ""
        if former == realm:
            capital = "your capital, " if result.atlas.locations[name].capital_of == realm else ""
            lost.append(view.place(name, f"{capital}{gift}to {name_of(owner)}"))
        else:
            won.append(view.place(name, f"{gift}from {name_of(former)}"))
    yield line(Weight.LANDS_LOST, "Provinces lost", "bad", lost)
    yield line(Weight.LANDS_WON, "Provinces won", "good", won)


def _of_damage(view: TurnView, realm: str) -> Iterator[Line]:
    owned = {land.name for land in view.result.after.owned_by(realm)}
    pillagers = {
        each.place: view.realms(realm, [each.unit.partition("/")[0]])
        for each in view.seen(realm, movement.ProvincePillaged)
        if each.owner == realm
    }
    harm: dict[str, list[str]] = {}
    for worse in view.seen(realm, final.DamageIncreased):
        if worse.province in owned:
            by = [f"pillaged by {pillagers[worse.province]}"] if worse.province in pillagers else []
            harm.setdefault(worse.province, []).extend([f"damage {worse.damage}", *by])
    walls = {each.place: each for each in view.seen(realm, battle.FortificationDamaged) if each.place in owned}
    for name, each in walls.items():
        harm.setdefault(name, []).append(f"walls: {each.damage} of {each.level} damaged")
    for razed in view.seen(realm, final.StructureRazed):
        if razed.realm != realm and razed.province in owned:
            words = f"{razed.structure} razed by {view.speaker.realm(razed.realm)}"
            harm.setdefault(razed.province, []).append(words)
    yield line(Weight.DAMAGE, "Damage", "bad", (view.place(name, ", ".join(notes)) for name, notes in harm.items()))


def _of_works(view: TurnView, realm: str) -> Iterator[Line]:
    """What was built and annexed, and what is annexed no longer (L6-L8)."""
    built = [
        view.place(
            each.province, each.structure + (f" of level {each.level}" if each.structure == "fortification" else "")
        )
        for each in view.own(realm, final.StructureBuilt)
    ]
    yield line(Weight.WORKS, "Built", "good", built)
    annexed, ended = view.own(realm, final.ProvinceAnnexed), view.own(realm, final.AnnexationEnded)
    yield line(Weight.ANNEXED, "Annexed", "good", (view.place(each.province) for each in annexed))
    yield line(Weight.ANNEXED, "No longer annexed to you", "bad", (view.place(each.province) for each in ended))


def _of_battles(view: TurnView, realm: str) -> Iterator[Line]:
    pieces: dict[str, list[Piece]] = {"lost": [], "won": [], "undecided": []}
    for entry in view.battles:
        if realm in entry.realms:
            report = entry.report
            fallen = Counter[bool]()
            for end in report.ends:
                fallen[end.unit.startswith(f"{realm}/")] += end.lost
            where = f"{report.place} and {report.other_place}" if report.other_place else report.place
            outcome = "won" if realm in report.winners else "lost" if report.winners else "undecided"
            note = f"{fallen[True]} of yours fell, {fallen[False]} of theirs"
            pieces[outcome].append(Piece(where, entry.anchor, note))
    yield line(Weight.BATTLES_LOST, "Battles lost", "bad", pieces["lost"])
    yield line(Weight.BATTLES_WON, "Battles won", "good", pieces["won"])
    yield line(Weight.BATTLES_WON, "Battles that nobody won", "warn", pieces["undecided"])


def _of_units(view: TurnView, realm: str) -> Iterator[Line]:
    """Units lost, formed and dissolved, and how many troops came and went for which cause."""
    before, after = _manned(view.result.before, realm), _manned(view.result.after, realm)
    destroyed = {each.unit: each.place for each in view.own(realm, battle.UnitDestroyed)}
    destroyed |= {each.unit: each.place for each in view.own(realm, battle.ArmyLostAtSea)}
    destroyed |= {each.fleet: each.place for each in view.own(realm, movement.FleetScuttled)}
    lost = [Piece(view.unit(key), view.place_anchor(place) or "events", place) for key, place in destroyed.items()]
    formed = [Piece(view.unit(key), f"unit-{unit.id}", unit.place) for key, unit in after.items() if key not in before]
    gone = [Piece(view.unit(key)) for key in before if key not in after and key not in destroyed]
    yield line(Weight.UNITS_LOST, "Units lost", "bad", lost)
    yield line(Weight.UNITS_FORMED, "Units formed", "good", formed)
    yield line(Weight.UNITS_FORMED, "Units dissolved", "", gone)
    counts = Counter[str]()
    for event in view.own(realm, events.TroopsChanged):
        counts[event.cause] += event.count
    troops = [Piece(f"{abs(count)} {cause}", "events") for cause, count in counts.items() if count]
    yield line(Weight.TROOPS, "Troops", "", troops)


def _manned(world: World, realm: str) -> dict[str, Unit]:
    # garrisons come and go with their provinces, which have a line of their own
    return {unit.key: unit for unit in world.of_realm(realm) if not unit.empty and not unit.is_garrison}


def _of_leaders(view: TurnView, realm: str) -> Iterator[Line]:
    """Who came and who is gone; a commander who only changed his unit did neither."""
    net = Counter[str]()
    last: dict[str, events.CommandersChanged] = {}
    for event in view.own(realm, events.CommandersChanged):
        net[event.commander] += event.count
        last[event.commander] = event
    lost = [Piece(name, "events", last[name].cause) for name, count in net.items() if count < 0]
    won = [
        Piece(name, f"unit-{last[name].unit.partition('/')[2]}", last[name].cause)
        for name, count in net.items()
        if count > 0 and last[name].unit in view.result.after.units
    ]
    yield line(Weight.COMMANDERS_LOST, "Commanders lost", "bad", lost)
    yield line(Weight.COMMANDERS_WON, "Commanders won", "good", won)
