"""What a province works in a turn, what it may work on, and what gold buys instead (CQ-8, CQ-9, CQ-11)."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import NamedTuple

from gm.games.conqueror.rules import Rules
from gm.games.conqueror.state import NEUTRAL, Province


def base_labour(province: Province) -> int:
    """CQ-8.1: before control and conquest."""
    return (province.population + province.resources) * province.culture


def labour(province: Province, turn: int, rules: Rules) -> int:
    """What a province works in a turn: 1 is worth one gold (CQ-8.4 to CQ-8.8)."""
    figures = rules.productivity
    bonus = province.control if province.control >= figures.bonus_from_control else 0
    worked = base_labour(province) * Fraction(100 + bonus, 100)
    if just_conquered(province, turn, rules):
        worked /= 2
    if province.owner == NEUTRAL:
        worked /= 2
    return max(figures.minimum, int(worked))


def just_conquered(province: Province, turn: int, rules: Rules) -> bool:
    """CQ-8.6: whether it was conquered this turn or shortly before."""
    conquered = province.conquered_on
    return conquered is not None and turn - conquered < rules.productivity.conquest_halving_turns


class Lacking(NamedTuple):
    """Why a province cannot make something: ``what`` it lacks (culture or works) and the level needed, or that it has
    it already (``what`` is then ``nothing``)."""

    what: str
    level: int = 0


def why_not_make(province: Province, item: str, rules: Rules) -> Lacking | None:
    """Why the province cannot work on an item or buy it, none if it can (CQ-9.3, CQ-9.6, CQ-9.7). The item is known."""
    wanted = rules.items[item]
    if wanted.works:
        if province.fort >= wanted.works:
            return Lacking("nothing", province.fort)
        if province.fort < wanted.works - 1:
            return Lacking("works", wanted.works - 1)
    if wanted.gives_culture and province.culture >= wanted.gives_culture:
        return Lacking("nothing", province.culture)
    if province.culture < wanted.culture:
        return Lacking("culture", wanted.culture)
    return None


def rush_price(province: Province, item: str, rules: Rules) -> int:
    """The gold that finishes one now, over and above the labour that is stored for it (CQ-11.2, CQ-11.4)."""
    missing = max(0, rules.items[item].price(province.population) - province.stored.get(item, 0))
    surcharge = rules.rush_surcharge_percent[province.culture]
    return ceil(missing * Fraction(100 + surcharge, 100))
