"""Whether a start is fair: the criterion by which a map's start position is judged, and its verdict on a simulation.

With equal bots, each of them playing each realm equally often, what is left of the differences between realms is the
start position's. A realm is an *outlier*

* in survival or growth, when its share of games survived, or the median growth of its score, lies outside Tukey's
  fences: one and a half times the range of the middle half of all realms beyond that half. When nearly all realms fare
  alike, the middle half has no width, and chance alone would throw realms over the fences: so the range counts as at
  least half of the width of a realm's 95% interval (the median realm's), which is what so many games can tell apart;
* in being first, when its whole 95% interval (Wilson's) lies above ``MOST_WINS`` times its fair share. First is who
  won, or who led by the score when the game was stopped unfinished. Wins are scarce (one of 23 realms wins a game), so
  the bound is wide. Too few wins are no outlier of their own: they show as little growth.

Fewer than ``LEAST_GAMES`` games prove nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gm.simulation.findings import Findings, Tally
from gm.simulation.statistics import Fences, Interval, fences, quartiles

LEAST_GAMES = 200
MOST_WINS = 3.0
LEAST_REALMS = 4
"""Of fewer, quartiles say nothing."""


@dataclass(frozen=True, slots=True)
class Measure:
    """How the realms fare in one respect: each realm's figure, the fences, and who lies outside."""

    realms: Mapping[str, Interval]
    fences: Fences
    outliers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Balance:
    """The verdict. ``favoured`` win too often; ``games`` is how many were played, ``enough`` whether that suffices."""

    games: int
    survival: Measure
    growth: Measure
    favoured: tuple[str, ...]

    @property
    def enough(self) -> bool:
        """Whether so many games were played that the verdict means something."""
        return self.games >= LEAST_GAMES

    @property
    def outliers(self) -> tuple[str, ...]:
        """All realms that are outliers in any respect, by code."""
        return tuple(sorted({*self.survival.outliers, *self.growth.outliers, *self.favoured}))


def balance_of(findings: Findings) -> Balance | None:
    """The verdict on a simulation; none when there are too few realms to compare."""
    tallies = dict(sorted(findings.realms.items()))
    if len(tallies) < LEAST_REALMS:
        return None
    return Balance(
        games=findings.games,
        survival=_measure({code: tally.lasting for code, tally in tallies.items()}),
        growth=_measure({code: tally.growth for code, tally in tallies.items()}),
        favoured=tuple(code for code, tally in tallies.items() if _favoured(tally)),
    )


def _favoured(tally: Tally) -> bool:
    # three times the share of a duel is more than all games: two realms can only be told apart by who wins at all
    fair = tally.fair_first_share
    return tally.first.low > min(MOST_WINS * fair, (1 + fair) / 2)


def _measure(realms: Mapping[str, Interval]) -> Measure:
    noise = quartiles((each.high - each.low) / 2 for each in realms.values()).middle
    found = fences([each.middle for each in realms.values()], noise)
    return Measure(realms, found, tuple(code for code, each in realms.items() if not found.hold(each.middle)))


def balance_lines(balance: Balance) -> list[str]:
    """The verdict for a terminal."""
    lines = []
    for name, measure, shown in (
        ("Survival", balance.survival, _percent),
        ("Growth", balance.growth, "{:+.1f}".format),
    ):
        inside = f"{shown(measure.fences.low)} to {shown(measure.fences.high)}"
        outside = ", ".join(f"{code} ({shown(measure.realms[code].middle)})" for code in measure.outliers)
        lines.append(f"{name}: {f'outliers are {outside}' if outside else 'no outlier'}; inside is {inside}.")
    favoured = ", ".join(balance.favoured) or "nobody"
    lines.append(f"First at the end: {favoured} certainly more than {MOST_WINS:g} times the fair share.")
    if not balance.enough:
        lines.append(f"These are {balance.games} games; a verdict needs {LEAST_GAMES}.")
    return lines


def _percent(value: float) -> str:
    return f"{100 * max(0.0, min(1.0, value)):.0f}%"
