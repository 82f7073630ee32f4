"""The pipeline: stages of steps, each a pure function from a turn to an outcome.

Events get the phase and the step in which they happened; after them come the dice that the step rolled.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from itertools import count
from typing import Any, Generic, Self, TypeVar

import msgspec

from gm.core.dice import Dice
from gm.core.values import GM, DiceRolled, Event, PhaseLimitReached, Record

S = TypeVar("S")  # the state of a game
R = TypeVar("R")  # its rules data
B = TypeVar("B")  # its map or board
O = TypeVar("O")  # noqa: E741 - one party's order sheet


class Turn(Record, Generic[S, R, B, O]):
    """The whole input of a step."""

    state: S
    number: int  # of the turn
    rules: R
    board: B
    orders: Mapping[str, O]  # by realm, without realms that sent none
    seed: str  # of all dice of the turn
    phase: int = 0  # 0 in a stage without phases
    step: str = ""  # the step's name
    dice: Dice = msgspec.field(default_factory=lambda: Dice(""))  # labels begin with turn, phase and step
    collect_events: bool = True  # whether the caller reads the events, which a trial may leave out

    def at_step(self, step: str, phase: int) -> Self:
        """Return the same turn as seen by ``step`` in ``phase``, with dice of its own."""
        dice = Dice(self.seed, f"turn {self.number}", f"phase {phase}", step)
        return self.evolve(step=step, phase=phase, dice=dice)


class Outcome(Record, Generic[S]):
    """The result of a step: the new state, and its events in the order in which they happened."""

    state: S
    events: tuple[Event, ...] = ()


class Workspace(Generic[S, R, B, O]):
    """The working data of one step: the turn, ``state`` as it is now, and the events so far."""

    def __init__(self, turn: Turn[S, R, B, O]) -> None:
        self.turn = turn
        self.state = turn.state
        self.rules = turn.rules
        self.board = turn.board
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Add an event to those of the step."""
        self.events.append(event)

    tell = emit
    """The name until 1.0.0: for plug-ins, for one release (docs/reference/formats.md)."""

    def outcome(self) -> Outcome[S]:
        """Return the outcome of the step: its state and events."""
        return Outcome(self.state, tuple(self.events))


class Step(Record):
    """One step of the rulebook: its title in the rules' words, its clauses, and the function that does it."""

    title: str
    clauses: tuple[str, ...]
    run: Callable[[Any], Outcome[Any]]

    @property
    def name(self) -> str:
        return self.run.__name__

    def __call__(self, turn: Any) -> Outcome[Any]:
        return self.run(turn)


def step(
    title: str, *clauses: str, on: Callable[[Any], Any] | None = None
) -> Callable[[Callable[[Any], Any]], Step]:
    """Decorate a function ``Turn -> Outcome`` as the step ``title`` that implements ``clauses``.

    With ``on``, which makes a workspace of the turn, the function gets the workspace and changes it; the step
    returns the workspace's ``outcome()``.
    """

    def decorate(function: Callable[[Any], Any]) -> Step:
        """Return the step that runs the function; with ``on``, in a workspace of the turn."""
        if on is None:
            return Step(title, clauses, function)

        @wraps(function)
        def run(turn: Any) -> Any:
            workspace = on(turn)
            function(workspace)
            return workspace.outcome()

        return Step(title, clauses, run)

    return decorate


class Stage(Record):
    """Steps that are run in order: once, or in phases."""

    name: str
    steps: tuple[Step, ...]
    # asked with the turn after each phase: whether another is needed; None: the stage has no phases
    again: Callable[[Any], bool] | None = None
    extra: int = 0  # so many phases more are run once none is needed
    limit: Callable[[Any], int] | None = None  # of a turn: the number of its last possible phase
    opens: Step | None = None  # run at the beginning of each phase


Progress = Callable[[str, int, str], None]  # called before each step with (stage, phase, step title)
# called after each step with (stage, turn before the step, outcome of the step)
Watch = Callable[[str, Any, Any], None]


def run_stages(
    stages: tuple[Stage, ...],
    turn: Turn[S, R, B, O],
    progress: Progress | None = None,
    watch: Watch | None = None,
    *,
    first: int = 1,
) -> Outcome[S]:
    """Run a whole turn; return the last state, and all events as they happened, dice rolls among them.

    If nobody collects the events, they are as the steps emitted them, without dice. ``progress`` is called
    before each step, ``watch`` after each, if events are collected; ``first``: the number of the first phase,
    other than 1 for a trial that begins in the middle of a turn.
    """
    events: list[Event] = []
    for stage in stages:
        unneeded_phases_left = stage.extra + 1  # so often ``again`` may be false until the stage ends
        for phase in count(first) if stage.again else (0,):
            is_beyond_limit = stage.again and stage.limit and phase > stage.limit(turn)
            if not unneeded_phases_left or is_beyond_limit:
                break
            turn = _run_phase(stage, phase, turn, events, progress, watch)
            again = stage.again is not None and stage.again(turn)
            if not again:
                unneeded_phases_left -= 1
            # another phase is needed, and is not run
            if again and stage.limit and phase == stage.limit(turn):
                events.append(PhaseLimitReached(audience=GM, phase=phase, step=stage.name, limit=phase))
    return Outcome(turn.state, tuple(events))


def _run_phase(
    stage: Stage,
    phase: int,
    turn: Turn[S, R, B, O],
    events: list[Event],
    progress: Progress | None,
    watch: Watch | None,
) -> Turn[S, R, B, O]:
    """Run the steps of a stage once; return the turn after them, and add their events to ``events``.

    If events are collected, they get the phase and the step, ``watch`` is called after each step, and the
    dice rolled in it are events, too. ``phase``: its number, 0 in a stage without phases; ``progress`` is
    called before each step.
    """
    steps = (stage.opens, *stage.steps) if stage.opens else stage.steps
    for step in steps:
        if progress:
            progress(stage.name, phase, step.title)
        turn_at_step = turn.at_step(step.name, phase)
        outcome = step(turn_at_step)
        if outcome.state is not turn.state:
            turn = turn.evolve(state=outcome.state)
        if not turn_at_step.collect_events:
            events += outcome.events
            continue
        stamped = tuple([event.evolve(phase=phase, step=turn_at_step.step) for event in outcome.events])
        if watch:
            watch(stage.name, turn_at_step, Outcome(outcome.state, stamped))
        events += stamped
        events += (
            DiceRolled(audience=GM, phase=phase, step=turn_at_step.step, **roll)
            for roll in turn_at_step.dice.rolled()
        )
    return turn
