"""New units made out of a part of another: turned out of a garrison, put ashore, or shipwrecked (L8.2, L12, M5, M7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gm.core.events import Event
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.ledger import CommandersChanged, TroopsChanged
from gm.games.medieval.events.movement import TroopsLeftWithoutUnit
from gm.games.medieval.state import Commander, Ranks, Unit, UnitKind
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
