"""Stacks of orders, drawn at random and executed one by one: moves, attacks, battles (CQ-5 to CQ-7)."""

from __future__ import annotations

from typing import Any

from gm.core.pipeline import step
from gm.game.base.events import Fate
from gm.games.conqueror.course import Course, Outcome, Turn
from gm.games.conqueror.events import Cancelled, Conquered, Fought, Moved
from gm.games.conqueror.figures import Battle, with_losses
from gm.games.conqueror.state import Move


@step(
    "Execution",
    *("CQ-5.1", "CQ-5.2", "CQ-5.3", "CQ-5.4", "CQ-5.5", "CQ-5.6", "CQ-5.7"),
    *("CQ-6.1", "CQ-6.2", "CQ-6.3", "CQ-6.4", "CQ-6.5", "CQ-6.6", "CQ-6.7", "CQ-6.8"),
    *("CQ-7.1", "CQ-7.2", "CQ-7.9", "CQ-7.10", "CQ-7.11", "CQ-20.7"),
)
def execution(turn: Turn) -> Outcome:
    """A stack is drawn, its top order executed, again and again until no stack is left.
    Reads: orders.moves. Writes: armies, owners, influence, labour stored, capitals. Draws: D2, D3.
    Emits: Moved, Fought, Conquered, Cancelled, CapitalMoved, LineSettled."""
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
        reasons = {
            "source-lost": source.owner != code,
            "source-attacked": not planned_attack and move.source in self._attacked,
            "target-lost": not planned_attack and not own,
            "none-left": not armies,
        }
        why = next((reason for reason, holds in reasons.items() if holds), "")
        if why:
            self._cancel(code, move, why)
        else:
            self.course.change(move.source, fresh=source.fresh - armies)
            if own:
                self._march(code, move, armies)
            else:
                self._attack(code, move, armies)
            figures = {"armies": armies, "wanted": move.wanted, "source": move.source}
            fate = (Fate.REDUCED, "fewer-armies") if armies < move.wanted else ()
            self.course.settle(code, move, *fate, **(figures if fate else {}))

    def _cancel(self, code: str, move: Move, why: str) -> None:
        ends: dict[str, Any] = {"source": move.source, "target": move.target}
        self.course.tell(Cancelled(audience=code, number=self._number, owner=code, armies=move.armies, why=why, **ends))
        self.course.settle(code, move, Fate.FAILED, why, **ends)

    def _march(self, code: str, move: Move, armies: int) -> None:
        self.course.change(move.target, moved=self.course.provinces[move.target].moved + armies)
        self.course.tell(Moved(number=self._number, owner=code, source=move.source, target=move.target, armies=armies))

    def _attack(self, code: str, move: Move, armies: int) -> None:
        target = self.course.provinces[move.target]
        fight, draws = self.course.battle(move.target, armies, target.armies, target.fort)
        self._attacked.add(move.target)
        self.course.tell(
            Fought(
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
                draws=draws,
                taken=fight.taken,
            )
        )
        self.course.provinces[move.target] = with_losses(target, target.armies - fight.defenders)
        if fight.taken:
            self._take(code, move.target, fight)

    def _take(self, code: str, province: str, fight: Battle) -> None:
        """CQ-7.9, CQ-7.10."""
        course = self.course
        formerly = course.provinces[province].owner
        course.provinces[province] = course.provinces[province].owned_by(code)
        course.change(province, fresh=0, moved=fight.attackers, conquered_on=course.turn.number)
        course.shift(province, code, course.rules.control.conquest)
        course.tell(Conquered(province=province, owner=code, formerly=formerly, armies=fight.attackers))
        course.capital_fell(formerly, province)
