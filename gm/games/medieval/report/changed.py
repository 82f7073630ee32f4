"""The changes for a realm since last turn, in at most ten lines, the most important first.

Owners, units and treasuries are compared before and after the turn; events give the causes. Only what the
realm may know goes into the lines (W8).
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain
from typing import Any

from gm.game.base.herald import Piece
from gm.games.medieval import events
from gm.games.medieval.events import battle, final, first, movement
from gm.games.medieval.report.battle_counts import together
from gm.games.medieval.report.turn_result import Line, TurnView, Weight, line
from gm.games.medieval.state import Unit, World
from gm.games.medieval.steps.outcomes import OrderOutcome, OrderSettled
from gm.text.pages import gold, signed

LIMIT = 10  # lines at most: more would not be read
RIGHTS: dict[Any, str] = {
    first.PassageRevoked: "lets you pass no longer",
    first.PermissionRevoked: "lets you into {province} no longer",
    first.GiftsRefused: "refuses your gifts",
    first.RightsEnded: "war ended the rights that it gave you",
    first.PassageGranted: "lets you pass",
    first.PermissionGranted: "lets you into {province}",
    first.GiftsAccepted: "takes your gifts",
}
"""The note about a right that another realm gave or took, by class of event; what is taken comes first."""
# (class of event, the line's weight, title and tone, the note if the realm did it, the note if the other did)
RELATIONS: tuple[tuple[type[events.DealingEvent], Weight, str, str, str, str], ...] = (
    (first.WarDeclared, Weight.WAR, "War", "bad", "you declare war", "declares war on you"),
    (final.AllianceCancelled, Weight.ALLIANCE_ENDED, "No longer allied", "warn", "", "ended by them"),
    (final.PeaceMade, Weight.PEACE, "Peace", "good", "", ""),
    (final.AllianceFormed, Weight.PEACE, "Allied", "good", "", ""),
)
"""What two realms declared to each other (L15-L17)."""
ASTRAY = ("{count:order} not understood", "{count:order} failed", "{count:order} carried out in part")
"""What the line about orders says of those that were refused, failed and reduced."""
_TAKEN = (first.PassageRevoked, first.PermissionRevoked, first.GiftsRefused, first.RightsEnded)


def changes(view: TurnView, realm: str) -> tuple[Line, ...]:
    """Return at most LIMIT lines, the most important first, about what changed for a realm in the turn.

    If there are more, the last line names those that did not fit. Empty before the first turn.
    """
    if not view.result.turn:
        return ()
    line_makers = (
        _of_realms,
        _of_rights,
        _of_orders,
        _of_owners,
        _of_damage,
        _of_works,
        _of_battles,
        _of_units,
        _of_leaders,
    )
    all_lines = chain.from_iterable(make(view, realm) for make in line_makers)
    lines = sorted((entry for entry in all_lines if entry.pieces), key=lambda entry: entry.weight)
    if len(lines) > LIMIT:
        formatter = view.formatter
        left_out = lines[LIMIT - 1 :]
        titles = formatter.listed(formatter.translate(entry.title.lower()) for entry in left_out)
        more_piece = Piece(formatter.translate("see what happened"), "events", titles)
        lines = [*lines[: LIMIT - 1], line(Weight.MORE, "More", "", [more_piece])]
    return tuple(map(view.titled, lines))


def _of_realms(view: TurnView, realm: str) -> Iterator[Line]:
    """Yield the lines about victory (V1), the game master's decisions, defeated realms, and relations."""
    phrase = view.formatter.phrase
    fill_pattern = view.formatter.fill_pattern
    for won in view.seen(realm, final.VictoryWon):
        tone = "good" if realm in won.realms else "bad"
        by = phrase("by {realms}", realms=view.realms(realm, won.realms))
        yield line(Weight.VICTORY, "The game is won", tone, [Piece(by, "realms")])
    for near in view.seen(realm, final.VictoryNear):
        tone = "good" if realm in near.realms else "bad"
        note = fill_pattern("{cities} of {total} cities, turn {turns} of the {needed} needed", near)
        yield line(
            Weight.VICTORY, "Victory is near", tone, [Piece(view.realms(realm, near.realms), "realms", note)]
        )
    decided = [
        Piece(fill_pattern("you are {status} now", event)) for event in view.own(realm, events.StatusSet)
    ]
    controllers_set = view.own(realm, events.ControllerSet)
    decided += [
        Piece(fill_pattern("orders are given by {controller} now", event)) for event in controllers_set
    ]
    yield line(Weight.STANDING, "The game master", "", decided)
    defeated = [event.realm for event in view.seen(realm, final.RealmDefeated) if event.realm != realm]
    yield line(Weight.OTHERS, "Out of the game", "", map(view.realm, defeated))
    yield from _of_relations(view, realm)


