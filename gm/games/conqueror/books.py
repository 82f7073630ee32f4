"""A power's books: winter support, desertion, score (CQ-12, CQ-17)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from gm.games.conqueror.land import Land
from gm.games.conqueror.rules import Rules
from gm.games.conqueror.state import Player, Province


def support(province: Province, steps: int) -> int:
    """What the armies of a province cost in winter, so far from the capital (CQ-12.3)."""
    return max(0, province.armies - province.population) * (steps + 1)


def bill(capital: str, owned: Iterable[Province], land: Land) -> int:
    """What all of a player's armies cost in winter."""
    steps = land.steps_from(capital)
    return sum(support(province, steps[province.code]) for province in owned)


class Winter(NamedTuple):
    """How a winter goes: what is paid, and how many armies desert in which province."""

    paid: int
    deserted: dict[str, int]


def winter(capital: str, gold: int, owned: Iterable[Province], land: Land) -> Winter:
    """CQ-12.5, CQ-12.6: armies leave one at a time, from the farthest excess, until the rest can be paid."""
    steps = land.steps_from(capital)
    excess = {each.code: each.armies - each.population for each in owned if each.armies > each.population}
    due = sum(many * (steps[code] + 1) for code, many in excess.items())
    deserted: dict[str, int] = {}
    while due > gold:
        code = min(excess, key=lambda each: (-steps[each], -excess[each], each))
        deserted[code] = deserted.get(code, 0) + 1
        due -= steps[code] + 1
        excess[code] -= 1
        if not excess[code]:
            del excess[code]
    return Winter(due, deserted)


def province_score(province: Province, rules: Rules, *, armies: bool = True) -> int:
    """What a province is worth (CQ-17.3); without its armies for those who weigh whether to attack it (CQ-18.4)."""
    points = rules.score
    return (
        points.army * (province.armies if armies else 0)
        + points.population * province.population
        + points.culture * province.culture
        + points.resource * province.resources
        + points.fort * province.fort
    )


def score(player: Player, owned: Iterable[Province], rules: Rules) -> int:
    """CQ-17.3, CQ-17.4."""
    if not player.alive:
        return 0
    provinces = sum(province_score(province, rules) for province in owned)
    return provinces + rules.score.capital + player.gold // rules.score.gold_per_point


def public_score(player: Player, rules: Rules) -> int:
    """The score as all may know it: without gold, which is private (CQ-22.2, the ruling at CQ-22.8)."""
    return player.score - player.gold // rules.score.gold_per_point


def new_capital(owned: Iterable[Province], rules: Rules) -> str | None:
    """Where a capital moves to when it falls: to the most valuable of the provinces left (CQ-7.11)."""
    best = min(owned, key=lambda each: (-province_score(each, rules), each.code), default=None)
    return best.code if best else None
