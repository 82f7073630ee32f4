"""The standing of realms: for the GM's changes and corrections, for one realm, and in figures (V1-V3, W8).

The GM's corrections between turns repair mistakes that the rules cannot (:class:`gm.game.values.Correction`).
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
from gm.games.medieval.steps.realms import scores
from gm.games.medieval.steps.turn import Turn, Workspace, book_entries
from gm.text.names import subject, the
from gm.text.pages import gold, signed

# The bot that gives the orders of a realm whose controller is the local forces (N3)
STAND_IN = "local-forces"
WALLS = "fortification"
UNKNOWN = Decimal(0)  # What a treasury is said to hold of which nothing is known


def seat_of(realm: Realm, turn: int, rules: Rules) -> Seat:
    """Return a realm's seat.

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
    """Return the world with the GM's standings in it, and their events.

    Raises ``ValueError`` for an unknown realm or word.
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
    """Return a realm with a new status or controller. Raises ``ValueError`` for an unknown word."""
    changes: dict[str, Any] = {}
    for name, words, value in (("status", Status, status), ("controller", Controller, controller)):
        if value not in (None, *words):
            choice, *others = map(str, words)
            for word in others:
                choice = says("{0} or {1}", choice, word)
            raise ValueError(
                says("the {0} of {1} can be {2}, not {3!r}", says(name), realm.code, choice, value)
            )
        if value not in (None, getattr(realm, name)):
            changes[name] = words(value)
    if changes.get("controller") is Controller.PLAYER:
        # a new player starts with a clean sheet (V3)
        changes["missed_turns"] = 0
    return realm.evolve(**changes)


def public_state(world: World, realm: str) -> World:
    """Return the world as the realm's results file shows it: no other treasury, and no missed turns (W8)."""
    return world.with_realms(
        *(
            seat.evolve(treasury=seat.treasury if code == realm else UNKNOWN, missed_turns=0)
            for code, seat in world.realms.items()
        )
    )


def owners(world: World) -> dict[str, str]:
    """Return the realm of each province that has one."""
    return {name: land.owner for name, land in world.provinces.items() if land.owner in world.realms}


def fought_at(event: Event) -> tuple[str, ...]:
    """Return the place of an event's battle, or the two between which it was; empty for other events."""
    if not isinstance(event, BattleFought):
        return ()
    return tuple(filter(None, (event.report.place, event.report.other_place)))


def built_at(event: Event) -> tuple[str, tuple[str, ...]]:
    """Return where an event built a structure, and its code; empty for other events."""
    return (event.province, (thing_of(event),)) if isinstance(event, StructureBuilt) else ("", ())


def thing_of(event: StructureBuilt) -> str:
    """Return the code of what was built: a structure, of walls with their level ("fortification 3")."""
    return f"{WALLS} {event.level}" if event.structure == WALLS else event.structure


def figures(world: World, rules: Rules, atlas: Atlas) -> Mapping[str, Mapping[str, float]]:
    """Return the figures of each realm, by code; 0 for a defeated one. The first column is V1's score."""
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


Changed = tuple[World, str] | tuple[World, str, tuple[Event, ...]]
"""The world, what was done in words, and the books of it."""


def _gold(table: GameData, world: World, words: Sequence[str]) -> Changed:
    """Correct a treasury; return the world, the change in words, and its events."""
    realm = the_one(words[0], world.realms, "realm")
    amount = _amount(words[1])
    name = world.realms[realm].name
    treasury = world.realms[realm].treasury
    if treasury + amount < 0:
        raise ValueError(says("{0} has only {1} gold", subject(name), gold(treasury)))
    work = _workspace(table, world)
    work.pay(realm, amount, "correction by the game master")
    effect = says("the treasury of {0} changed by {1} gold", the(name), signed(amount))
    return work.finish(), effect, _stamped(work.events)


def _owner(table: GameData, world: World, words: Sequence[str]) -> Changed:
    """Correct the owner of a province; return the world, the change in words, and its events."""
    province = the_one(words[0], world.provinces, "province")
    owner = the_one(words[1], [*world.realms, INDEPENDENTS], "realm")
    name = says("the independents") if owner == INDEPENDENTS else the(world.realms[owner].name)
    effect = says("{0} belongs to {1}", province, name)
    if world.provinces[province].owner == owner:
        return world, effect
    work = _workspace(table, world)
    hand_over(work, province, owner)
    # between turns nothing is on its way: what the change marks for the rest of a turn does not count
    return work.finish().evolve(progress=TurnProgress()), effect, _stamped(work.events)


def _troops(table: GameData, world: World, words: Sequence[str]) -> Changed:
    """Correct a unit's troops; return the world, the change in words, and its events."""
    key = the_one(words[0], world.units, "unit")
    troop = the_one(words[1], table.rules.troops, "type of troops")
    count = _count(words[2])
    unit = world.units[key]
    unit = unit.take(troop, -count)[0] if count < 0 else unit.add(troop, (count, 0, 0, 0, 0))
    books = book_entries(unit, "corrected", 1, {troop: count})
    effect = says("{0} has {1} {2}", key, signed(count), says(named(abs(count), troop)))
    return world.with_units([unit]), effect, _stamped(books)


def _status(table: GameData, world: World, words: Sequence[str]) -> Changed:
    realm = world.realms[the_one(words[0], world.realms, "realm")]
    status = Status(the_one(words[1], list(Status), "status"))
    effect = says("the ruler of {0} is {1}", the(realm.name), says(status.value))
    return world.with_realms(realm.evolve(status=status)), effect


def _relation(table: GameData, world: World, words: Sequence[str]) -> Changed:
    """Correct the relation of two realms; return the world and the change in words."""
    one, other = (the_one(word, world.realms, "realm") for word in words[:2])
    if one == other:
        raise ValueError(says("a realm has no relation to itself"))
    relation = Relation(the_one(words[2], list(Relation), "relation"))
    both = {pair(one, other)}
    wars = world.wars - both
    alliances = world.alliances - both
    if relation is Relation.WAR:
        wars |= both
    elif relation is Relation.ALLIED:
        alliances |= both
    after = world.evolve(wars=wars, alliances=alliances)
    how = says("at war" if relation is Relation.WAR else relation.value)
    return after, says(
        "{0} and {1} are {2}", subject(world.realms[one].name), the(world.realms[other].name), how
    )


def _permission(table: GameData, world: World, words: Sequence[str]) -> Changed:
    """Correct a special permission for a province; return the world and the change in words."""
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
    return Workspace(
        Turn(state=world, number=world.turn, rules=table.rules, board=table.board, orders={}, seed="")
    )


def _stamped(books: Iterable[Event]) -> tuple[Event, ...]:
    return tuple(event.evolve(step=STEP) for event in books)


def _amount(word: str) -> Decimal:
    """Return an amount of gold from text. Raises ``ValueError``."""
    try:
        amount = Decimal(word.replace("−", "-"))
        if not amount.is_finite() or amount != to_cents(amount) or not amount:
            raise ValueError
    except (InvalidOperation, ValueError):
        raise ValueError(says("{0} is no amount of gold; write it like +12.50 or -3", shown(word))) from None
    return to_cents(amount)


def _count(word: str) -> int:
    """Return a number of troops from text. Raises ``ValueError``."""
    try:
        count = int(word.replace("−", "-"))
    except ValueError:
        count = 0
    if not count or abs(count) > 10_000:
        raise ValueError(says("{0} is no number of troops; write it like +4 or -3", shown(word)))
    return count