def _of_relations(view: TurnView, realm: str) -> Iterator[Line]:
    """Yield a line for each kind of declaration, with the realms that made or got it (L15-L17)."""
    phrase = view.formatter.phrase
    for kind, weight, title, tone, by_us, by_them in RELATIONS:
        declarations = [
            (event.realm, event.other)
            for event in view.seen(realm, kind)
            if realm in (event.realm, event.other)
        ]
        other_realms = [
            view.realm(b, phrase(by_us)) if a == realm else view.realm(a, phrase(by_them))
            for a, b in declarations
        ]
        yield line(weight, title, tone, other_realms)


def _of_rights(view: TurnView, realm: str) -> Iterator[Line]:
    """Yield the lines about rights that others gave the realm or took from it (F1-F4), and about envoys.

    Envoys bring gold, or are ambassadors.
    """
    fill_pattern = view.formatter.fill_pattern
    rights = []  # (class of event, piece)
    for kind, words in RIGHTS.items():
        to_realm = (event for event in view.seen(realm, kind) if event.other == realm)
        rights += [(kind, view.realm(event.realm, fill_pattern(words, event))) for event in to_realm]
    tone = "warn" if any(kind in _TAKEN for kind, _ in rights) else "good"
    yield line(Weight.RIGHTS, "Rights", tone, [piece for _, piece in rights])
    gold_received = view.seen(realm, final.GoldReceived)
    ambassadors = view.seen(realm, first.AmbassadorReceived)
    envoys = [view.realm(event.realm, fill_pattern("sends {amount} gold", event)) for event in gold_received]
    envoys += [view.realm(event.realm, fill_pattern("sends an ambassador", event)) for event in ambassadors]
    yield line(Weight.LETTERS, "Envoys", "good", envoys)


def _of_orders(view: TurnView, realm: str) -> Iterator[Line]:
    """Yield the lines about orders that went wrong (O2, O7), the treasury, and unpaid troops (L3)."""
    fates = Counter(event.fate for event in view.seen(realm, OrderSettled))
    phrase = view.formatter.phrase
    counts = (len(view.result.refused(realm)), fates[OrderOutcome.FAILED], fates[OrderOutcome.REDUCED])
    pieces = [
        Piece(phrase(words, count=count), "orders")
        for count, words in zip(counts, ASTRAY, strict=True)
        if count
    ]
    yield line(Weight.ORDERS, "Orders", "warn", pieces)
    before = view.result.before.realms[realm].treasury
    after = view.result.after.realms[realm].treasury
    if after != before:
        note = phrase("it was {before}: {change}", before=gold(before), change=signed(after - before))
        tone = "good" if after > before else "bad"
        now = Piece(phrase("{gold} gold", gold=gold(after)), "headquarters", note)
        yield line(Weight.TREASURY, "Treasury", tone, [now])
    for short in view.seen(realm, final.UpkeepShort):
        left_count = sum(
            sum(event.troops.values()) + len(event.commanders) for event in view.own(realm, final.UnpaidLeft)
        )
        note = phrase("{gone} of {unpaid} unpaid left your service", gone=left_count, unpaid=short.unpaid)
        missing = Piece(
            phrase("{gold} gold of upkeep", gold=gold(short.needed - short.paid)), "headquarters", note
        )
        yield line(Weight.UNPAID, "Not paid", "bad", [missing])


