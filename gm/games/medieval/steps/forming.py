"""New units made out of a part of another, and the garrison that a province has or has not (L8.2, L12, M5, M7, W5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gm.core.events import Event
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.ledger import CommandersChanged, TroopsChanged
from gm.games.medieval.events.movement import GarrisonTurnedOut, TroopsLeftWithoutUnit
from gm.games.medieval.state import Commander, Province, Ranks, Unit, UnitKind, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.unit import NO_RANKS


def set_apart(
    draft: Draft,
    rules: Rules,
    source: Unit,
    kind: UnitKind,
    troops: Mapping[str, Ranks],
    commanders: Sequence[Commander] = (),
    *,
    aboard: str | None = None,
) -> tuple[Unit | None, tuple[Event, ...]]:
    """Move a part of ``source`` into a new unit of its realm where it is; gives the unit and what was lost.

    The new unit has used the move-points that ``source`` has (P6) and keeps its leader if he comes along. Without a
    free number the part joins the realm's lowest-numbered unit of that kind there; without one it is lost (L8.2).
    """
    remaining = {name: _less(ranks, troops.get(name, NO_RANKS)) for name, ranks in source.troops.items()}
    moved = {commander.name for commander in commanders}
    draft.put(
        source.with_troops(remaining).evolve(
            commanders=tuple(c for c in source.commanders if c.name not in moved),
            leader=None if source.leader in moved else source.leader,
        )
    )
    unit = new_unit(draft, rules, source.realm, kind, source.place, aboard=aboard)
    if unit is None:
        return None, _lost(source, troops, commanders)
    for name, ranks in troops.items():
        unit = unit.add(name, ranks)
    leads = source.leader if unit.leader is None and source.leader in moved else unit.leader
    unit = unit.evolve(commanders=(*unit.commanders, *commanders), leader=leads)
    before, here = draft.done(source), draft.done(unit)
    draft.put(unit)
    draft.mark(unit, used=max(before.used, here.used), spent=before.spent or here.spent)
    return unit, ()


def new_unit(
    draft: Draft, rules: Rules, realm: str, kind: UnitKind, place: str, *, aboard: str | None = None
) -> Unit | None:
    """A new empty unit, not yet put in; without a free number the realm's lowest-numbered one there, if any (L8.2)."""
    number = draft.free_number(realm, kind, rules.units.number_limit)
    if number is None:
        mine = (u for u in draft.at(place) if u.realm == realm and u.kind is kind and u.aboard == aboard)
        return next(mine, None)
    level = rules.units.retreat_level
    return Unit(realm=realm, kind=kind, number=number, place=place, aboard=aboard, retreat_level=level)


def _lost(source: Unit, troops: Mapping[str, Ranks], commanders: Sequence[Commander]) -> tuple[Event, ...]:
    counts = {name: sum(ranks) for name, ranks in troops.items()}
    names = [commander.name for commander in commanders]
    return (
        TroopsLeftWithoutUnit(realm=source.realm, place=source.place, troops=counts, commanders=tuple(names)),
        *troops_changed(source, counts, "lost", gained=False),
        *commanders_changed(source, names, "lost", gained=False),
    )


def troops_changed(unit: Unit, counts: Mapping[str, int], cause: str, *, gained: bool) -> tuple[Event, ...]:
    """The ledger's entries for troops that came to or left a unit."""
    sign = 1 if gained else -1
    return tuple(
        TroopsChanged(realm=unit.realm, unit=unit.key, troop=troop, count=sign * count, cause=cause)
        for troop, count in counts.items()
        if count
    )


def commanders_changed(unit: Unit, names: Sequence[str], cause: str, *, gained: bool) -> tuple[Event, ...]:
    """The ledger's entries for commanders who came to or left a unit."""
    sign = 1 if gained else -1
    return tuple(
        CommandersChanged(realm=unit.realm, unit=unit.key, commander=name, count=sign, cause=cause) for name in names
    )


def _less(have: Ranks, taken: Ranks) -> Ranks:
    return (have[0] - taken[0], have[1] - taken[1], have[2] - taken[2], have[3] - taken[3], have[4] - taken[4])


def needs_garrison(province: Province, board: Atlas) -> bool:
    """W5: a city or a fortification, ruined or not, has a garrison."""
    return board.city(province.name) is not None or province.fortification > 0


def holds_ships(province: Province, board: Atlas) -> bool:
    """W5: whether the province's garrison may have ships: city and harbour."""
    return board.city(province.name) is not None and province.harbour


def with_garrison(world: World, rules: Rules, board: Atlas, province: str) -> World:
    """The world with the garrison that the province should have: made empty, or taken away (L8.2, W5).

    Raises ``ValueError`` when one with troops in it, or another realm's, would have to go: turn it out first.
    """
    draft = Draft(world)
    settle_garrison(draft, rules, board, province)
    return draft.finish()


def settle_garrison(draft: Draft, rules: Rules, board: Atlas, province: str) -> Unit | None:
    """:func:`with_garrison` within a draft; gives the garrison as it is then."""
    land = draft.province(province)
    garrison = draft.garrison(province)
    needed = needs_garrison(land, board)
    if garrison is not None and (not needed or garrison.realm != land.owner):
        if not garrison.empty:
            raise ValueError(f"the garrison {garrison.key} at {province} is not empty")
        draft.remove(garrison.key)
        garrison = None
    if needed and garrison is None:
        garrison = Unit(
            realm=land.owner,
            kind=UnitKind.GARRISON,
            number=draft.free_number(land.owner, UnitKind.GARRISON),
            place=province,
            retreat_level=rules.units.retreat_level,
        )
        draft.put(garrison)
        draft.mark(garrison)
    return garrison


def turn_out(
    world: World, rules: Rules, garrison_key: str, *, soldiers: bool = True, ships: bool = True
) -> tuple[World, tuple[Event, ...]]:
    """The world with a garrison's soldiers and commanders in a new army and its ships in a new fleet (L8.2, L12).

    The garrison itself stays, without them. ``soldiers`` and ``ships`` choose what has to leave.
    """
    draft = Draft(world)
    events = turn_out_of(draft, rules, draft.unit(garrison_key), soldiers=soldiers, ships=ships)
    return draft.finish(), events


def turn_out_of(
    draft: Draft, rules: Rules, garrison: Unit, *, soldiers: bool = True, ships: bool = True
) -> tuple[Event, ...]:
    """:func:`turn_out` within a draft."""
    ashore = {name: ranks for name, ranks in garrison.troops.items() if not rules.troops[name].ship}
    afloat = {name: ranks for name, ranks in garrison.troops.items() if rules.troops[name].ship}
    events: list[Event] = []
    if soldiers and (ashore or garrison.commanders):
        events += _leave(draft, rules, garrison, UnitKind.ARMY, ashore, garrison.commanders)
    if ships and afloat:
        events += _leave(draft, rules, draft.unit(garrison.key), UnitKind.FLEET, afloat, ())
    return tuple(events)


def _leave(
    draft: Draft,
    rules: Rules,
    garrison: Unit,
    kind: UnitKind,
    troops: dict[str, Ranks],
    commanders: tuple[Commander, ...],
) -> tuple[Event, ...]:
    unit, lost = set_apart(draft, rules, garrison, kind, troops, commanders)
    if unit is None:
        return lost
    return (
        GarrisonTurnedOut(
            realm=garrison.realm,
            garrison=garrison.key,
            unit=unit.key,
            place=garrison.place,
            troops={name: sum(ranks) for name, ranks in troops.items()},
            commanders=tuple(commander.name for commander in commanders),
        ),
    )
