"""One roll of the dice, and an attack from its first roll to its end (CN-7)."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from gm.games.conquestination.rules import Attack

Die = Callable[[], int]  # Rolls one die: 1 to the number of its faces, each equally likely


class Roll(NamedTuple):
    """The dice of one roll, highest first, and each side's losses by it."""

    attack: tuple[int, ...]
    defence: tuple[int, ...]
    attack_lost: int
    defence_lost: int


class Retreat(NamedTuple):
    """The condition to break off an attack (CN-9.4, CN-9.5).

    At this many engaged units, or after this many rolls; None: never.
    """

    keep: int | None = None
    rolls: int | None = None

    def holds(self, engaged: int, rolled: int) -> bool:
        """Return whether to break off, with ``engaged`` units left after ``rolled`` rolls."""
        if self.keep is not None and engaged <= self.keep:
            return True
        return self.rolls is not None and rolled >= self.rolls


class Attacked(NamedTuple):
    """The end of an attack: engaged units and defenders that are left, and every roll."""

    engaged: int
    defenders: int
    rolls: tuple[Roll, ...]

    @property
    def won(self) -> bool:
        """Whether the defenders are all gone (CN-7.9)."""
        return self.defenders == 0


def compared(attack: Iterable[int], defence: Iterable[int]) -> tuple[int, int]:
    """Return (attacker's losses, defender's) of two throws (CN-7.6).

    The highest dice meet, then the next; the defender wins ties.
    """
    pairs = list(zip(sorted(attack, reverse=True), sorted(defence, reverse=True), strict=False))
    defence_lost = sum(one > other for one, other in pairs)
    return len(pairs) - defence_lost, defence_lost


def rolled(engaged: int, defenders: int, rules: Attack, attack_die: Die, defence_die: Die) -> Roll:
    """Return one roll between units; the attacker's dice are drawn first (CN-7.5, CN-12.4)."""
    attack = sorted([attack_die() for _ in range(min(rules.max_attack_dice, engaged))], reverse=True)
    defence = sorted([defence_die() for _ in range(min(rules.max_defence_dice, defenders))], reverse=True)
    return Roll(tuple(attack), tuple(defence), *compared(attack, defence))


def attacked(
    engaged: int, defenders: int, until: Retreat, rules: Attack, attack_die: Die, defence_die: Die
) -> Attacked:
    """Return an attack of engaged units, at least 1, on defenders (CN-7.7, CN-7.8)."""
    rolls: list[Roll] = []
    while engaged and defenders and not until.holds(engaged, len(rolls)):
        roll = rolled(engaged, defenders, rules, attack_die, defence_die)
        rolls.append(roll)
        engaged -= roll.attack_lost
        defenders -= roll.defence_lost
    return Attacked(engaged, defenders, tuple(rolls))
