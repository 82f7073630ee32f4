"""Find the orders of a movement phase that are invalid, and the moves that go by convoy."""

from collections.abc import Mapping
from functools import cached_property

from gm_diplomacy.board import Board, area_of
from gm_diplomacy.orders import Order
from gm_diplomacy.state import Unit


class ValidOrders:
    """The orders of one phase that a unit can try to carry out.

    ``units``: all units on the board, by area; ``orders``: what they were ordered, by area.
    """

    def __init__(self, board: Board, units: Mapping[str, Unit], orders: Mapping[str, Order]) -> None:
        self._board = board
        self._units = units
        self._all = orders

    @cached_property
    def void(self) -> Mapping[str, str]:
        """Why an order is invalid, as a key of reasons, by area; only invalid orders are in it."""
        # moves come first: supports and convoys are valid only with the move that they name
        reasons = {area: self._fault_of_move(order) for area, order in self._of_kind("move").items()}
        void_moves = {area for area, reason in reasons.items() if reason}
        for area, order in self._of_kind("support").items():
            reasons[area] = self._fault_of_support(order, void_moves)
        for area, order in self._of_kind("convoy").items():
            reasons[area] = self._fault_of_convoy(order, void_moves)
        return {area: reason for area, reason in reasons.items() if reason}

    @cached_property
    def orders(self) -> Mapping[str, Order]:
        """The valid orders, by area."""
        return {area: order for area, order in self._all.items() if area not in self.void}

    @cached_property
    def moves(self) -> Mapping[str, Order]:
        """The valid moves, by the area where they begin."""
        return {area: order for area, order in self.orders.items() if order.kind == "move"}

    @cached_property
    def attackers(self) -> Mapping[str, tuple[str, ...]]:
        """The areas from which units move into an area, by that area."""
        origins: dict[str, tuple[str, ...]] = {}
        for origin, order in self.moves.items():
            target = area_of(order.target)
            origins[target] = (*origins.get(target, ()), origin)
        return origins

    @cached_property
    def convoyed(self) -> frozenset[str]:
        """The moves that go by convoy."""
        return frozenset(area for area, order in self.moves.items() if self._goes_by_sea(area, order))

    def carriers(self, area: str) -> set[str]:
        """Return the seas of the fleets that were told to carry the army of an area."""
        return {sea for sea, order in self.orders.items() if order.kind == "convoy" and order.other == area}

    def _of_kind(self, kind: str) -> dict[str, Order]:
        return {area: order for area, order in self._all.items() if order.kind == kind}

    def _fault_of_move(self, order: Order) -> str:
        """Return why a move is invalid, as a key of reasons; empty for a valid one."""
        unit = self._units[order.area]
        target = area_of(order.target)
        if target == order.area:
            return "to-itself"
        if order.target in self._board.reached(unit):
            return ""
        if unit.kind == "F":
            return "no-coast" if self._board.coasts(target) else "not-adjacent"
        # any fleet counts here, of whatever power and order: without one there, the line makes no sense
        fleets = {
            area for area, unit in self._units.items() if unit.kind == "F" and self._board.areas[area].is_sea
        }
        by_sea = self._board.is_coastal(target) and self._board.sea_way(order.area, target, fleets)
        return "" if by_sea else "not-adjacent"

    def _fault_of_support(self, order: Order, void_moves: set[str]) -> str:
        """Return why a support is invalid, as a key of reasons; empty for a valid one."""
        if order.other not in self._units or order.other == order.area:
            return "nobody-there"
        supported_area = area_of(order.target) if order.target else order.other
        if supported_area not in self._board.areas_reached(self._units[order.area]):
            return "out-of-reach"
        helped = self._all.get(order.other)
        if helped is None or helped.kind != "move" or order.other in void_moves:
            # the helped unit stays where it is
            return "other-order" if order.target else ""
        if not order.target:
            return "it-moves"
        if area_of(helped.target) != supported_area:
            return "other-order"
        # a coast that is named must be the one of the move; without one any will do
        names_coast = "/" in order.target
        return "other-order" if names_coast and order.target != helped.target else ""

    def _fault_of_convoy(self, order: Order, void_moves: set[str]) -> str:
        """Return why a convoy is invalid, as a key of reasons; empty for a valid one."""
        if self._units[order.area].kind != "F" or not self._board.areas[order.area].is_sea:
            return "no-sea"
        if order.other not in self._units or self._units[order.other].kind != "A":
            return "nobody-there"
        move = self._all.get(order.other)
        if move is None or move.kind != "move" or order.other in void_moves or move.target != order.target:
            return "other-order"
        return "" if self._board.may_carry(order.area, order.other, order.target) else "out-of-reach"

    def _goes_by_sea(self, area: str, order: Order) -> bool:
        """Return whether a move goes by convoy (4.A.3, 4.A.4).

        An army that cannot go over land must. One that can goes by sea if the order says so, or if a fleet
        of its own power was told to carry it; but only if fleets were told to carry it all the way.
        """
        unit = self._units[area]
        if unit.kind == "F":
            return False
        if order.target not in self._board.reached(unit):
            return True
        carriers = self.carriers(area)
        own_fleet = any(self._units[sea].power == unit.power for sea in carriers)
        wanted = order.via or own_fleet
        return wanted and self._board.sea_way(area, order.target, carriers)
