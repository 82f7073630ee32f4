"""Realms outside a turn: their seats and figures, what one of them may see, changes by the GM (V1-V3, W8).

The GM's corrections between turns repair mistakes that the rules cannot
(:class:`gm.game.corrections.Correction`).
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from gm.core.diagnostics import says, shown
from gm.core.values import Event, to_cents
from gm.game.corrections import Correction
from gm.game.spec import Standings
from gm.game.values import STEP, GameData, Seat, the_one
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.clauses_data import named
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events import ControllerSet, StatusSet
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.events.final import StructureBuilt
from gm.games.medieval.state import INDEPENDENTS, Controller, Realm, Relation, Status, World
from gm.games.medieval.state.realm import pair
from gm.games.medieval.state.strength import hit_points, ships, soldiers, total_combat
from gm.games.medieval.state.world import TurnProgress
from gm.games.medieval.steps.conquest import hand_over
from gm.games.medieval.steps.economy import province_revenue, total_upkeep
from gm.games.medieval.steps.outcomes import unit_changes
from gm.games.medieval.steps.realms import scores
from gm.games.medieval.steps.turn import Turn, Workspace
from gm.text.names import subject, the
from gm.text.pages import gold, signed

# The bot that gives the orders of a realm whose controller is the local forces (N3)
STAND_IN = "local-forces"
WALLS = "fortification"  # as events name this structure
UNKNOWN = Decimal(0)  # what stands for the treasury of another realm, which is secret


def seat_of(realm: Realm, turn: int, rules: Rules) -> Seat:
    """Return a realm's seat after ``turn`` turns.

    A player who missed the first turn, or too many in a row, is flagged (V3).
    """
    played = realm.controller is Controller.PLAYER and not realm.defeated
    missed = realm.missed_turns
    return Seat(
        code=realm.code,
        name=realm.name,
        played=played,
        out=realm.defeated,
        missed=missed,
        flagged=played and (missed >= rules.missed_turns_flagged or (turn == 1 and missed > 0)),
        status=realm.status.value,
        controller=realm.controller.value,
        bot=STAND_IN if realm.controller is Controller.LOCAL_FORCES and not realm.defeated else "",
    )


def with_standings(state: World, standings: Standings) -> tuple[World, tuple[Event, ...]]:
    """Return the world with new statuses and controllers of realms, and an event for each that has changed.

    ``standings``: by realm code (status, controller), None for what stays. Raises ``ValueError`` for an
    unknown realm, status or controller.
    """
    changed = []
    events = list[Event]()
    for code in sorted(standings):
        if code not in state.realms:
            codes = ", ".join(sorted(state.realms))
            raise ValueError(says("this game has no realm {0}; it has {1}", code, codes))
        old = state.realms[code]
        realm = _with_standing(old, *standings[code])
        if realm.status is not old.status:
            events.append(StatusSet(step=STEP, realm=code, status=realm.status.value))
        if realm.controller is not old.controller:
            events.append(ControllerSet(step=STEP, realm=code, controller=realm.controller.value))
        if realm != old:
            changed.append(realm)
    return state.with_realms(*changed) if changed else state, tuple(events)


def _with_standing(realm: Realm, status: str | None, controller: str | None) -> Realm:
    """Return a realm with this status and controller; None: the one that it has.

    A realm that gets a player has missed no turns. Raises ``ValueError`` for an unknown status or controller.
    """
    changes: dict[str, Any] = {}
    for name, kinds, value in (("status", Status, status), ("controller", Controller, controller)):
        if value not in (None, *kinds):
            choice, *other_kinds = map(str, kinds)
            for kind in other_kinds:
                choice = says("{0} or {1}", choice, kind)
            raise ValueError(
                says("the {0} of {1} can be {2}, not {3!r}", says(name), realm.code, choice, value)
            )
        if value not in (None, getattr(realm, name)):
            changes[name] = kinds(value)
    if changes.get("controller") is Controller.PLAYER:
        # a new player starts with a clean sheet (V3)
        changes["missed_turns"] = 0
    return realm.evolve(**changes)


def public_state(world: World, realm: str) -> World:
    """Return the world as a realm's results file shows it (W8).

    The treasuries of the others are 0, and the missed turns of all.
    """
    return world.with_realms(
        *(
            seat.evolve(treasury=seat.treasury if code == realm else UNKNOWN, missed_turns=0)
            for code, seat in world.realms.items()
        )
    )


def owners(world: World) -> dict[str, str]:
    """Return the code of the realm that owns each province, without independent provinces."""
    return {name: land.owner for name, land in world.provinces.items() if land.owner in world.realms}


def fought_at(event: Event) -> tuple[str, ...]:
    """Return the place of an event's battle, or the two between which it was; empty for other events."""
    if not isinstance(event, BattleFought):
        return ()
    return tuple(filter(None, (event.report.place, event.report.other_place)))


