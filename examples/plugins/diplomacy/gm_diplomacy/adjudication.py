"""Decide which orders of a movement phase succeed, by the algorithm of L. B. Kruijswijk.

It is the recursive one of his *The Math of Adjudication*. Whether an order succeeds depends on others, and
they may depend on it. It is guessed that it fails, then that it succeeds; where both guesses prove themselves
or neither does, a backup rule decides: a ring of moves goes round (4.A.7), and in a paradox of convoys, its
convoys fail (4.A.2, Szykman's rule). The choices' names are in rulings.yaml.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from gm.core.values import Record
from gm_diplomacy.board import Board, area_of
from gm_diplomacy.orders import Order
from gm_diplomacy.state import Unit


class Verdict(Record):
    """The outcome of a movement phase, by area.

    ``void``: why an order is invalid and counts as a hold, as a key of reasons; ``done``: the orders that
    succeeded; ``dislodged``: the dislodged units, each with the area of its attacker; ``contested``: areas
    that stay empty after a stand-off; ``convoyed``: moves that went over sea.
    """

    void: Mapping[str, str]
    done: frozenset[str]
    dislodged: Mapping[str, str]
    contested: frozenset[str]
    convoyed: frozenset[str]


_NONE = 1_000  # deeper than any guess


class _Guess(Record):
    """A guess whether an order succeeds.

    ``depth``: that of the outermost guess that it depends on; its own while it is being ``asked``.
    """

    depth: int
    holds: bool
    asked: bool


class Adjudication:
    """One phase: ``units`` and ``orders`` by area; a unit without an order holds."""

    def __init__(self, board: Board, units: Mapping[str, Unit], orders: Mapping[str, Order]) -> None:
        self._board, self._units, self._all = board, units, orders
        self._known: dict[str, bool] = {}
        self._guesses: dict[str, _Guess] = {}
        self._low = _NONE  # the outermost guess that was used since the innermost began

    @cached_property
    def void(self) -> Mapping[str, str]:
        """The orders that are none, with the reason.

        Moves are looked at first: supports and convoys need theirs.
        """
        moves = {
            area: why
            for area, order in self._all.items()
            if order.kind == "move" and (why := self._no_move(order))
        }
        aids = {"support": self._no_support, "convoy": self._no_convoy}
        others = (
            (area, aids[order.kind](order, moves)) for area, order in self._all.items() if order.kind in aids
        )
        return moves | {area: why for area, why in others if why}

    @cached_property
    def _orders(self) -> Mapping[str, Order]:
        return {area: order for area, order in self._all.items() if area not in self.void}

    @cached_property
    def _moves(self) -> Mapping[str, Order]:
        return {area: order for area, order in self._orders.items() if order.kind == "move"}

    @cached_property
    def _into(self) -> Mapping[str, tuple[str, ...]]:
        """Who moves into each area, by where he comes from."""
        found: dict[str, tuple[str, ...]] = {}
        for area, order in self._moves.items():
            found[area_of(order.target)] = (*found.get(area_of(order.target), ()), area)
        return found

    @cached_property
    def _convoyed(self) -> frozenset[str]:
        return frozenset(area for area, order in self._moves.items() if self._by_sea(area, order))

    def verdict(self) -> Verdict:
        """The outcome of all orders."""
        done = frozenset(area for area in self._units if self._succeeds(area) and area not in self.void)
        gone = {area for area in self._moves if area in done}
        taken = {area_of(self._moves[area].target): area for area in gone}
        dislodged = {area: taken[area] for area in self._units if area in taken and area not in gone}
        left = {area for area in self._units if area not in gone} - dislodged.keys()
        failed = [area for area in self._moves if area not in done and self._has_path(area)]
        # whoever lost a head-to-head battle and was dislodged has no effect on the area that he was attacked
        # from
        lost = {area for area in failed if self._met(area) and self._met(area) == dislodged.get(area)}
        contested = {area_of(self._moves[area].target) for area in failed if area not in lost}
        return Verdict(self.void, done, dislodged, frozenset(contested - left - taken.keys()), self._convoyed)

    # -- what is an order at all -----------------------------------------------------------------------------

    def _no_move(self, order: Order) -> str:
        unit, target = self._units[order.area], area_of(order.target)
        if target == order.area:
            return "to-itself"
        if order.target in self._board.reached(unit):
            return ""
        if unit.kind == "F":
            return "no-coast" if self._board.coasts(target) else "not-adjacent"
        fleets = {
            area for area, each in self._units.items() if each.kind == "F" and self._board.areas[area].is_sea
        }
        by_sea = self._board.is_coastal(target) and self._board.sea_way(order.area, target, fleets)
        return "" if by_sea else "not-adjacent"

    def _no_support(self, order: Order, void: Mapping[str, str]) -> str:
        helped, unit = self._all.get(order.other), self._units[order.area]
        into = area_of(order.target) if order.target else order.other
        if order.other not in self._units or order.other == order.area:
            return "nobody-there"
        if into not in {area_of(each) for each in self._board.reached(unit)}:
            return "out-of-reach"
        moves = helped is not None and helped.kind == "move" and order.other not in void
        if not order.target:
            return "it-moves" if moves else ""
        if not moves or helped is None or area_of(helped.target) != into:
            return "other-order"
        # a coast that is named must be the one; without one any will do
        return "other-order" if "/" in order.target and order.target != helped.target else ""

    def _no_convoy(self, order: Order, void: Mapping[str, str]) -> str:
        army, sea = self._all.get(order.other), self._board.areas[order.area].is_sea
        if self._units[order.area].kind != "F" or not sea:
            return "no-sea"
        if order.other not in self._units or self._units[order.other].kind != "A":
            return "nobody-there"
        if army is None or army.kind != "move" or order.other in void or army.target != order.target:
            return "other-order"
        return "" if self._board.may_carry(order.area, order.other, order.target) else "out-of-reach"

    def _by_sea(self, area: str, order: Order) -> bool:
        """Whether a move goes by convoy (4.A.3): it must, it says so, or a fleet of its own power was told to
        carry it; but over land, where that is possible, if nobody carries it all the way (4.A.4).
        """
        unit = self._units[area]
        if unit.kind == "F":
            return False
        carriers = self._carriers(area)
        own = any(self._units[each].power == unit.power for each in carriers)
        over_land = order.target in self._board.reached(unit)
        if over_land and not order.via and not own:
            return False
        return not over_land or self._board.sea_way(area, order.target, carriers)

    def _carriers(self, area: str) -> set[str]:
        """The fleets that were told to carry an army on its way."""
        orders = ((each, order) for each, order in self._orders.items() if order.kind == "convoy")
        return {each for each, order in orders if order.other == area}

    # -- what succeeds ---------------------------------------------------------------------------------------

    def _succeeds(self, area: str) -> bool:
        """Return whether the order of the unit there succeeds.

        A support succeeds if it is not cut, a hold or a convoy if the unit is not dislodged.
        """
        if area in self._known:
            return self._known[area]
        if area in self._guesses:
            self._touch(self._guesses[area].depth)
            return self._guesses[area].holds
        depth = sum(1 for each in self._guesses.values() if each.asked)
        before = len(self._guesses)
        first, low = self._tried(area, depth, holds=False)
        if low > depth:
            del self._guesses[area]
            return self._settle(area, holds=first)
        if low == depth:
            ring = self._forget(before)
            second, low = self._tried(area, depth, holds=True)
            if low >= depth:
                ring += self._forget(before)
                return self._settle(area, holds=first) if first == second else self._broken_ring(area, ring)
            self._forget(before + 1)
        # it hangs on a guess further out, and is asked again when that one changes
        self._guesses[area] = _Guess(low, first, asked=False)
        self._touch(low)
        return first

    def _tried(self, area: str, depth: int, *, holds: bool) -> tuple[bool, int]:
        """What comes of a guess, and the outermost guess on which that hangs."""
        outer, self._low = self._low, _NONE
        self._guesses[area] = _Guess(depth, holds, asked=True)
        found, low = self._judged(area), self._low
        self._low = min(outer, low) if low < depth else outer
        return found, low

    def _touch(self, depth: int) -> None:
        self._low = min(self._low, depth)

    def _settle(self, area: str, *, holds: bool) -> bool:
        self._known[area] = holds
        return holds

    def _forget(self, before: int) -> list[str]:
        """Take back the guesses since a moment; returns whose they were."""
        taken = list(self._guesses)[before:]
        for each in taken:
            del self._guesses[each]
        return taken

    def _broken_ring(self, area: str, ring: list[str]) -> bool:
        """The backup rule."""
        convoys = [each for each in ring if each in self._orders and self._orders[each].kind == "convoy"]
        for each in convoys or ring:
            if convoys or each in self._moves:
                self._known[each] = not convoys
        return self._succeeds(area)

    def _judged(self, area: str) -> bool:
        order = self._orders.get(area)
        if order is not None and order.kind == "move":
            return self._move_succeeds(area)
        if order is not None and order.kind == "support":
            return not any(self._cuts(each, area, order) for each in self._into.get(area, ()))
        return not any(self._succeeds(each) for each in self._into.get(area, ()))

    def _move_succeeds(self, area: str) -> bool:
        if not self._has_path(area):
            return False
        target, strength = area_of(self._moves[area].target), self._attack(area)
        against = self._met(area)
        if strength <= (self._support_for(against) if against else self._hold(target)):
            return False
        rivals = (each for each in self._into[target] if each != area)
        return all(strength > self._prevent(each) for each in rivals)

    def _cuts(self, attacker: str, area: str, support: Order) -> bool:
        if self._units[attacker].power == self._units[area].power or not self._has_path(attacker):
            return False
        into = area_of(support.target) if support.target else support.other
        # whom the support is aimed at cuts it only by driving the unit out
        return attacker != into or self._succeeds(attacker)

    def _has_path(self, area: str) -> bool:
        if area not in self._convoyed:
            return True
        carriers = self._carriers(area)
        if not self._board.sea_way(area, self._moves[area].target, carriers):
            return False
        return self._board.sea_way(area, self._moves[area].target, _Afloat(carriers, self._succeeds))

    def _met(self, area: str) -> str:
        """Whom a move meets head to head: who goes the other way, neither of them by sea."""
        other = area_of(self._moves[area].target)
        meets = other in self._moves and area_of(self._moves[other].target) == area
        return other if meets and not {area, other} & self._convoyed else ""

    def _supports(self, area: str) -> Iterator[str]:
        """Who supports the unit there in what it does."""
        moves = area in self._moves
        for each, order in self._orders.items():
            if (
                order.kind == "support"
                and order.other == area
                and bool(order.target) == moves
                and self._succeeds(each)
            ):
                yield each

    def _support_for(self, area: str) -> int:
        return 1 + sum(1 for _ in self._supports(area))

    def _attack(self, area: str) -> int:
        target = area_of(self._moves[area].target)
        defender = self._units.get(target)
        if defender is None or (not self._met(area) and target in self._moves and self._succeeds(target)):
            return self._support_for(area)
        if defender.power == self._units[area].power:
            return 0
        return 1 + sum(self._units[each].power != defender.power for each in self._supports(area))

    def _hold(self, area: str) -> int:
        if area not in self._units:
            return 0
        if area in self._moves:
            return 0 if self._succeeds(area) else 1
        return self._support_for(area)

    def _prevent(self, area: str) -> int:
        if not self._has_path(area):
            return 0
        against = self._met(area)
        return 0 if against and self._succeeds(against) else self._support_for(area)


class _Afloat:
    """Fleets of which each is asked only when a way over it is tried: whether it stays where it is."""

    def __init__(self, fleets: set[str], stays: Callable[[str], bool]) -> None:
        self._fleets, self._stays = fleets, stays

    def __contains__(self, area: object) -> bool:
        return area in self._fleets and self._stays(str(area))
