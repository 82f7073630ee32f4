"""Possible orders of a realm in a turn.

These are the orders of each profile, a war that could be begun, and changes of such plans that concern one
unit, one place or one relation.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from gm.core.dice import Dice
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
SHADES = (65, 140)  # Percent of a temper's caution, by turns
SURE = 95
BETTER = "it does better in trials"
FIXED = SHIPPING | {"sail", "pillage"}  # Whose plan has one of these is left alone


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
    """Yield possible orders of the realm: by each profile, with each possible war, and with other dice.

    With other dice there are ``again`` plans for each profile, by turns bolder and more careful. ``wars``:
    whether plans with further wars are yielded; ``going``: the number of units that may leave their places,
    the first ones ordered to.
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
    """Yield the order files of :func:`first_plans`."""
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
    """Return the profile with its wanted superiority and its fear of enemies scaled by a percentage."""
    return temper.evolve(
        edge_percent=temper.edge_percent * percent // 100,
        odds_percent=min(SURE, temper.odds_percent * percent // 100),
        mistrust_percent=temper.mistrust_percent * percent // 100,
    )


def _war(view: View, temper: BotProfile, code: str) -> Sheet:
    """Return the sheet that a profile drafts if the realm declares war on another."""
    world: World = view.state
    at_war = world.evolve(wars=world.wars | {pair(view.realm, code)})
    sheet = drafted(view.evolve(state=at_war), temper.evolve(war_percent=0))
    sheet.lists.get("offer_peace", {}).pop(code, None)
    sheet.headquarters("declare_war", code, "it pays in trials")
    return sheet


class Changes:
    """The changes of one plan; ``others``: the plans from which it may adopt the orders at a place."""

    def __init__(self, view: View, temper: BotProfile, plan: Plan, others: Sequence[Plan]) -> None:
        """Prepare for a plan and the wars that it declares."""
        self._seed = view.seed
        self._plan = plan
        self._others = others
        self._sheet = plan.sheet
        self._command = Command(view, temper)
        self._declared = self._sheet.lists.get("declare_war", {})
        self._command.foes.update(self._declared)

    def offers(self) -> Iterator[Plan]:
        """Yield plans that differ from the first in one offer: it is added or left out.

        Enemies are offered peace, neighbours an alliance; with an ally the alliance is cancelled.
        """
        world = self._command.world
        realm = self._command.realm
        near = [code for code in self._command.survey.neighbours[realm] if not world.realms[code].defeated]
        allies = [code for code in world.realms if world.allied(realm, code)]
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
        """Yield plans with other moves of units, in the order of dice with this label."""
        stream = Dice(self._seed, "changes")(label)
        sheets_left = list(self._moves())
        while sheets_left:
            yield Plan(sheets_left.pop(stream.below(len(sheets_left))))

    def _moves(self) -> Iterator[Sheet]:
        """Yield the sheet with other marches of one unit, then with parts of the other plans."""
        idle = (army.id for army in self._command.armies if army.id not in self._sheet.units)
        for reference in (*self._sheet.units, *idle):
            yield from self._marches(reference)
        for other in self._others:
            if other is not self._plan:
                yield from self._swaps(other.sheet)

    def _marches(self, reference: str) -> Iterator[Sheet]:
        """Yield plans in which the unit stays, or its last march has another target.

        It marches with others, against others, or home.
        """
        by_land = self._command.survey.by_land
        plan = self._sheet.units[reference].plan if reference in self._sheet.units else []
        start = self._origin(self._sheet, reference)
        is_army = reference != start and reference.startswith(UnitKind.ARMY.value)
        if not is_army or start not in by_land or any(word in FIXED for word, _, _ in plan):
            return
        way = [start, *(place for word, place, _ in plan if word == "march")]
        before_last = start
        entries = plan
        if len(way) > 1:
            yield self._with(reference, [entry for entry in plan if entry[0] not in MOVES])
            before_last = way[-2]
            entries = [entry for entry in plan if entry[:2] != ("march", way[-1])]
        for target in by_land[before_last]:
            if target not in way and self._is_open(target):
                yield self._with(reference, [*entries, ("march", target, BETTER)])

    def _is_open(self, place: str) -> bool:
        return self._command.is_enemy_land(place) or self._command.may_pass(place)

    def _with(self, reference: str, plan: list[tuple[str, Any, str]]) -> Sheet:
        sheet = self._sheet.copy()
        sheet.unit(reference).plan = plan
        return sheet

    def _swaps(self, other: Sheet) -> Iterator[Sheet]:
        """Yield plans in which all units at one place have their orders from another plan."""
        own_orders = self._by_place(self._sheet)
        orders_of_other = self._by_place(other)
        for place in sorted({*own_orders, *orders_of_other}):
            own_orders_here = own_orders.get(place, [])
            orders_at_place = orders_of_other.get(place, [])
            # ships and those aboard belong together wherever they are, and a new unit's number is taken
            # elsewhere
            elsewhere = self._sheet.units.keys() - own_orders_here
            if (
                _shipped(self._sheet, own_orders_here)
                or _shipped(other, orders_at_place)
                or not elsewhere.isdisjoint(orders_at_place)
            ):
                continue
            if {unit: self._sheet.units[unit] for unit in own_orders_here} != {
                unit: other.units[unit] for unit in orders_at_place
            }:
                sheet = self._sheet.copy()
                new_sheet = other.copy()
                other_orders = {
                    unit: orders for unit, orders in sheet.units.items() if unit not in own_orders_here
                }
                sheet.units = {**other_orders, **{unit: new_sheet.units[unit] for unit in orders_at_place}}
                yield sheet

    def _by_place(self, sheet: Sheet) -> dict[str, list[str]]:
        references: dict[str, list[str]] = {}
        for reference in sheet.units:
            references.setdefault(self._origin(sheet, reference), []).append(reference)
        return references

    def _origin(self, sheet: Sheet, reference: str) -> str:
        """Return a unit's place before its orders; one that is formed is at its maker's."""
        unit = self._command.world.unit(self._command.realm, reference)
        if unit is not None or not reference:
            return unit.place if unit is not None else ""
        makers = (
            maker
            for maker, orders in sheet.units.items()
            if reference in orders.orders.get("form", ({}, ""))[0]
        )
        return self._origin(sheet, next(makers, ""))


def _shipped(sheet: Sheet, references: Sequence[str]) -> bool:
    """Return whether ships take any of these units along, or are among them."""
    for reference, unit_sheet in sheet.units.items():
        for word, value, _ in unit_sheet.plan:
            if word in SHIPPING and not {reference, *value}.isdisjoint(references):
                return True
    return False


def _leaves(unit_sheet: UnitSheet) -> bool:
    return not LEAVES.isdisjoint(word for word, _, _ in unit_sheet.plan)
