"""Plans: possible orders of a realm in a turn.

These are the orders of each temper (a bot's profile), also with a war that could be begun, and changes of
such plans that concern one unit, one place or one relation.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from gm.core.dice import Dice
from gm.core.values import grouped
from gm.game.values import View
from gm.games.medieval.bots.command import Command
from gm.games.medieval.bots.playing import drafted
from gm.games.medieval.bots.relations import can_attack
from gm.games.medieval.bots.sheet import Sheet, UnitSheet
from gm.games.medieval.data.clauses_data import BotProfile
from gm.games.medieval.state import UnitKind, World, pair

MOVES = frozenset({"march", "hold"})
LEAVES = frozenset({"march", "sail"})
SHIPPING = frozenset({"load", "unload"})
SHADES = (65, 140)  # Percent of a temper's caution in plans with other dice, by turns
SURE = 95  # Percent: more battles than so many need not be won on paper
BETTER = "it does better in trials"
FIXED = SHIPPING | {"sail", "pillage"}  # A unit whose plan has one of these words is left alone


class Plan:
    """A realm's possible orders for this turn, as a bot's sheet and as data; equal data make equal plans."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.data = sheet.data()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self.data == other.data

    def __hash__(self) -> int:
        return hash(self.data)


def first_plans(
    view: View, tempers: Sequence[BotProfile], again: int, *, wars: bool = True, going: int | None = None
) -> Iterator[Plan]:
    """Yield possible orders of the realm.

    First there is a plan by each of the ``tempers``; then, if ``wars``, one by the first of them for each war
    that the realm could declare; then ``again`` more by each with other dice, by turns bolder and more
    careful. ``going``: at most so many units may leave their places, and those that a plan has later stay;
    None: all may.
    """
    for sheet in _first_sheets(view, tempers, again, wars=wars):
        leaving = list(filter(_leaves, sheet.units.values()))
        if going is not None:
            for unit_sheet in leaving[going:]:
                unit_sheet.plan = [
                    entry for entry in unit_sheet.plan if entry[0] not in MOVES | LEAVES | SHIPPING
                ]
        yield Plan(sheet)


def _first_sheets(view: View, tempers: Sequence[BotProfile], again: int, *, wars: bool) -> Iterator[Sheet]:
    """Yield the order files of :func:`first_plans`, in the same order, before any unit is made to stay.

    ``tempers``: the profiles; ``again``: how many plans with other dice each of them makes; ``wars``: whether
    there are plans with a war that the realm could declare.
    """
    yield from (drafted(view, temper) for temper in tempers)
    command = Command(view, tempers[0])
    if wars:
        for code in command.survey.within_reach(view.realm, overseas=False):
            if can_attack(command, code):
                yield _war(view, tempers[0], code)
    for number in range(again):
        view_again = view.evolve(seed=f"{view.seed} again {number}")
        percent = SHADES[number % len(SHADES)]
        yield from (drafted(view_again, _shaded(temper, percent)) for temper in tempers)