def built_at(event: Event) -> tuple[str, tuple[str, ...]]:
    """Return the province in which an event built something, and what (:func:`thing_of`).

    Both are empty for other events.
    """
    return (event.province, (thing_of(event),)) if isinstance(event, StructureBuilt) else ("", ())


def thing_of(event: StructureBuilt) -> str:
    """Return the key of what was built: the structure, with a fortification's level (``fortification 3``)."""
    return f"{WALLS} {event.level}" if event.structure == WALLS else event.structure


def figures(world: World, rules: Rules, atlas: Atlas) -> Mapping[str, Mapping[str, float]]:
    """Return the figures of each realm, by its code and the figure's name. ``score``: as V1 counts it."""
    points = dict(scores(world, atlas, rules))
    figures_of: dict[str, Mapping[str, float]] = {}
    for code, realm in world.realms.items():
        lands = world.owned_by(code)
        units = world.of_realm(code)
        annexed = [land for land in lands if land.annexed_to == code]
        row: dict[str, int | Decimal] = {
            "score": points.get(code, 0),
            "provinces": len(lands),
            "cities": sum(atlas.city(land.name) is not None for land in lands),
            "annexed": len(annexed),
            "gold": realm.treasury,
            "revenue": sum((province_revenue(land, atlas, rules) for land in annexed), Decimal(0)),
            "upkeep": total_upkeep(units, rules),
            "soldiers": sum(soldiers(unit, rules) for unit in units),
            "ships": sum(ships(unit, rules) for unit in units),
            "combat": sum(total_combat(unit, rules, ships_too=True) for unit in units),
            "hit points": sum((hit_points(unit, rules) for unit in units), Decimal(0)),
            "fortifications": sum(land.effective_fortification for land in lands),
        }
        figures_of[code] = {name: float(value) for name, value in row.items()}
    return figures_of


Corrected = tuple[World, str] | tuple[World, str, tuple[Event, ...]]
"""The world after a correction, the change in words, and events of it, if any, besides the public one."""


def _gold(table: GameData, world: World, words: Sequence[str]) -> Corrected:
    """Correct a treasury; return the world, the change in words, its events. ``words``: realm, amount."""
    realm = the_one(words[0], world.realms, "realm")
    amount = _amount(words[1])
    name = world.realms[realm].name
    treasury = world.realms[realm].treasury
    if treasury + amount < 0:
        raise ValueError(says("{0} has only {1} gold", subject(name), gold(treasury)))
    work = _workspace(table, world)
    work.pay(realm, amount, "correction by the game master")
    effect = says("the treasury of {0} changed by {1} gold", the(name), signed(amount))
    return work.finish(), effect, _with_step(work.events)


def _owner(table: GameData, world: World, words: Sequence[str]) -> Corrected:
    """Correct the owner of a province; return the world, the change in words, and its events, if any.

    ``words``: the province; the realm or ``IND``.
    """
    province = the_one(words[0], world.provinces, "province")
    owner = the_one(words[1], [*world.realms, INDEPENDENTS], "realm")
    name = says("the independents") if owner == INDEPENDENTS else the(world.realms[owner].name)
    effect = says("{0} belongs to {1}", province, name)
    if world.provinces[province].owner == owner:
        return world, effect
    work = _workspace(table, world)
    hand_over(work, province, owner)
    # between turns there is no progress: what handing over has recorded for the rest of a turn is removed
    return work.finish().evolve(progress=TurnProgress()), effect, _with_step(work.events)


def _troops(table: GameData, world: World, words: Sequence[str]) -> Corrected:
    """Correct a unit's troops (new ones are in rank 1); return the world, the change in words, its events.

    ``words``: unit, troop type, number to add (below 0: to take away).
    """
    key = the_one(words[0], world.units, "unit")
    troop = the_one(words[1], table.rules.troops, "type of troops")
    count = _count(words[2])
    unit = world.units[key]
    unit = unit.take(troop, -count)[0] if count < 0 else unit.add(troop, (count, 0, 0, 0, 0))
    events = unit_changes(unit, "corrected", 1, {troop: count})  # ``count`` has its sign already
    effect = says("{0} has {1} {2}", key, signed(count), says(named(abs(count), troop)))
    return world.with_units([unit]), effect, _with_step(events)


