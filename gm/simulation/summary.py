"""What a simulation shows, in a few lines for a terminal and as data; and whether its start position is fair.

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

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gm.simulation.findings import Findings, Interval, Tally, quartiles
from gm.simulation.plan import Plan
from gm.text.pages import aligned, counted

LEAST_GAMES = 200
MOST_WINS = 3.0
LEAST_REALMS = 4  # of fewer, quartiles say nothing
TUKEY = 1.5


def fences(values: Iterable[float], noise: float = 0.0) -> Interval:
    """Tukey's fences: what lies outside is an outlier. ``noise``: the least range that means anything."""
    found = quartiles(values)
    reach = TUKEY * max(found.high - found.low, noise)
    return Interval(found.low - reach, found.middle, found.high + reach)


@dataclass(frozen=True, slots=True)
class Measure:
    """How the realms fare in one respect: each realm's figure, the fences, and who lies outside."""

    realms: Mapping[str, Interval]
    fences: Interval
    outliers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Balance:
    """The verdict. ``favoured`` win too often; ``games`` is how many were played."""

    games: int
    survival: Measure
    growth: Measure
    favoured: tuple[str, ...]

    @property
    def enough(self) -> bool:
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
        # three times the share of a duel is more than all games: two realms can only be told apart by who wins at all
        favoured=tuple(
            code
            for code, each in tallies.items()
            if each.first.low > min(MOST_WINS * each.fair_first_share, (1 + each.fair_first_share) / 2)
        ),
    )


def _measure(realms: Mapping[str, Interval]) -> Measure:
    noise = quartiles((each.high - each.low) / 2 for each in realms.values()).middle
    found = fences((each.middle for each in realms.values()), noise)
    outside = (code for code, each in realms.items() if not found.low <= each.middle <= found.high)
    return Measure(realms, found, tuple(outside))


def balance_lines(balance: Balance) -> list[str]:
    """The verdict for a terminal."""
    lines = []
    for name, measure, shown in (
        ("Survival", balance.survival, lambda value: f"{100 * max(0.0, min(1.0, value)):.0f}%"),
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


def summary_lines(found: Findings, names: Mapping[str, str]) -> list[str]:
    """The realms and the bots in two tables, then the verdict on the balance."""
    ends = ", ".join(f"{count} by {reason}" for reason, count in sorted(found.reasons.items()))
    mean = sum(found.lengths) / found.games
    lines = [
        f"{counted(found.games, 'game')} of {mean:.1f} turns on average ({ends}); {found.orders:,} orders, "
        f"{found.failed:,} of them could not be carried out, {found.refused:,} were refused by the reader."
    ]
    if found.repeated:
        again = counted(found.repeated, "more game was", "more games were")
        lines.append(
            f"{again} one of these over again, move by move, since nothing was drawn in them: they prove nothing more "
            "and are not counted."
        )
    lines += ["", *_table("realm", found.columns[0], found.realms, names)]
    if len(found.bots) > 1:
        lines += ["", *_table("bot", found.columns[0], found.bots, dict.fromkeys(found.bots, ""))]
    if verdict := balance_of(found):
        lines += ["", *balance_lines(verdict)]
    if found.refusals:
        lines += ["", "Orders of bots that were refused:", *found.refusals]
    return lines


def _table(what: str, score: str, tallies: Mapping[str, Tally], names: Mapping[str, str]) -> list[str]:
    head = [what, "", "wins", "95% interval", "led unfinished", "lasted", "mean place"]
    rows = [[*head, f"growth of {score}", f"{score} at the end"]]
    for code, each in sorted(tallies.items()):
        wins = each.winning
        rows.append(
            [
                code,
                names.get(code, code),
                f"{100 * wins.middle:.1f}%" if each.finished else "–",
                f"{100 * wins.low:.1f}-{100 * wins.high:.1f}%" if each.finished else "–",
                f"{each.led} of {each.games - each.finished}",
                f"{100 * each.lasting.middle:.0f}%",
                f"{each.mean_rank:.1f}",
                f"{each.growth.middle:+.1f}",
                f"{each.median_end(0):.1f}",
            ]
        )
    return aligned(rows, left=2)


def summary_data(plan: Plan, found: Findings) -> dict[str, Any]:
    """The same as data."""
    verdict = balance_of(found)
    outliers = verdict and {
        "survival": list(verdict.survival.outliers),
        "growth": list(verdict.growth.outliers),
        "wins": list(verdict.favoured),
        "enough_games": verdict.enough,
    }
    return {
        "simulation": plan.identity,
        **{name: getattr(found, name) for name in ("games", "repeated")},
        "turns": sum(found.lengths),
        "ends": dict(sorted(found.reasons.items())),
        **{name: getattr(found, name) for name in ("orders", "failed", "refused")},
        "realms": {code: _tally(each) for code, each in sorted(found.realms.items())},
        "bots": {bot: _tally(each) for bot, each in sorted(found.bots.items())},
        "outliers": outliers,
        "never_used": dict(found.unused),
    }


def _tally(each: Tally) -> dict[str, Any]:
    shares = {"win_rate": each.winning, "survival": each.lasting}
    return {
        **{name: getattr(each, name) for name in ("games", "finished", "wins", "led")},
        **{name: [round(value, 4) for value in (it.low, it.middle, it.high)] for name, it in shares.items()},
        "mean_place": round(each.mean_rank, 2),
        "growth": each.growth.middle,
    }
