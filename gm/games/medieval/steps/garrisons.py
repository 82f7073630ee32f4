"""The garrison that a province has or has not (W5), and its troops when they have to leave it (L8.2, L12)."""

from __future__ import annotations

from gm.core.events import Event
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.movement import GarrisonTurnedOut
from gm.games.medieval.state import Commander, Province, Ranks, Unit, UnitKind, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.steps.forming import set_apart


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
