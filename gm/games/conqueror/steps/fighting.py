"""Stacks of orders, drawn at random and executed one by one: moves, attacks, battles (CQ-5 to CQ-7)."""

from __future__ import annotations

from gm.core.pipeline import step
from gm.game.base.events import Fate, settled
from gm.games.conqueror.duels import Fought as Fight
from gm.games.conqueror.duels import fought, with_losses
from gm.games.conqueror.events import Cancelled, Conquered, Fought, Moved
from gm.games.conqueror.order_models import Move
from gm.games.conqueror.turn import Course, Outcome, Turn


@step(
    "Execution",
    *("CQ-5.1", "CQ-5.2", "CQ-5.3", "CQ-5.4", "CQ-5.5", "CQ-5.6", "CQ-5.7"),
    *("CQ-6.1", "CQ-6.2", "CQ-6.3", "CQ-6.4", "CQ-6.5", "CQ-6.6", "CQ-6.7", "CQ-6.8"),
    *("CQ-7.1", "CQ-7.2", "CQ-7.9", "CQ-7.10", "CQ-7.11", "CQ-20.7"),
)
def execution(turn: Turn) -> Outcome:
    """A stack is drawn, its top order executed, again and again until no stack is left.

    Reads: orders.moves. Writes: armies, owners, influence, labour stored, capitals. Draws: D2, D3.
    Emits: Moved, Fought, Conquered, Cancelled, CapitalMoved, LineSettled.
    """
    table = _Table(Course(turn))
    stacks = {code: list(table.course.orders(code).moves) for code, _ in table.course.living()}
    draw = turn.dice("D2 stacks")
    while waiting := [code for code, stack in stacks.items() if stack]:
        code = waiting[draw.below(len(waiting))]
        table.execute(code, stacks[code].pop(0))
    return table.course.outcome()


class _Table:
    """The board while orders are executed. ``attacked``: where an enemy's attack was executed this turn (CQ-6.8)."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self._opened = {code: province.owner for code, province in course.provinces.items()}
        self._attacked: set[str] = set()
        self._number = 0

    def execute(self, code: str, move: Move) -> None:
        """One order of a player, as the board is now."""
        self._number += 1
        provinces = self.course.provinces
        source, target = provinces[move.source], provinces[move.target]
        own = target.owner == code
        planned_attack = self._opened[move.target] != code
        armies = source.fresh if move.everything else min(move.armies, source.fresh)
        if source.owner != code:
            self._cancel(code, move, "source-lost")
        elif not planned_attack and move.source in self._attacked:
            self._cancel(code, move, "source-attacked")
        elif not planned_attack and not own:
            self._cancel(code, move, "target-lost")
        elif not armies:
            self._cancel(code, move, "none-left")
        else:
            self.course.change(move.source, fresh=source.fresh - armies)
            if own:
                self._march(code, move, armies)
            else:
                self._attack(code, move, armies)
            self._settle(code, move, armies)

    def _cancel(self, code: str, move: Move, why: str) -> None:
        told = Cancelled(
            audience=code,
            number=self._number,
            owner=code,
            source=move.source,
            target=move.target,
            armies=move.armies,
            why=why,
        )
        self.course.tell(told)
        if move.written is not None:
            figures = {"source": move.source, "target": move.target}
            self.course.tell(settled(code, move.written, Fate.FAILED, why, **figures))

    def _settle(self, code: str, move: Move, armies: int) -> None:
        if move.written is None:
            return
        if armies < move.wanted:
            figures = {"armies": armies, "wanted": move.wanted, "source": move.source}
            self.course.tell(settled(code, move.written, Fate.REDUCED, "fewer-armies", **figures))
        else:
            self.course.tell(settled(code, move.written))

    def _march(self, code: str, move: Move, armies: int) -> None:
        target = self.course.provinces[move.target]
        self.course.change(move.target, moved=target.moved + armies)
        told = Moved(number=self._number, owner=code, source=move.source, target=move.target, armies=armies)
        self.course.tell(told)

    def _attack(self, code: str, move: Move, armies: int) -> None:
        target = self.course.provinces[move.target]
        draws: list[str] = []
        duels = self.course.turn.dice(move.target, "D3 duels")

        def choose(faces: int) -> int:
            drawn = duels.below(faces)
            draws.append(f"{drawn + 1}/{faces}")
            return drawn

        fight = fought(armies, target.armies, target.fort, self.course.rules, choose)
        self._attacked.add(move.target)
        told = Fought(
            number=self._number,
            owner=code,
            source=move.source,
            target=move.target,
            defender=target.owner,
            armies=armies,
            defenders=target.armies,
            fort=target.fort,
            field=fight.field,
            siege=fight.siege,
            draws=tuple(draws),
            taken=fight.taken,
        )
        self.course.tell(told)
        self.course.provinces[move.target] = with_losses(target, target.armies - fight.defenders)
        if fight.taken:
            self._take(code, move.target, fight)

    def _take(self, code: str, province: str, fight: Fight) -> None:
        """CQ-7.9, CQ-7.10."""
        course = self.course
        formerly = course.provinces[province].owner
        course.provinces[province] = course.provinces[province].owned_by(code)
        course.change(province, fresh=0, moved=fight.attackers, conquered_on=course.turn.number)
        course.shift(province, code, course.rules.control.conquest)
        course.tell(Conquered(province=province, owner=code, formerly=formerly, armies=fight.attackers))
        course.capital_fell(formerly, province)
