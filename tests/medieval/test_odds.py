"""The odds of a battle: the same distribution as the turn's, whatever is remembered, and every way to ask
for them.
"""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import pytest

from gm.games.medieval.analysis.odds import trials as odds_trials
from gm.games.medieval.analysis.odds.tally import Odds, Tally, odds_of, share_of, spread_of
from gm.games.medieval.analysis.odds.trials import BattleSetup, Trials, made_turn
from gm.games.medieval.combat.report import BattleReport
from gm.games.medieval.state import Unit, UnitProgress, World
from gm.games.medieval.steps.conquest import land_battles_fought, sea_battles_fought
from tests.medieval.testland import atlas, data_of, make_world, rules, unit, world_of
from tests.medieval.warfare import fought, reports

WAR = [("ENG", "FRA")]


@dataclass(frozen=True)
class Fight:
    """A battle that the turn and the odds both fight."""

    world: World
    kind: str = "land"
    place: str = "Reims"
    done: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def trials(self, seed: int = 1) -> Trials:
        marks = {key: UnitProgress(**progress) for key, progress in self.done.items()}
        turn = made_turn(self.world, rules(), atlas(), marks)
        return Trials(turn, BattleSetup(turn, self.kind, self.place).battle, random.Random(seed).random)  # noqa: S311

    def turns(self, count: int) -> list[BattleReport]:
        step = sea_battles_fought if self.kind == "sea" else land_battles_fought
        fights = [
            reports(fought(self.world, step, by=rules(), seed=f"odds {n}", done=self.done))
            for n in range(count)
        ]
        return [next(battle for battle in turn if battle.place == self.place) for turn in fights]


def fight(*units: Unit) -> Fight:
    return Fight(make_world(*units, war=WAR))


FIGHTS = {
    name: Fight(
        world_of({"war": WAR, **fight}),
        **{key: fight[key] for key in ("kind", "place", "done") if key in fight},
    )
    for name, fight in data_of("odds-fights").items()
}

# -- odds and turn -------------------------------------------------------------------------------------------

TURNS = 150
TRIALS = 1500


def counted_turns(reports: list[BattleReport]) -> tuple[Counter[str], Counter[int], dict[str, Counter[int]]]:
    """Results, rounds, and each realm's losses, of battles that turns have fought."""
    results: Counter[str] = Counter()
    lost: dict[str, Counter[int]] = {code: Counter() for code in reports[0].realms}
    for report in reports:
        results["+".join(report.winners) or "nobody"] += 1
        totals = dict.fromkeys(report.realms, 0)
        for end in report.ends:
            totals[end.unit[:3]] += sum(loss.count for loss in end.losses) + len(end.fallen_commanders)
        for saved in report.rescues:
            realm = (saved.army or saved.fleet)[:3]
            totals[realm] += sum(loss.count for loss in saved.lost) + bool(saved.commander and not saved.to)
        for code, total in totals.items():
            lost[code][total] += 1
    return results, Counter(len(report.rounds) for report in reports), lost


def chi_square(one: Mapping[Any, int], other: Mapping[Any, int]) -> tuple[float, int]:
    """(statistic, degrees of freedom) of the hypothesis that both counts come from one distribution.

    Neighbouring values are put together until each cell can be expected to hold five of the smaller sample.
    """
    n = sum(one.values())
    m = sum(other.values())
    cells: list[tuple[int, int]] = []
    a = b = 0
    for value in sorted({*one, *other}):
        a = a + one.get(value, 0)
        b = b + other.get(value, 0)
        if (a + b) * n / (n + m) >= 5:
            cells.append((a, b))
            a = b = 0
    if cells and a + b:
        cells[-1] = (cells[-1][0] + a, cells[-1][1] + b)
    total = 0.0
    for a, b in cells:
        share = (a + b) / (n + m)
        total += (a - n * share) ** 2 / (n * share) + (b - m * share) ** 2 / (m * share)
    return total, len(cells) - 1


def agrees(one: Mapping[Any, int], other: Mapping[Any, int]) -> bool:
    """Whether both may come from one distribution: the statistic is below its quantile of 0.9995
    (Wilson-Hilferty).
    """
    statistic, freedom = chi_square(one, other)
    if freedom < 1:
        return True
    ninth = 2 / (9 * freedom)
    return statistic <= freedom * float((1 - ninth + 3.29 * ninth**0.5) ** 3)