def _of_owners(view: TurnView, realm: str) -> Iterator[Line]:
    """Yield the lines about provinces lost and won in the turn as a whole (M13, L12)."""
    result = view.result
    name_of = view.formatter.with_articles().realm
    phrase = view.formatter.phrase
    gifts = {event.province for event in view.seen(realm, final.ProvinceGiven)}
    lost: list[Piece] = []
    won: list[Piece] = []
    for name, former, owner in view.owners_changed:
        if realm not in (former, owner):
            continue
        is_gift = name in gifts
        if former == realm:
            note = phrase("as a gift to {realm}" if is_gift else "to {realm}", realm=name_of(owner))
            if result.atlas.locations[name].capital_of == realm:
                note = phrase("your capital, {to}", to=note)
            lost.append(view.place(name, note))
        else:
            note = phrase("as a gift from {realm}" if is_gift else "from {realm}", realm=name_of(former))
            won.append(view.place(name, note))
    yield line(Weight.LANDS_LOST, "Provinces lost", "bad", lost)
    yield line(Weight.LANDS_WON, "Provinces won", "good", won)


def _of_damage(view: TurnView, realm: str) -> Iterator[Line]:
    """Yield the line about damage to the realm's provinces and walls."""
    owned = {land.name for land in view.result.after.owned_by(realm)}
    fill_pattern = view.formatter.fill_pattern
    pillager_of = {
        event.place: view.realms(realm, [event.unit.partition("/")[0]])
        for event in view.seen(realm, movement.ProvincePillaged)
        if event.owner == realm
    }
    notes_of: defaultdict[str, list[str]] = defaultdict(list)  # by province
    for increase in view.seen(realm, final.DamageIncreased):
        if increase.province not in owned:
            continue
        notes_of[increase.province].append(fill_pattern("damage {damage}", increase))
        pillager = pillager_of.get(increase.province)
        if pillager:
            notes_of[increase.province].append(view.formatter.phrase("pillaged by {realm}", realm=pillager))
    # of several events about the same walls only the last is told
    walls = {
        event.place: event for event in view.seen(realm, battle.FortificationDamaged) if event.place in owned
    }
    for name, event in walls.items():
        notes_of[name].append(fill_pattern("walls: {damage} of {level} damaged", event))
    for razed in view.seen(realm, final.StructureRazed):
        if razed.realm != realm and razed.province in owned:
            notes_of[razed.province].append(fill_pattern("{structure} razed by {realm}", razed))
    pieces = (view.place(name, ", ".join(notes)) for name, notes in notes_of.items())
    yield line(Weight.DAMAGE, "Damage", "bad", pieces)


def _of_works(view: TurnView, realm: str) -> Iterator[Line]:
    """Yield the lines about structures built, annexations, and annexations that ended (L6-L8)."""
    built = list[Piece]()
    for event in view.own(realm, final.StructureBuilt):
        walls = event.structure == "fortification"
        words = view.formatter.fill_pattern("{structure} of level {level}" if walls else "{structure}", event)
        built.append(view.place(event.province, words))
    yield line(Weight.WORKS, "Built", "good", built)
    annexed = view.own(realm, final.ProvinceAnnexed)
    ended = view.own(realm, final.AnnexationEnded)
    yield line(Weight.ANNEXED, "Provinces annexed", "good", (view.place(event.province) for event in annexed))
    yield line(
        Weight.ANNEXED, "No longer annexed to you", "bad", (view.place(event.province) for event in ended)
    )


