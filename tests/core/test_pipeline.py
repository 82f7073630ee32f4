"""The runner: steps in order, phases, stamps on events, dice in the log, inputs untouched."""

from typing import Any

from gm.core.pipeline import Outcome, Stage, Turn, run_stages, step
from gm.core.values import GM, DiceRolled, Event, PhaseLimitReached


class Counted(Event):
    value: int


@step("One More", "Z1")
def one_more(turn: Turn[int, Any, Any, Any]) -> Outcome[int]:
    return Outcome(turn.state + 1, (Counted(value=turn.state + 1),))


@step("Doubled", "Z2", "Z3")
def doubled(turn: Turn[int, Any, Any, Any]) -> Outcome[int]:
    return Outcome(turn.state * 2)


@step("Rolled", "Z4")
def rolled(turn: Turn[int, Any, Any, Any]) -> Outcome[int]:
    return Outcome(turn.state + turn.dice("here").below(1), (Counted(value=0),))


def start(state: int = 0) -> Turn[int, Any, Any, Any]:
    return Turn(state=state, number=3, rules=None, board=None, orders={}, seed="seed")


def test_steps_run_once_in_their_order() -> None:
    assert run_stages((Stage("a", (one_more, doubled)), Stage("b", (one_more,))), start()).state == 3
    assert run_stages((Stage("a", (doubled, one_more)), Stage("b", (one_more,))), start()).state == 2


def test_a_step_knows_its_name_title_and_clauses() -> None:
    assert (doubled.name, doubled.title, doubled.clauses) == ("doubled", "Doubled", ("Z2", "Z3"))


def test_a_phased_stage_repeats_while_something_is_left_and_then_runs_its_extra_phases() -> None:
    stage = Stage("moves", (one_more,), again=lambda turn: turn.state < 3, extra=1)
    outcome = run_stages((stage,), start())
    assert [(event.phase, event.step) for event in outcome.events] == [(n, "one_more") for n in (1, 2, 3, 4)]
    assert outcome.state == 4


def test_a_phased_stage_runs_once_even_when_nothing_is_left() -> None:
    assert run_stages((Stage("moves", (one_more,), again=lambda turn: False),), start()).state == 1


def test_the_opening_step_runs_before_each_phase() -> None:
    stage = Stage("moves", (doubled,), again=lambda turn: turn.state < 6, opens=one_more)
    assert run_stages((stage,), start()).state == ((0 + 1) * 2 + 1) * 2


def test_a_trial_tells_bare_events_without_dice_and_may_go_on_with_a_later_phase() -> None:
    stages = (Stage("moves", (one_more, rolled), again=lambda turn: turn.state < 3),)
    result = run_stages(stages, start())
    silent = run_stages(stages, start().evolve(collect_events=False))
    assert result.state == silent.state == 3
    assert any(isinstance(event, DiceRolled) for event in result.events)
    bare = [event.evolve(phase=0, step="") for event in result.events if not isinstance(event, DiceRolled)]
    assert list(silent.events) == bare != []
    phases = [
        event.phase for event in run_stages(stages, start(1), first=2).events if event.step == "one_more"
    ]
    assert phases == [2, 3]


def test_the_limit_ends_the_phases_and_is_reported_to_the_gm() -> None:
    stage = Stage("moves", (one_more,), again=lambda turn: True, extra=1, limit=lambda turn: 5)
    outcome = run_stages((stage,), start())
    assert outcome.state == 5
    (warning,) = [event for event in outcome.events if isinstance(event, PhaseLimitReached)]
    assert (warning.audience, warning.limit) == (GM, 5)


def test_reaching_the_limit_with_nothing_left_is_no_warning() -> None:
    stage = Stage("moves", (one_more,), again=lambda turn: turn.state < 5, limit=lambda turn: 5)
    assert not any(isinstance(event, PhaseLimitReached) for event in run_stages((stage,), start()).events)


def test_rolls_are_logged_after_the_events_of_their_step_for_the_gm() -> None:
    outcome = run_stages((Stage("a", (rolled,)),), start())
    assert [type(event) for event in outcome.events] == [Counted, DiceRolled]
    roll = outcome.events[1]
    assert isinstance(roll, DiceRolled)
    assert (roll.audience, roll.label, roll.outcomes) == (GM, "turn 3 | phase 0 | rolled | here", (0,))


def test_the_turn_that_was_given_is_left_as_it_was() -> None:
    turn = start(7)
    assert run_stages((Stage("a", (one_more,)),), turn).state == 8
    assert (turn.state, turn.phase, turn.step) == (7, 0, "")


def test_progress_is_told_of_each_step() -> None:
    progress: list[tuple[str, int, str]] = []
    run_stages((Stage("a", (one_more, doubled)),), start(), lambda *news: progress.append(news))
    assert progress == [("a", 0, "One More"), ("a", 0, "Doubled")]


def test_who_watches_is_told_of_every_step_and_changes_nothing() -> None:
    stages = (
        Stage("a", (one_more, rolled)),
        Stage("moves", (doubled,), again=lambda turn: turn.state < 4, extra=1),
    )
    steps = []

    def watch(stage: str, seen: Turn[int, Any, Any, Any], outcome: Outcome[int]) -> None:
        steps.append((stage, seen.phase, seen.step, seen.state, outcome.state))

    watched = run_stages(stages, start(), watch=watch)
    assert watched == run_stages(stages, start())
    assert steps == [
        ("a", 0, "one_more", 0, 1),
        ("a", 0, "rolled", 1, 1),
        ("moves", 1, "doubled", 1, 2),
        ("moves", 2, "doubled", 2, 4),
        ("moves", 3, "doubled", 4, 8),
    ]
