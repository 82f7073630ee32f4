"""Names, retreat levels, followers, marines, leaders and ambassadors (F7)."""

from collections.abc import Container, Iterator, Mapping

from gm.core.diagnostics import fold
from gm.core.values import Event
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.first import AmbassadorReceived, CommanderRenamed, UnitRenamed
from gm.games.medieval.orders import model
from gm.games.medieval.state import Unit
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.world import names_taken
from gm.games.medieval.steps.diplomacy import why_not_deal_with
from gm.games.medieval.steps.outcomes import Refusal, refuse
from gm.games.medieval.steps.turn import Workspace, settled, sheets, step


def fitting_name(name: str | None, rules: Rules) -> tuple[str | None, Refusal | None]:
    """Return ``name`` cut to the limit of units and commanders, and the refusal if it was cut."""
    limit = rules.units.name_length
    cut = refuse("name-cut", limit=limit) if name and len(name) > limit else None
    return name[:limit] if name else None, cut


def why_not_follow(unit: Unit, leader: Unit | None, order: model.Follow, draft: Draft) -> Refusal | None:
    """Return why a unit cannot follow another (F7): not own, a garrison (it never retreats), or a circle."""
    if unit.is_garrison:
        return refuse("garrison-stays", unit=unit.id)
    if order.leader is None:
        return None
    if leader is None:
        return refuse("unit-not-yours", unit=order.leader)
    ahead: Unit | None = leader
    followed: set[str] = set()
    while ahead is not None and ahead.key not in followed:
        if ahead.key == unit.key:
            return refuse("follow-in-circle", unit=unit.id, leader=leader.id)
        followed.add(ahead.key)
        ahead = draft.own(unit.realm, ahead.follow) if ahead.follow else None
    return None


def why_not_rename_commander(
    names: Mapping[str, str], taken: Container[str], order: model.RenameCommander, rules: Rules
) -> Refusal | None:
    """Return why a commander cannot be renamed (F7): not of the realm, or the new name is or was used.

    ``names`` maps each commander of the realm to their unit; ``taken`` are the folded names of the game.
    """
    if order.name not in names:
        return refuse("commander-unknown", commander=order.name)
    if not order.new_name or len(order.new_name) > rules.units.name_length:
        return refuse("name-too-long", limit=rules.units.name_length)
    if order.new_name in names:
        return refuse("commander-name-taken", commander=order.new_name)
    is_respelled = fold(order.new_name) == fold(order.name)
    if fold(order.new_name) in taken and not is_respelled:
        return refuse("commander-name-used", commander=order.new_name)
    return None


UNIT_ACTIONS = (model.Rename, model.SetRetreatLevel, model.Follow, model.SetMarines, model.SetLeader)


@step("Administrative Actions", "F7", "W6")
def administrative_actions(work: Workspace) -> None:
    """Carry out names, retreat levels, followers, marines, leaders and ambassadors.

    :func:`leaders_come` settles orders for leaders who are elsewhere.
    """
    _ambassadors_sent(work)
    rosters = {
        realm: {who.name: unit.key for unit in work.world.of_realm(realm) for who in unit.commanders}
        for realm, _ in sheets(work.turn)
    }
    renamed: dict[tuple[str, str], str] = {}
    taken_names = names_taken(work.world)
    for realm, rename in work.headquarters_orders(model.RenameCommander):
        if work.settle(
            realm, rename, why_not_rename_commander(rosters[realm], taken_names, rename, work.rules)
        ):
            _rename_commander(work, rosters[realm], realm, rename)
            taken_names.add(fold(rename.new_name))
            renamed[realm, rename.name] = rename.new_name
            work.emit(CommanderRenamed(realm=realm, commander=rename.name, name=rename.new_name))
    if renamed:
        work.change(commander_names=work.world.commander_names.union(renamed.values()))
    awaited: set[tuple[str, int, str]] = set()
    for realm, index, order in _unit_actions(work):
        unit = work.own(realm, order.unit)
        if unit is None:
            work.settle(realm, order, refuse("unit-not-yours", unit=order.unit))
        elif isinstance(order, model.SetLeader) and order.commander is not None:
            # a leader may be chosen under the name that he had when the orders were written
            name = renamed.get((realm, order.commander), order.commander)
            if name not in rosters[realm]:
                work.settle(realm, order, refuse("commander-unknown", commander=order.commander))
                continue
            unit = unit.evolve(leader=name)
            work.put(unit)
            if unit.lead_commander is None:
                awaited.add((realm, index, name))
            else:
                work.settle(realm, order)
        else:
            unit, refusal = _acted(unit, order, work)
            work.put(unit)
            work.settle(realm, order, refusal, reduced=isinstance(order, model.Rename))
            if isinstance(order, model.Rename):
                work.emit(UnitRenamed(realm=realm, unit=unit.key, name=unit.name or ""))
    work.note(awaited=frozenset(awaited))