def _of_battles(view: TurnView, realm: str) -> Iterator[Line]:
    """Yield the lines about the battles that the realm lost, won, or that nobody won."""
    pieces: dict[str, list[Piece]] = {"lost": [], "won": [], "undecided": []}
    for entry in view.battles:
        if realm in entry.realms:
            report = entry.report
            own_counts = entry.counts[realm]
            other_counts = together([count for code, count in entry.counts.items() if code != realm])
            where = view.formatter.listed(filter(None, (report.place, report.other_place)))
            outcome = "undecided"
            if report.winners:
                outcome = "won" if realm in report.winners else "lost"
            phrase = view.formatter.phrase
            note = phrase(
                "{own} of yours fell, {theirs} of theirs", own=own_counts.fell, theirs=other_counts.fell
            )
            if own_counts.aboard or other_counts.aboard:
                aboard = {"own": own_counts.aboard, "theirs": other_counts.aboard}
                note += phrase("; aboard, {own} of yours and {theirs} of theirs", **aboard)
            pieces[outcome].append(Piece(where, entry.anchor, note))
    yield line(Weight.BATTLES_LOST, "Battles lost", "bad", pieces["lost"])
    yield line(Weight.BATTLES_WON, "Battles won", "good", pieces["won"])
    yield line(Weight.BATTLES_WON, "Battles that nobody won", "warn", pieces["undecided"])


def _of_units(view: TurnView, realm: str) -> Iterator[Line]:
    """Yield the lines about units lost, formed and dissolved, and about troops gained and lost, by cause."""
    before = _troop_units(view.result.before, realm)
    after = _troop_units(view.result.after, realm)
    destroyed = {event.unit: event.place for event in view.own(realm, battle.UnitDestroyed)}
    destroyed |= {event.unit: event.place for event in view.own(realm, battle.ArmyLostAtSea)}
    destroyed |= {event.fleet: event.place for event in view.own(realm, movement.FleetScuttled)}
    lost = [
        Piece(view.unit(key), view.place_anchor(place) or "events", place) for key, place in destroyed.items()
    ]
    formed = [
        Piece(view.unit(key), f"unit-{unit.id}", unit.place)
        for key, unit in after.items()
        if key not in before
    ]
    dissolved = [Piece(view.unit(key)) for key in before if key not in after and key not in destroyed]
    yield line(Weight.UNITS_LOST, "Units lost", "bad", lost)
    yield line(Weight.UNITS_FORMED, "Units formed", "good", formed)
    yield line(Weight.UNITS_FORMED, "Units dissolved", "", dissolved)
    counts = Counter[str]()
    for event in view.own(realm, events.TroopsChanged):
        counts[event.cause] += event.count
    causes = ((view.formatter.translate(cause), abs(count)) for cause, count in counts.items())
    troops = [Piece(f"{count} {cause}", "events") for cause, count in causes if count]
    yield line(Weight.TROOPS, "Troops", "", troops)


def _troop_units(world: World, realm: str) -> dict[str, Unit]:
    """Return the realm's units with troops or commanders, by key, without garrisons.

    Garrisons come and go with their provinces, which have a line of their own.
    """
    return {unit.key: unit for unit in world.of_realm(realm) if not unit.empty and not unit.is_garrison}


def _of_leaders(view: TurnView, realm: str) -> Iterator[Line]:
    """Yield the lines about commanders who joined or left the realm; a change of unit is neither."""
    net_changes = Counter[str]()  # by the commander's name: 1 joined, -1 left, 0 changed the unit
    last_event: dict[str, events.CommandersChanged] = {}
    for event in view.own(realm, events.CommandersChanged):
        net_changes[event.commander] += event.count
        last_event[event.commander] = event
    cause_of = {name: view.formatter.translate(event.cause) for name, event in last_event.items()}
    lost = [Piece(name, "events", cause_of[name]) for name, change in net_changes.items() if change < 0]
    won = [  # a piece links to the unit, which may be gone again
        Piece(name, f"unit-{last_event[name].unit.partition('/')[2]}", cause_of[name])
        for name, change in net_changes.items()
        if change > 0 and last_event[name].unit in view.result.after.units
    ]
    yield line(Weight.COMMANDERS_LOST, "Commanders lost", "bad", lost)
    yield line(Weight.COMMANDERS_WON, "Commanders won", "good", won)
