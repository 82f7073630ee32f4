"""Decide which orders of a movement phase succeed, by the algorithm of L. B. Kruijswijk.

It is the recursive one of his *The Math of Adjudication*. Whether an order succeeds depends on others, and
they may depend on it. It is guessed that it fails, then that it succeeds; where both guesses prove themselves
or neither does, a backup rule decides: a ring of moves goes round (4.A.7), and in a paradox of convoys, its
convoys fail (4.A.2, Szykman's rule). The choices' names are in rulings.yaml.

Units and their orders are named by the area where they stand. ``_attack_strength``, ``_hold_strength`` and
``_prevent_strength`` are the strengths of the book.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from gm.core.values import Record
from gm_diplomacy.board import Board, area_of
from gm_diplomacy.orders import Order
from gm_diplomacy.state import Unit
from gm_diplomacy.validity import ValidOrders


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


_INDEPENDENT = 1_000  # the depth of what depends on no guess: deeper than any guess


class _Guess(Record):
    """A guess whether an order succeeds.

    ``depth``: that of the outermost guess on which it depends; of a guess that is still being tried
    (``is_open``), its own.
    """

    depth: int
    succeeds: bool
    is_open: bool


class Adjudication:
    """One movement phase; ``units`` and ``orders`` by area. A unit without an order holds."""

    def __init__(self, board: Board, units: Mapping[str, Unit], orders: Mapping[str, Order]) -> None:
        self._board = board
        self._units = units
        self._valid = ValidOrders(board, units, orders)
        self._settled: dict[str, bool] = {}  # whether an order succeeds, where that is certain
        self._guesses: dict[str, _Guess] = {}  # in the order in which they were made
        self._outermost = _INDEPENDENT  # the least depth of a guess used since the innermost open one began

    @cached_property
    def _moves(self) -> Mapping[str, Order]:
        return self._valid.moves

    def verdict(self) -> Verdict:
        """Return the outcome of all orders."""
        void = self._valid.void
        done = frozenset(area for area in self._units if self._succeeds(area) and area not in void)
        gone = {area for area in self._moves if area in done}
        attacker_in = {area_of(self._moves[area].target): area for area in gone}
        dislodged = {
            area: attacker_in[area] for area in self._units if area in attacker_in and area not in gone
        }
        remaining = self._units.keys() - gone - dislodged.keys()
        standoffs = self._standoffs(done, dislodged)
        return Verdict(
            void, done, dislodged, frozenset(standoffs - remaining - attacker_in.keys()), self._valid.convoyed
        )

    def _standoffs(self, done: frozenset[str], dislodged: Mapping[str, str]) -> set[str]:
        """Return the areas that a move with a path failed to enter.

        Who lost a head-to-head battle and was dislodged has no effect on the area that the attack came from.
        """
        areas = set()
        for area, order in self._moves.items():
            opponent = self._head_to_head(area)
            lost = bool(opponent) and dislodged.get(area) == opponent
            if area not in done and self._has_path(area) and not lost:
                areas.add(area_of(order.target))
        return areas

    # -- guesses -----------------------------------------------------------------------------

    def _succeeds(self, area: str) -> bool:
        """Return whether the order of the unit there succeeds, as far as the open guesses let it be known.

        A support succeeds if it is not cut, a hold or a convoy if the unit is not dislodged.
        """
        if area in self._settled:
            return self._settled[area]
        if area in self._guesses:
            self._depend_on(self._guesses[area].depth)
            return self._guesses[area].succeeds
        depth = sum(guess.is_open for guess in self._guesses.values())
        before = len(self._guesses)
        if_failing, outermost = self._try(area, depth, succeeds=False)
        if outermost > depth:
            del self._guesses[area]
            return self._settle(area, succeeds=if_failing)
        if outermost == depth:
            ring = self._forget(before)
            if_succeeding, outermost = self._try(area, depth, succeeds=True)
            if outermost >= depth:
                ring += self._forget(before)
                if if_failing != if_succeeding:
                    return self._break_ring(area, ring)
                return self._settle(area, succeeds=if_failing)
            self._forget(before + 1)
        # it depends on a guess further out, and is asked again when that one changes
        self._guesses[area] = _Guess(outermost, if_failing, is_open=False)
        self._depend_on(outermost)
        return if_failing

    def _try(self, area: str, depth: int, *, succeeds: bool) -> tuple[bool, int]:
        """Return whether an order succeeds if that is guessed, and the depth on which the answer depends.

        The depth is that of the outermost guess that was used, this one included.
        """
        outermost_before = self._outermost
        self._outermost = _INDEPENDENT
        self._guesses[area] = _Guess(depth, succeeds, is_open=True)
        answer = self._judge(area)
        outermost = self._outermost
        self._outermost = outermost_before
        if outermost < depth:
            self._depend_on(outermost)
        return answer, outermost

    def _depend_on(self, depth: int) -> None:
        """Note that a guess of this depth was used."""
        self._outermost = min(self._outermost, depth)

    def _settle(self, area: str, *, succeeds: bool) -> bool:
        """Note for good whether an order succeeds, and return it."""
        self._settled[area] = succeeds
        return succeeds

    def _forget(self, before: int) -> list[str]:
        """Take back all guesses but the first ``before``; return the areas whose they were."""
        areas = list(self._guesses)[before:]
        for area in areas:
            del self._guesses[area]
        return areas

    def _break_ring(self, area: str, ring: list[str]) -> bool:
        """Settle a ring of orders by the backup rule, and return whether that of ``area`` succeeds.

        If there are convoys among them, these fail; else the moves succeed.
        """
        orders = self._valid.orders
        convoys = [member for member in ring if member in orders and orders[member].kind == "convoy"]
        for convoy in convoys:
            self._settled[convoy] = False
        if not convoys:
            self._settled.update((member, True) for member in ring if member in self._moves)
        return self._succeeds(area)

    # -- what succeeds -----------------------------------------------------------------------

    def _judge(self, area: str) -> bool:
        """Return whether an order succeeds, given what is known and guessed of the others."""
        order = self._valid.orders.get(area)
        if order is not None and order.kind == "move":
            return self._move_succeeds(area)
        attackers = self._valid.attackers.get(area, ())
        if order is not None and order.kind == "support":
            return not any(self._cuts(attacker, area, order) for attacker in attackers)
        return not any(map(self._succeeds, attackers))

    def _move_succeeds(self, area: str) -> bool:
        if not self._has_path(area):
            return False
        target = area_of(self._moves[area].target)
        strength = self._attack_strength(area)
        opponent = self._head_to_head(area)
        if strength <= (self._strength(opponent) if opponent else self._hold_strength(target)):
            return False
        rivals = (origin for origin in self._valid.attackers[target] if origin != area)
        return all(strength > self._prevent_strength(rival) for rival in rivals)

    def _cuts(self, attacker: str, area: str, support: Order) -> bool:
        """Return whether a move into ``area`` cuts the support that the unit there gives."""
        if self._units[attacker].power == self._units[area].power or not self._has_path(attacker):
            return False
        supported_area = area_of(support.target) if support.target else support.other
        # a unit at which the support is aimed cuts it only by driving the supporter out
        return attacker != supported_area or self._succeeds(attacker)

    def _has_path(self, area: str) -> bool:
        """Return whether a move over land, or by convoy over fleets that stay where they are, is possible."""
        if area not in self._valid.convoyed:
            return True
        carriers = self._valid.carriers(area)
        target = self._moves[area].target
        if not self._board.sea_way(area, target, carriers):
            return False
        return self._board.sea_way(area, target, _StayingFleets(carriers, self._succeeds))

    def _head_to_head(self, area: str) -> str:
        """Return the area of the unit that a move meets head to head; empty if there is none.

        It is a unit that goes the other way, if neither of them goes by sea.
        """
        opponent = area_of(self._moves[area].target)
        if opponent not in self._moves or area_of(self._moves[opponent].target) != area:
            return ""
        return "" if {area, opponent} & self._valid.convoyed else opponent

    def _supporters(self, area: str) -> Iterator[str]:
        """Yield the areas of the units that support the unit there in what it does, and are not cut."""
        moves = area in self._moves
        for supporter, order in self._valid.orders.items():
            if order.kind != "support" or order.other != area:
                continue
            if bool(order.target) == moves and self._succeeds(supporter):
                yield supporter

    def _strength(self, area: str) -> int:
        """Return the strength of a unit with everybody who supports it."""
        return 1 + sum(1 for _ in self._supporters(area))

    def _attack_strength(self, area: str) -> int:
        target = area_of(self._moves[area].target)
        defender = self._units.get(target)
        if defender is None or self._leaves(target, area):
            return self._strength(area)
        if defender.power == self._units[area].power:
            return 0
        # nobody helps to drive out a unit of their own power
        return 1 + sum(self._units[supporter].power != defender.power for supporter in self._supporters(area))

    def _leaves(self, area: str, attacker: str) -> bool:
        """Return whether the unit of an area moves away, other than head to head with an attacker."""
        return not self._head_to_head(attacker) and area in self._moves and self._succeeds(area)

    def _hold_strength(self, area: str) -> int:
        if area not in self._units:
            return 0
        if area in self._moves:
            return 0 if self._succeeds(area) else 1
        return self._strength(area)

    def _prevent_strength(self, area: str) -> int:
        if not self._has_path(area):
            return 0
        opponent = self._head_to_head(area)
        return 0 if opponent and self._succeeds(opponent) else self._strength(area)


class _StayingFleets:
    """The fleets of a convoy that stay where they are, by their seas.

    ``stays`` tells of a sea's fleet whether it does. It is asked only about fleets that a way leads over:
    the answer may need a guess.
    """

    def __init__(self, seas: set[str], stays: Callable[[str], bool]) -> None:
        self._seas = seas
        self._stays = stays

    def __contains__(self, sea: object) -> bool:
        return sea in self._seas and self._stays(str(sea))
