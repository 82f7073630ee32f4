"""New units made out of a part of another, and the garrison that a province has or has not (L8.2, L12, M5, M7, W5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import sub

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.events.movement import GarrisonTurnedOut, TroopsLeftWithoutUnit
from gm.games.medieval.state import Commander, Province, Ranks, Unit, UnitKind
from gm.games.medieval.state.unit import NO_RANKS, as_ranks
from gm.games.medieval.steps.workspace import Workspace


def set_apart(
    work: Workspace,
    source: Unit,
    kind: UnitKind,
    troops: Mapping[str, Ranks],
    commanders: Sequence[Commander] = (),
    *,
    aboard: str | None = None,
) -> Unit | None:
    """Move a part of ``source`` into a new unit of its realm where it is; none when it is lost, which is reported. The
    new unit has used the move-points that ``source`` has (P6) and keeps its leader if he comes along. Without a free
    number the part joins the realm's lowest-numbered unit of that kind there; without one it is lost (L8.2)."""
    remaining = {name: as_ranks(map(sub, ranks, troops.get(name, NO_RANKS))) for name, ranks in source.troops.items()}
    moved = {commander.name for commander in commanders}
    staying = tuple(each for each in source.commanders if each.name not in moved)
    leader = None if source.leader in moved else source.leader
    work.put(source.with_troops(remaining).evolve(commanders=staying, leader=leader))
    unit = new_unit(work, source.realm, kind, source.place, aboard=aboard)
    if unit is None:
        counts, names = {name: sum(ranks) for name, ranks in troops.items()}, tuple(each.name for each in commanders)
        work.emit(TroopsLeftWithoutUnit(realm=source.realm, place=source.place, troops=counts, commanders=names))
        work.lose(source, "lost", counts, names)
        return None
    for name, ranks in troops.items():
        unit = unit.add(name, ranks)
    leads = source.leader if unit.leader is None and source.leader in moved else unit.leader
    unit = unit.evolve(commanders=(*unit.commanders, *commanders), leader=leads)
    before, here = work.done(source), work.done(unit)
    work.put(unit)
    work.mark(unit, used=max(before.used, here.used), spent=before.spent or here.spent)
    return unit


def new_unit(work: Workspace, realm: str, kind: UnitKind, place: str, *, aboard: str | None = None) -> Unit | None:
    """A new empty unit, not yet put in; without a free number the realm's lowest-numbered one there, if any (L8.2)."""
    number = work.free_number(realm, kind, work.rules.units.number_limit)
    if number is None:
        mine = (u for u in work.at(place) if u.realm == realm and u.kind is kind and u.aboard == aboard)
        return next(mine, None)
    level = work.rules.units.retreat_level
    return Unit(realm=realm, kind=kind, number=number, place=place, aboard=aboard, retreat_level=level)


def needs_garrison(province: Province, board: Atlas) -> bool:
    """W5: a city or a fortification, ruined or not, has a garrison."""
    return board.city(province.name) is not None or province.fortification > 0


def holds_ships(province: Province, board: Atlas) -> bool:
    """W5: whether the province's garrison may have ships: city and harbour."""
    return board.city(province.name) is not None and province.harbour


def settle_garrison(work: Workspace, province: str) -> Unit | None:
    """Make the garrison that the province should have, empty, or take it away (L8.2, W5); gives the present one. Raises
    ``ValueError`` when one with troops in it, or another realm's, would have to go: turn it out first."""
    land = work.province(province)
    garrison = work.garrison(province)
    needed = needs_garrison(land, work.board)
    if garrison is not None and (not needed or garrison.realm != land.owner):
        if not garrison.empty:
            raise ValueError(f"the garrison {garrison.key} at {province} is not empty")
        work.remove(garrison.key)
        garrison = None
    if needed and garrison is None:
        garrison = Unit(
            realm=land.owner,
            kind=UnitKind.GARRISON,
            number=work.free_number(land.owner, UnitKind.GARRISON),
            place=province,
            retreat_level=work.rules.units.retreat_level,
        )
        work.put(garrison)
        work.mark(garrison)
    return garrison


def turn_out(work: Workspace, garrison: Unit, *, soldiers: bool = True, ships: bool = True) -> None:
    """Put a garrison's soldiers and commanders into a new army, its ships into a new fleet (L8.2, L12); it stays,
    empty."""
    kinds = {False: UnitKind.ARMY, True: UnitKind.FLEET}
    for ship, kind in kinds.items():
        part = {name: ranks for name, ranks in garrison.troops.items() if work.rules.troops[name].ship is ship}
        commanders = () if ship else garrison.commanders
        if not (ships if ship else soldiers) or not (part or commanders):
            continue
        unit = set_apart(work, work.unit(garrison.key), kind, part, commanders)
        if unit is not None:
            counts, names = {name: sum(ranks) for name, ranks in part.items()}, tuple(who.name for who in commanders)
            who_left = GarrisonTurnedOut(
                realm=garrison.realm,
                garrison=garrison.key,
                unit=unit.key,
                place=garrison.place,
                troops=counts,
                commanders=names,
            )
            work.emit(who_left)