def _ambassadors_sent(work: Workspace) -> None:
    """Show the address of a realm's player to each realm that gets an ambassador (F7)."""
    for realm, order in work.headquarters_orders(model.SendAmbassador):
        other_realm = order.other
        contact = work.turn.orders[realm].contact
        if work.settle(realm, order, why_not_deal_with(work.world, realm, other_realm)):
            work.emit(
                AmbassadorReceived(audience=other_realm, realm=realm, other=other_realm, contact=contact)
            )


def _unit_actions(work: Workspace) -> Iterator[tuple[str, int, model.UnitOrder]]:
    """Yield (realm, number of the order, order) of orders to units, by realm code and in file order (W12)."""
    for realm, sheet in sheets(work.turn):
        for index, order in enumerate(sheet.units):
            if isinstance(order, UNIT_ACTIONS):
                yield realm, index, order


def leaders_come(work: Workspace, events: list[Event], *, last: bool = False) -> None:
    """Settle orders that chose a leader who was elsewhere (F7).

    They are done when the leader is in the unit; with ``last``, the others fail.
    """
    awaited = work.world.progress.awaited
    for realm, index, name in sorted(awaited):
        order = work.turn.orders[realm].units[index]
        unit = work.own(realm, order.unit)
        has_come = unit is not None and unit.leader == name and unit.lead_commander is not None
        if has_come or last:
            never = refuse("leader-never-came", commander=name, unit=order.unit)
            events.append(settled(realm, order, None if has_come else never))
            awaited -= {(realm, index, name)}
            work.note(awaited=awaited)


def _acted(unit: Unit, order: model.UnitOrder, work: Workspace) -> tuple[Unit, Refusal | None]:
    """Carry out one order; return the unit, and the refusal if it was refused or cut."""
    rules = work.rules
    match order:
        case model.Rename():
            name, cut = fitting_name(order.name, rules)
            return unit.evolve(name=name), cut
        case model.SetRetreatLevel():
            if not 1 <= order.level <= rules.units.ranks:
                return unit, refuse("retreat-level-out-of-range", level=order.level, limit=rules.units.ranks)
            if unit.is_garrison:
                return unit, refuse("garrison-stays", unit=unit.id)
            return unit.evolve(retreat_level=order.level), None
        case model.Follow():
            leader = work.own(unit.realm, order.leader) if order.leader else None
            refusal = why_not_follow(unit, leader, order, work)
            if refusal:
                return unit, refusal
            return unit.evolve(follow=leader.id if leader else None), None
        case model.SetMarines():
            if not unit.is_army:
                return unit, refuse("marines-are-armies", unit=unit.id)
            return unit.evolve(marines=order.answer), None
    return unit.evolve(leader=None), None


def _rename_commander(
    work: Workspace, names: dict[str, str], realm: str, order: model.RenameCommander
) -> None:
    """Rename a commander in all units, also as a leader."""
    names[order.new_name] = names.pop(order.name)
    for unit in [work.unit(unit.key) for unit in work.world.of_realm(realm)]:
        commanders = tuple(
            who.evolve(name=order.new_name) if who.name == order.name else who for who in unit.commanders
        )
        leader = order.new_name if unit.leader == order.name else unit.leader
        if unit.leader != leader or commanders != unit.commanders:
            work.put(unit.evolve(commanders=commanders, leader=leader))
