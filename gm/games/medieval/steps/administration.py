"""Orders about names, retreat levels, followers, marines, leaders and ambassadors (F7)."""

from collections.abc import Container, Iterator

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
    """Return a unit's name cut to the limit of length, and the refusal if it was cut; both may be None."""
    limit = rules.units.name_length
    refusal = refuse("name-cut", limit=limit) if name and len(name) > limit else None
    return name[:limit] if name else None, refusal


def why_not_follow(unit: Unit, leader: Unit | None, order: model.Follow, draft: Draft) -> Refusal | None:
    """Return why a unit cannot follow another (F7); None if it can.

    It is a garrison, which never retreats, or the other is not its realm's or follows it already, directly or
    over others. ``leader``: the unit that the order names, None if the realm has none of this id.
    """
    if unit.is_garrison:
        return refuse("garrison-stays", unit=unit.id)
    if order.leader is None:
        return None
    if leader is None:
        return refuse("unit-not-yours", unit=order.leader)
    ahead: Unit | None = leader
    keys_ahead: set[str] = set()
    while ahead is not None and ahead.key not in keys_ahead:
        if ahead.key == unit.key:
            return refuse("follow-in-circle", unit=unit.id, leader=leader.id)
        keys_ahead.add(ahead.key)
        ahead = draft.own(unit.realm, ahead.follow) if ahead.follow else None
    return None


def why_not_rename_commander(
    roster: Container[str], taken_names: Container[str], order: model.RenameCommander, rules: Rules
) -> Refusal | None:
    """Return why a commander cannot be renamed (F7); None if they can.

    The realm has no such commander, or the new name is empty, too long, or is or was used. ``roster``: the
    names of the realm's commanders; ``taken_names``: the folded names that nobody else may get.
    """
    if order.name not in roster:
        return refuse("commander-unknown", commander=order.name)
    if not order.new_name or len(order.new_name) > rules.units.name_length:
        return refuse("name-too-long", limit=rules.units.name_length)
    if order.new_name in roster:
        return refuse("commander-name-taken", commander=order.new_name)
    is_respelled = fold(order.new_name) == fold(order.name)
    if fold(order.new_name) in taken_names and not is_respelled:
        return refuse("commander-name-used", commander=order.new_name)
    return None


UNIT_ACTIONS = (model.Rename, model.SetRetreatLevel, model.Follow, model.SetMarines, model.SetLeader)


@step("Administrative Actions", "F7", "W6")
def administrative_actions(work: Workspace) -> None:
    """Send ambassadors; set names, retreat levels, followers, marines and leaders of units.

    Orders for leaders who are not in their unit yet are settled later, by :func:`settle_leaders`.
    """
    _send_ambassadors(work)
    rosters = {  # by realm: the names of its commanders
        realm: {commander.name for unit in work.world.of_realm(realm) for commander in unit.commanders}
        for realm, _ in sheets(work.turn)
    }
    renamed: dict[tuple[str, str], str] = {}  # by realm and old name: the new name
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
    # (realm, index of the order, the leader's name) of leaders who are not in their unit yet
    awaited: set[tuple[str, int, str]] = set()
    for realm, index, order in _unit_actions(work):
        unit = work.own(realm, order.unit)
        if unit is None:
            work.settle(realm, order, refuse("unit-not-yours", unit=order.unit))
        elif isinstance(order, model.SetLeader) and order.commander is not None:
            # the order may have the name from before a renaming in the same file
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
            unit, refusal = _after_action(unit, order, work)
            work.put(unit)
            # the only refusal of a name is that it was cut: the unit has the rest of it
            work.settle(realm, order, refusal, reduced=isinstance(order, model.Rename))
            if isinstance(order, model.Rename):
                work.emit(UnitRenamed(realm=realm, unit=unit.key, name=unit.name or ""))
    work.note(awaited=frozenset(awaited))


def _send_ambassadors(work: Workspace) -> None:
    """Show the address of a realm's player to each realm that gets an ambassador (F7)."""
    for realm, order in work.headquarters_orders(model.SendAmbassador):
        other_realm = order.other
        contact = work.turn.orders[realm].contact
        if work.settle(realm, order, why_not_deal_with(work.world, realm, other_realm)):
            work.emit(
                AmbassadorReceived(audience=other_realm, realm=realm, other=other_realm, contact=contact)
            )


def _unit_actions(work: Workspace) -> Iterator[tuple[str, int, model.UnitOrder]]:
    """Yield (realm, index among its orders to units, order) of ``UNIT_ACTIONS``, by code, in file order."""
    for realm, sheet in sheets(work.turn):
        for index, order in enumerate(sheet.units):
            if isinstance(order, UNIT_ACTIONS):
                yield realm, index, order


def settle_leaders(work: Workspace, events: list[Event], *, last: bool = False) -> None:
    """Settle orders that chose a leader who was elsewhere (F7); their outcomes are added to ``events``.

    They are done if the leader is in the unit now. With ``last``, the others fail; else they wait.
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


def _after_action(unit: Unit, order: model.UnitOrder, work: Workspace) -> tuple[Unit, Refusal | None]:
    """Return a unit after one of ``UNIT_ACTIONS``, and the refusal if it was refused or a name was cut."""
    rules = work.rules
    match order:
        case model.Rename():
            name, name_refusal = fitting_name(order.name, rules)
            return unit.evolve(name=name), name_refusal
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
    return unit.evolve(leader=None), None  # SetLeader without a commander


def _rename_commander(work: Workspace, roster: set[str], realm: str, order: model.RenameCommander) -> None:
    """Rename a commander in the realm's units, also as a leader, and in its roster of names."""
    roster.remove(order.name)
    roster.add(order.new_name)
    for unit in [work.unit(unit.key) for unit in work.world.of_realm(realm)]:
        commanders = tuple(
            commander.evolve(name=order.new_name) if commander.name == order.name else commander
            for commander in unit.commanders
        )
        leader = order.new_name if unit.leader == order.name else unit.leader
        if unit.leader != leader or commanders != unit.commanders:
            work.put(unit.evolve(commanders=commanders, leader=leader))
