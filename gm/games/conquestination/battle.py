"""One roll of the dice, and an attack from its first roll to its end (CN-7)."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from gm.games.conquestination.rules import Attack

Die = Callable[[], int]  # Rolls one die: returns 1 to the number of its faces, each equally likely


class Roll(NamedTuple):
    """The dice of one roll, highest first, and each side's losses by it."""

    attack: tuple[int, ...]
    defence: tuple[int, ...]
    attack_lost: int
    defence_lost: int


class Retreat(NamedTuple):
    """The condition to break off an attack (CN-9.4, CN-9.5); None: never."""

    keep: int | None = None  # At so many engaged units, or fewer
    rolls: int | None = None  # After so many rolls

    def holds(self, engaged: int, rolled: int) -> bool:
        """Return whether an attack is broken off with ``engaged`` units left after ``rolled`` rolls."""
        if self.keep is not None and engaged <= self.keep:
            return True
        return self.rolls is not None and rolled >= self.rolls


class Attacked(NamedTuple):
    """The end of an attack."""

    engaged: int  # The engaged units that are left
    defenders: int  # The defenders that are left
    rolls: tuple[Roll, ...]

    @property
    def won(self) -> bool:
        """Whether the defenders are all gone (CN-7.9)."""
        return self.defenders == 0


def compared(attack: Iterable[int], defence: Iterable[int]) -> tuple[int, int]:
    """Return (attacker's losses, defender's losses) by two throws (CN-7.6).

    The highest dice meet, then the next; the defender wins ties.
    """
    pairs = list(zip(sorted(attack, reverse=True), sorted(defence, reverse=True), strict=False))
    defence_lost = sum(attack_face > defence_face for attack_face, defence_face in pairs)
    return len(pairs) - defence_lost, defence_lost


def rolled(engaged: int, defenders: int, rules: Attack, attack_die: Die, defence_die: Die) -> Roll:
    """Return one roll of so many units against so many; the attacker's dice come first (CN-7.5, CN-12.4)."""
    attack = sorted([attack_die() for _ in range(min(rules.max_attack_dice, engaged))], reverse=True)
    defence = sorted([defence_die() for _ in range(min(rules.max_defence_dice, defenders))], reverse=True)
    return Roll(tuple(attack), tuple(defence), *compared(attack, defence))


def attacked(
    engaged: int, defenders: int, until: Retreat, rules: Attack, attack_die: Die, defence_die: Die
) -> Attacked:
    """Return how an attack of at least 1 engaged unit ends that is rolled with these dice (CN-7.7, CN-7.8).

    It goes on until one side is gone, or the condition ``until`` holds.
    """
    rolls: list[Roll] = []
    while engaged and defenders and not until.holds(engaged, len(rolls)):
        roll = rolled(engaged, defenders, rules, attack_die, defence_die)
        rolls.append(roll)
        engaged -= roll.attack_lost
        defenders -= roll.defence_lost
    return Attacked(engaged, defenders, tuple(rolls))
