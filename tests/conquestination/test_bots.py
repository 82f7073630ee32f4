"""Programs with a temper: none writes what is refused, games differ, and the general looks ahead."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gm.core.pipeline import run_stages
from gm.core.values import DiceRolled
from gm.core.yaml.models import load_values
from gm.core.yaml.pydantic_models import YamlModel
from gm.game.base.events import LineSettled
from gm.game.bots import ask, bot_view
from gm.game.values import GameData
from gm.games.conquestination.bots import BOTS
from gm.games.conquestination.orders import Orders
from gm.games.conquestination.profiles import tempers
from gm.games.conquestination.rehearsal import Breadth, Rehearsal, standing
from gm.games.conquestination.spec import SPEC
from gm.games.conquestination.state import Campaign
from gm.games.conquestination.steps import STAGES
from tests.conquestination.campaigns import begun, position, table

SEEDS = 8
MAP = "four-shores"


class Case(YamlModel):
    """See positions.yaml."""

    seat: str
    where: str
    wins: int = 0
    keeps: Mapping[str, int] = {}


CASES = load_values(Path(__file__).with_name("positions.yaml"), Case)


def answered(at: GameData, state: Campaign, code: str, bot: str, seed: str) -> Any:
    """What a bot orders; nothing of it may be refused."""
    answer = ask(SPEC, BOTS[bot], bot_view(SPEC, at, state, code, game="g", key="k", seed=seed))
    assert answer.reading is not None, answer.trouble
    assert answer.reading.errors == 0, (answer.data.decode(), answer.reading.diagnostics)
    return answer


def played(at: GameData, state: Campaign, bots: Mapping[str, str], seed: str) -> Campaign:
    """A run between bots."""
    acting = {code: bots[code] for code in state.living if state.current in (None, code) or not state.run}
    sheets = {
        code: answered(at, state, code, bot, f"{seed} {code}").reading.sheet for code, bot in acting.items()
    }
    return SPEC.play(at, state, sheets, f"dice {seed}").state


@pytest.mark.parametrize("name", CASES)
def test_the_general_does_what_is_plain(name: str) -> None:
    case = CASES[name]
    own = CASES[name].seat.upper()
    at = table(MAP)
    start = position(case.where, name=MAP, turn=3)

    def found(bot: str) -> dict[str, int]:
        others = dict.fromkeys(start.parties, "raider")
        ends = [played(at, start, {**others, own: bot}, str(seed)) for seed in range(SEEDS)]
        kept = {letter: sum(letter in at.board.whole(end.held(own)) for end in ends) for letter in case.keeps}
        return {**kept, "wins": sum(end.winners == (own,) for end in ends)}

    least_of = {**case.keeps, "wins": case.wins}
    general = found("general")
    raider = found("raider")
    assert all(general[figure] >= least for figure, least in least_of.items()), general
    assert sum(general.values()) > sum(raider.values())


@pytest.mark.parametrize(
    ("players", "options"),
    [(2, {}), (3, {"mode": "single"}), (3, {"links_allow_redeploy": False}), (4, {"max_rounds": 3})],
)
def test_no_order_of_a_program_is_refused(players: int, options: dict[str, Any]) -> None:
    at = table(MAP)
    state = begun(MAP, "start", players=players, **options)
    names = ["general", *tempers()]
    for run in range(6):
        bots = {code: names[at % len(names)] for at, code in enumerate(state.parties, run)}
        state = played(at, state, bots, str(run))
        if state.winners is not None:
            break


@pytest.mark.slow
def test_the_same_position_and_seed_give_the_same_bytes_and_another_seed_others() -> None:
    at = table(MAP)
    start = begun(MAP, "start", players=3)
    state = played(at, start, dict.fromkeys(start.parties, "captain"), "first")
    for bot in ("general", "raider"):
        files = [answered(at, state, "BLUE", bot, str(seed)).data for seed in (0, 0, *range(1, 8))]
        assert files[0] == files[1]
        assert len(set(files)) > 1, bot


@pytest.mark.parametrize(
    ("mode", "run", "runs"), [("round", 0, 2), ("round", 2, 1), ("single", 0, 4), ("single", 2, 3)]
)
def test_the_general_keeps_to_its_budget_of_positions(mode: str, run: int, runs: int) -> None:
    at = table(MAP)
    state = begun(MAP, "start", players=3, mode=mode).evolve(turn=run)
    view = bot_view(SPEC, at, state, "RED", game="g", key="k", seed="seed")
    tried = []

    class Counting(Rehearsal):
        def value(self, plan: Orders, number: int) -> float:
            tried.append(number)
            return super().value(plan, number)

    rehearsal = Counting(view, list(tempers().values()), Breadth(plans=6, positions=36))
    assert rehearsal.runs == runs
    rehearsal.orders()
    assert 36 // runs // 2 < len(tried) <= 36 // runs


@pytest.mark.parametrize("code", ["RED", "BLUE", "YELLOW"])
def test_a_trial_in_which_the_others_have_played_already_ends_as_the_whole_run(code: str) -> None:
    at = table(MAP)
    state = begun(MAP, "start", players=4)
    for run in range(3):
        state = played(at, state, dict.fromkeys(state.parties, "raider"), f"run {run}")
    view = bot_view(SPEC, at, state, code, game="g", key="k", seed="seed")
    rehearsal = Rehearsal(view, list(tempers().values()), Breadth(plans=5, positions=36))
    plans = list(rehearsal.candidates())
    assert len(set(map(str, plans))) > 1
    for number in range(4):
        for plan in plans:
            orders = {**rehearsal.answer(number), code: plan}
            turn = rehearsal.turn(state, orders, f"seed trial {number} 0")
            silent = run_stages(STAGES, turn)
            loud = run_stages(STAGES, turn.evolve(collect_events=True))
            assert silent.state == loud.state
            assert any(isinstance(event, DiceRolled) for event in loud.events)
            assert not any(isinstance(event, DiceRolled | LineSettled) for event in silent.events)
            after = loud.state.evolve(turn=state.turn + 1)
            assert rehearsal.value(plan, number) == standing().chances(at, after).get(code, 0.0)


def test_chances_add_up_and_the_stronger_has_the_better_one() -> None:
    at = table(MAP)
    own = "A1 red 9, A2 red 2, A3 red 3, B1 red 1, B2 blue 1, B3 blue 1, C1 blue 2, C2 blue 1"
    rest = "C3 blue 1, C4 green 1, C5 green 2, C6 green 1, D1 green 1"
    chances = standing().chances(at, position(f"{own}, {rest}", name=MAP))
    assert sum(chances.values()) == pytest.approx(1)
    assert chances["RED"] > 0.5 > chances["BLUE"] > 0
    won = position(f"{own}, {rest}", name=MAP).evolve(winners=("BLUE",))
    assert standing().chances(at, won) == {"BLUE": 1.0}