def _shaded(temper: BotProfile, percent: int) -> BotProfile:
    """Return a temper with its caution scaled: the superiority that it wants, and its fear of neutrals."""
    return temper.evolve(
        edge_percent=temper.edge_percent * percent // 100,
        odds_percent=min(SURE, temper.odds_percent * percent // 100),
        mistrust_percent=temper.mistrust_percent * percent // 100,
    )


def _war(view: View, temper: BotProfile, code: str) -> Sheet:
    """Return the sheet that a temper drafts if the realm declares war on another, and on nobody else."""
    world: World = view.state
    at_war = world.evolve(wars=world.wars | {pair(view.realm, code)})
    sheet = drafted(view.evolve(state=at_war), temper.evolve(war_percent=0))
    # the temper drafts as if the war went on already, and may want to end it
    sheet.lists.get("offer_peace", {}).pop(code, None)
    sheet.headquarters("declare_war", code, "it pays in trials")
    return sheet


class Changes:
    """Makes changed versions of one plan, to be tried.

    ``others``: plans from which it may adopt the orders at a place.
    """

    def __init__(self, view: View, temper: BotProfile, plan: Plan, others: Sequence[Plan]) -> None:
        """Prepare for a plan and the wars that it declares."""
        self._seed = view.seed
        self._plan = plan
        self._others = others
        self._sheet = plan.sheet
        self._command = Command(view, temper)
        self._declared = self._sheet.lists.get("declare_war", {})  # the wars of the plan, by code
        self._command.foes.update(self._declared)

    def offers(self) -> Iterator[Plan]:
        """Yield plans that differ from the plan in one offer: it is added, or left out if it is there.

        Enemies are offered peace, neighbours an alliance; with an ally the alliance is cancelled. Nothing is
        offered to a realm on which the plan declares war.
        """
        world = self._command.world
        realm = self._command.realm
        near = [code for code in self._command.survey.neighbours[realm] if not world.realms[code].defeated]
        allies = [code for code in world.realms if world.allied(realm, code)]
        # by code: the order to a realm; a later one replaces an earlier one
        words = dict.fromkeys(near, "offer_alliance") | dict.fromkeys(allies, "cancel_alliance")
        words |= dict.fromkeys(self._command.foes - self._declared.keys(), "offer_peace")
        for code, word in sorted(words.items()):
            if code not in self._declared:
                sheet = self._sheet.copy()
                if code in sheet.lists.get(word, {}):
                    del sheet.lists[word][code]
                else:
                    sheet.headquarters(word, code, BETTER)
                yield Plan(sheet)

    def moves(self, label: str) -> Iterator[Plan]:
        """Yield plans with other moves of units, in an order that dice with this label decide."""
        stream = Dice(self._seed, "changes")(label)
        sheets_left = list(self._moves())
        while sheets_left:
            yield Plan(sheets_left.pop(stream.below(len(sheets_left))))

    def _moves(self) -> Iterator[Sheet]:
        """Yield this plan's sheet with other marches of one army, for each army.

        Then yield it with the orders that another plan gives at one place, for each plan and place.
        """
        idle = (army.id for army in self._command.armies if army.id not in self._sheet.units)
        for reference in (*self._sheet.units, *idle):
            yield from self._marches(reference)
        for other in self._others:
            if other is not self._plan:
                yield from self._swaps(other.sheet)

    def _marches(self, reference: str) -> Iterator[Sheet]:
        """Yield this plan's sheet with other marches of one army: none, or a last march to another province.

        Armies that sail, load or pillage are left alone, and so are other units. ``reference``: the unit's,
        as in an order file: its id, or a garrison's province.
        """
        by_land = self._command.survey.by_land
        entries = self._sheet.units[reference].plan if reference in self._sheet.units else []
        start = self._origin(self._sheet, reference)
        # a garrison is referred to by its province, whose name may begin like an army's id
        is_garrison = reference == start
        is_army = not is_garrison and reference.startswith(UnitKind.ARMY.value)
        if not is_army or start not in by_land or any(word in FIXED for word, _, _ in entries):
            return
        places = [start, *(place for word, place, _ in entries if word == "march")]
        from_place = start
        other_entries = entries
        if len(places) > 1:
            yield self._with(reference, [entry for entry in entries if entry[0] not in MOVES])
            from_place = places[-2]
            last_march = ("march", places[-1])
            other_entries = [entry for entry in entries if entry[:2] != last_march]
        for target in by_land[from_place]:
            if target not in places and self._is_open(target):
                yield self._with(reference, [*other_entries, ("march", target, BETTER)])

    def _is_open(self, place: str) -> bool:
        """Return whether an army may march to a place: to enemy land, or where the realm's units may pass."""
        return self._command.is_enemy_land(place) or self._command.may_pass(place)

    def _with(self, reference: str, entries: list[tuple[str, Any, str]]) -> Sheet:
        """Return the sheet with other entries (word, value, reason) in the plan of the unit ``reference``."""
        sheet = self._sheet.copy()
        sheet.unit(reference).plan = entries
        return sheet

    def _swaps(self, other: Sheet) -> Iterator[Sheet]:
        """Yield sheets in which all units at one place have their orders from another plan's sheet.

        Places where the orders are the same are left out, and so are places with units that load or unload.
        """
        units_at = self._by_place(self._sheet)
        other_units_at = self._by_place(other)
        for place in sorted({*units_at, *other_units_at}):
            units = units_at.get(place, ())
            other_units = other_units_at.get(place, ())
            # ships and those aboard belong together wherever they are, and the number of a unit that is
            # formed here may be in use elsewhere
            elsewhere = self._sheet.units.keys() - units
            if (
                _takes_part_in_shipping(self._sheet, units)
                or _takes_part_in_shipping(other, other_units)
                or not elsewhere.isdisjoint(other_units)
            ):
                continue
            orders_here = {unit: self._sheet.units[unit] for unit in units}
            if orders_here != {unit: other.units[unit] for unit in other_units}:
                sheet = self._sheet.copy()
                copy_of_other = other.copy()
                orders_elsewhere = {unit: orders for unit, orders in sheet.units.items() if unit not in units}
                orders_swapped_in = {unit: copy_of_other.units[unit] for unit in other_units}
                sheet.units = {**orders_elsewhere, **orders_swapped_in}
                yield sheet

    def _by_place(self, sheet: Sheet) -> dict[str, tuple[str, ...]]:
        """Return the references of the units with orders in a sheet, by their places before these orders."""
        return grouped(sheet.units, lambda reference: self._origin(sheet, reference))

    def _origin(self, sheet: Sheet, reference: str) -> str:
        """Return where a unit is before the orders of the sheet; empty if unknown.

        For a unit that they form, it is where the unit is that forms it. ``reference``: the unit's id, or a
        garrison's province.
        """
        if not reference:
            return ""
        unit = self._command.world.unit(self._command.realm, reference)
        if unit is not None:
            return unit.place
        for maker, unit_sheet in sheet.units.items():
            formed, _ = unit_sheet.orders.get("form", ({}, ""))
            if reference in formed:
                return self._origin(sheet, maker)
        return ""


def _takes_part_in_shipping(sheet: Sheet, references: Sequence[str]) -> bool:
    """Return whether any of these units loads or unloads others, or is loaded or unloaded."""
    for reference, unit_sheet in sheet.units.items():
        for word, value, _ in unit_sheet.plan:
            if word in SHIPPING and not {reference, *value}.isdisjoint(references):
                return True
    return False


def _leaves(unit_sheet: UnitSheet) -> bool:
    """Return whether a unit is ordered to leave its place."""
    return not LEAVES.isdisjoint(word for word, _, _ in unit_sheet.plan)
