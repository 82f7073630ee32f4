"""Computer players of CONQUEST 0.0.2: always legal to read, each with a temper of its own, and the marshal
the best.

The whole table of strength is in ``maps/conquest-structures/README.md``, with the command that makes it.
"""

from collections import Counter
from functools import cache
from itertools import pairwise

import pytest

from gm.core.dice import Dice
from gm.game.base.events import LineSettled
from gm.game.values import NewGameRequest, View
from gm.games.conquest_structures.bots import DUEL_BREADTH, RAIDER, TEMPERS, WARDEN
from gm.games.conquest_structures.planning import Plan, written
from gm.games.conquest_structures.rehearsal import mixed
from gm.games.conquest_structures.spec import SPEC
from gm.games.conquest_structures.state import Conquest
from gm.simulation.findings import Findings
from gm.simulation.plan import make_plan
from gm.simulation.playing import run_here
from tests.conquest_structures.field import Field
from tests.series import counted, reaches, seats_are_even, series, winners

LADDER = ("random", "warden", "raider", "marshal")  # The weakest first
Played = tuple[Conquest, Counter[str]]


@cache
def match(red: str, blue: str, seed: str, turns: int = 40) -> Played:
    """A game of two bots, up to so many turns: the state at its end, and how often red's lines came to
    what.
    """
    chosen = SPEC.maps()["duel-11"]
    founded = SPEC.founded(NewGameRequest(map=chosen, seed=seed, options={"max_turns": str(turns)}))
    table = founded.table
    state = SPEC.start(founded.table, chosen, None)
    fates: Counter[str] = Counter()
    while state.winners is None:
        sheets = {}
        for code, bot in (("RED", red), ("BLUE", blue)):
            own = f"{seed} {state.turn} {code}"
            view = View(
                game="g", realm=code, turn=state.turn + 1, key="k", seed=own, table=table, state=state
            )
            data = SPEC.bots[bot].orders(view)
            assert state.turn > 3 or data == SPEC.bots[bot].orders(view), "the same dice give the same orders"
            reading = SPEC.read_orders(table, state, data, "bot", game="g", realm=code, key="k")
            assert reading.diagnostics == ()
            sheets[code] = reading.sheet
        outcome = SPEC.play(table, state, sheets, "seed")
        fates.update(
            event.reason
            for event in outcome.events
            if isinstance(event, LineSettled) and event.audience == "RED"
        )
        state = outcome.state
        assert list(SPEC.broken(table, state)) == []
    return state, fates


@pytest.mark.parametrize("seat", ["RED", "BLUE"])
@pytest.mark.parametrize(
    ("weaker", "stronger"), [("random", "warden"), ("random", "raider"), ("raider", "marshal")]
)
def test_the_stronger_wins_from_either_seat(weaker: str, stronger: str, seat: str) -> None:
    bots = (stronger, weaker) if seat == "RED" else (weaker, stronger)
    assert [match(*bots, str(number))[0].winners for number in range(2)] == [(seat,), (seat,)]


def test_what_a_temper_plans_is_carried_out_unless_somebody_fights_for_it() -> None:
    for bots in (("warden", "random"), ("raider", "random"), ("marshal", "raider")):
        fates = match(*bots, "0")[1] + match(*bots, "1")[1]
        fought = sum(fates[reason] for reason in ("bumped-back", "some-bumped", "destroyed"))
        assert fates[""] >= 0.9 * (fates.total() - fought) > 5


def test_a_warden_keeps_his_home_and_a_raider_goes() -> None:
    """Two strangers stand next to a home with one tank in it; what can be taken is on the other side."""
    field = Field(players=2).put("H1", "T").put("C1", "II", owner="BLUE")
    state = field.state.with_owners({"C1": "BLUE"})
    for temper, stays in ((WARDEN, True), (RAIDER, False)):
        lines = [
            written(line)
            for line in Plan(field.table, state, "RED", temper, Dice("x")("plan")).orders().lines
        ]
        assert (not any(">" in line for line in lines)) == stays, (temper, lines)


def test_games_differ_by_their_dice() -> None:
    assert len({tuple(match("raider", "marshal", str(seed))[0].owners.values()) for seed in range(2)}) > 1


def test_what_no_answer_finds_out_is_drawn() -> None:
    """Matching pennies is played by halves; what is always worse never, unless one is impatient."""
    pennies = mixed([[1, -1], [-1, 1], [-3, -3]], 0.0)
    assert pennies[2] == 0
    assert 0.8 < pennies[0] / pennies[1] < 1.25
    assert mixed([[1.0], [0.0]], 0.0)[1] == 0
    assert mixed([[1.0], [0.0]], 5.0)[1] > 0
    assert len(TEMPERS) >= 3 <= DUEL_BREADTH.others


@pytest.mark.slow
def test_the_ladder_of_strength_by_simulation() -> None:
    """Each against the next one above it, as ``pbem simulate`` plays them.

    The whole table has 100 games a pair.
    """
    for weaker, stronger in pairwise(LADDER):
        plan, _ = make_plan(
            SPEC, SPEC.maps()["duel-11"], bots=f"{stronger},{weaker}", turns=150, seed="strength", options={}
        )
        wins = counted(series(plan, 6, reaches(stronger, 4, winners)), winners)
        assert wins[stronger] >= 4, (stronger, weaker, wins)


@pytest.mark.slow
def test_a_game_between_marshals_ends() -> None:
    plan, _ = make_plan(SPEC, SPEC.maps()["duel-11"], bots="marshal", turns=150, seed="fairness", options={})
    findings = Findings(run_here(plan, plan.jobs(1)))
    assert sum(realm.wins for realm in findings.realms.values()) == 1


@pytest.mark.long(50)
@pytest.mark.slow
def test_no_seat_of_four_is_better_than_its_fair_share() -> None:
    """The first games of the table in maps/conquest-structures/README.md."""
    plan, _ = make_plan(SPEC, SPEC.maps()["cross-21"], bots="marshal", turns=150, seed="fairness", options={})
    even = seats_are_even(winners)
    played = series(plan, 16, even)
    assert even(played, 16 - len(played))