def _status(table: GameData, world: World, words: Sequence[str]) -> Corrected:
    """Correct a ruler's status; return the world and the change in words. ``words``: realm, status."""
    realm = world.realms[the_one(words[0], world.realms, "realm")]
    status = Status(the_one(words[1], list(Status), "status"))
    effect = says("the ruler of {0} is {1}", the(realm.name), says(status.value))
    return world.with_realms(realm.evolve(status=status)), effect


def _relation(table: GameData, world: World, words: Sequence[str]) -> Corrected:
    """Correct the relation of two realms; return the world and the change in words.

    ``words``: realm, realm, relation.
    """
    one, other = (the_one(word, world.realms, "realm") for word in words[:2])
    if one == other:
        raise ValueError(says("a realm has no relation to itself"))
    relation = Relation(the_one(words[2], list(Relation), "relation"))
    their_pair = {pair(one, other)}
    wars = world.wars - their_pair
    alliances = world.alliances - their_pair
    if relation is Relation.WAR:
        wars |= their_pair
    elif relation is Relation.ALLIED:
        alliances |= their_pair
    after = world.evolve(wars=wars, alliances=alliances)
    relation_words = says("at war" if relation is Relation.WAR else relation.value)
    one_name = subject(world.realms[one].name)
    other_name = the(world.realms[other].name)
    return after, says("{0} and {1} are {2}", one_name, other_name, relation_words)


def _permission(table: GameData, world: World, words: Sequence[str]) -> Corrected:
    """Correct a special permission for a province; return the world and the change in words.

    ``words``: province, realm, ``yes`` or ``no``.
    """
    land = world.provinces[the_one(words[0], world.provinces, "province")]
    realm = the_one(words[1], world.realms, "realm")
    allowed = the_one(words[2], ("yes", "no"), "answer") == "yes"
    permissions = (land.permissions | {realm}) if allowed else (land.permissions - {realm})
    pattern = "{0} has no special permission for {1}"
    if allowed:
        pattern = "{0} has special permission for {1}"
    effect = says(pattern, subject(world.realms[realm].name), land.name)
    return world.with_provinces(land.evolve(permissions=permissions)), effect


CORRECTIONS: Mapping[str, Correction] = {
    "gold": Correction("gold REALM AMOUNT                 e.g. gold ENG +12.50", _gold),
    "owner": Correction("owner PROVINCE REALM              or IND, for independent", _owner),
    "troops": Correction("troops UNIT TYPE NUMBER           e.g. troops ENG/A7 Longbowmen -3", _troops),
    "status": Correction("status REALM STATUS               royalty or commoner", _status),
    "relation": Correction("relation REALM REALM RELATION     war, neutral or allied", _relation),
    "permission": Correction(
        "permission PROVINCE REALM ANSWER  may its units be there? yes or no", _permission
    ),
}


def _workspace(table: GameData, world: World) -> Workspace:
    """Return a workspace on a world between turns: without orders, and with no dice to be drawn."""
    return Workspace(
        Turn(state=world, number=world.turn, rules=table.rules, board=table.board, orders={}, seed="")
    )


def _with_step(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return the events with :data:`STEP` as their step, by which logs tell what the GM did."""
    return tuple(event.evolve(step=STEP) for event in events)


def _amount(word: str) -> Decimal:
    """Return an amount of gold, not 0, from text such as ``+12.50``. Raises ``ValueError`` for other text."""
    try:
        amount = Decimal(word.replace("−", "-"))
        if not amount.is_finite() or amount != to_cents(amount) or not amount:
            raise ValueError
    except (InvalidOperation, ValueError):
        message = says("{0} is not an amount of gold; write it like +12.50 or -3", shown(word))
        raise ValueError(message) from None
    return to_cents(amount)


def _count(word: str) -> int:
    """Return a number of troops, from -10000 to 10000 but not 0. Raises ``ValueError`` for other text."""
    try:
        count = int(word.replace("−", "-"))
    except ValueError:
        count = 0
    if not count or abs(count) > 10_000:
        raise ValueError(says("{0} is not a number of troops; write it like +4 or -3", shown(word)))
    return count