def test_the_measure_itself() -> None:
    fair = dict.fromkeys(range(6), 100)
    assert agrees({value: 15 + value % 2 for value in range(6)}, fair)
    assert not agrees({value: 2 + 20 * (value % 3) for value in range(6)}, fair)
    assert not agrees({"ENG": 45, "FRA": 115}, {"ENG": 2000, "FRA": 2000})
    assert chi_square({1: 50, 2: 50}, {1: 50, 2: 50}) == (0.0, 1)


def summed(trials: Trials) -> Odds:
    return odds_of(trials.battle, trials.tally, trials.entries, "", (), str, str)


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGHTS)
@pytest.mark.clause("B5", "B6", "B7", "B11")
def test_the_odds_have_the_distribution_of_the_turn(name: str) -> None:
    results, rounds, lost = counted_turns(FIGHTS[name].turns(TURNS))
    trials = FIGHTS[name].trials()
    tally = trials.run(TRIALS)
    assert tally.fights == TRIALS
    assert agrees(results, tally.results), (results, tally.results)
    assert agrees(rounds, tally.rounds)
    for side in summed(trials).sides:
        assert agrees(lost[side.realm], side.lost.counts), (side.realm, lost[side.realm], side.lost.counts)


@pytest.mark.parametrize(
    "name", [name for name, fight in FIGHTS.items() if len(fight.trials().battle.realms) == 2]
)
def test_what_is_remembered_changes_no_fight(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same numbers, a battle fought from memory ends as one that is fought step by step."""
    with_memory = FIGHTS[name].trials(7).run(250)
    monkeypatch.setattr(odds_trials, "can_be_remembered", lambda battle: False)
    assert FIGHTS[name].trials(7).run(250) == with_memory


def test_a_simple_battle_is_soon_known_by_heart() -> None:
    troops = {"Heavy Infantry": 20}
    trials = fight(unit("ENG/A1", "Reims", troops), unit("FRA/A1", "Reims", troops)).trials()
    trials.run(1500)
    assert trials.memory is not None
    worked_out = trials.memory.worked_out
    trials.run(1500)
    assert worked_out < 6000
    assert trials.memory.worked_out - worked_out < worked_out / 3


def test_a_battle_that_seldom_repeats_itself_is_not_remembered() -> None:
    troops = {"Men-at-Arms": 200, "Longbowmen": (0, 90, 0, 0, 0)}
    trials = fight(unit("ENG/A1", "Reims", troops), unit("FRA/A1", "Reims", troops)).trials()
    assert trials.memory is not None
    trials.run(130)
    assert trials.memory is None
    assert trials.tally.fights == 130


# -- adding up -----------------------------------------------------------------------------------------------


def test_shares_have_wilson_bounds() -> None:
    half = share_of(50, 100)
    assert (round(half.low, 4), round(half.high, 4)) == (0.4038, 0.5962)
    assert share_of(0, 3000).low == 0
    assert 0 < share_of(0, 3000).high < 0.002
    assert (share_of(0, 0).low, share_of(0, 0).high) == (0.0, 1.0)


def test_a_spread_has_mean_and_quantiles() -> None:
    spread = spread_of(dict.fromkeys(range(20), 5))
    assert (spread.mean, spread.low, spread.high) == (9.5, 0, 18)
    assert spread_of({}).mean == 0


def test_every_fight_is_in_every_figure() -> None:
    trials = FIGHTS["retreat"].trials()
    trials.run(400)
    summary = summed(trials)
    assert sum(share.count for share in summary.results.values()) == 400
    for side in summary.sides:
        assert sum(side.lost.counts.values()) == 400
        assert sum(side.lost_winning.counts.values()) == side.wins.count
        for force in side.units:
            assert force.survives.count + force.retreats.count + force.destroyed.count == 400
            assert sum(share.count for share in force.retreats_to.values()) == force.retreats.count
            assert force.lost.mean == pytest.approx(sum(part.lost.mean for part in force.troops))
    england = next(side for side in summary.sides if side.realm == "ENG")
    assert set(chain.from_iterable(unit.retreats_to for unit in england.units)) <= {"Flanders", "Paris"}
    assert england.units[0].retreats.count > 100
    assert england.units[1].retreats.count > 0
    assert Tally(("ENG",)).fates["ENG"] == Counter()
