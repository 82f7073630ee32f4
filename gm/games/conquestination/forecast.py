"""The expected course of a player's turn, computed exactly: every case, with its probability (CN-7, CN-9).

Each case is judged and changed by the very code of the turn; only the dice are replaced by all their results.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gm.core.values import Record
from gm.game.base.events import Written
from gm.games.conquestination.odds import ends
from gm.games.conquestination.orders import AttackModel, RedeployModel, Turn
from gm.games.conquestination.player_turn import Acting
from gm.games.conquestination.state import Campaign
from gm.games.conquestination.steps import reinforcement

CASES = 600  # The most cases that are followed at a time: the least likely of more are left out
TINY = 1e-9  # Smaller probabilities count as 0


class Course(Record, kw_only=True):
    """The expected course of a line; numbers of units are averages."""

    written: Written
    source: str
    target: str
    reached: float = 0.0  # The probability that it is carried out
    engaged: float = 0.0  # The units that attack or move, if it is carried out
    against: float = 0.0  # The defenders then
    won: float = 0.0  # The probability that it is carried out and won
    left: float = 0.0  # The attackers left if it is won
    beaten: float = 0.0  # The defenders left if it is not won
    moves: bool = False  # Whether it is a redeployment


class Case(Record):
    """A possible position during a player's turn."""

    state: Campaign
    won: Mapping[str, bool] = {}  # Whether each attack with an id was won, by id
    done: bool = False  # Whether units were redeployed
    taken: int = 0  # The number of countries taken


Weighed = Sequence[tuple[Case, float]]  # (case, its probability)


class Prospect(Record):
    """The results of a player's lines, with the highest number first in mappings."""

    courses: tuple[Course, ...]  # Of the lines, in their order
    taken: Mapping[int, float]  # The probability of each number of countries taken
    left: Mapping[int, float]  # That of each number of units in the country that the last attack takes
    exact: bool  # Whether no case was left out
    cases: Weighed  # The possible positions after the lines


class _Cases:
    """The cases so far with their probabilities; equal cases are merged.

    Two cases are equal if the lines that follow cannot tell them apart. With ``whole``, when others play
    their turns after these lines, all countries must be equal.
    """

    def __init__(self, later: Iterable[AttackModel | RedeployModel], *, whole: bool) -> None:
        """Note what distinguishes cases: what the lines ``later`` look at; all countries with ``whole``."""
        lines = list(later)
        self._whole = whole
        conditions = [line.condition for line in lines if line.condition]
        places = {line.source for line in lines} | {line.target for line in lines}
        # what later lines look at: the units in these countries, the outcome of attacks with these ids
        self._places = sorted(places.union(*(condition.hold for condition in conditions)))
        self._ids = {condition.won for condition in conditions} | {condition.lost for condition in conditions}
        self._found: dict[Any, tuple[Case, float]] = {}  # (case, probability), by what tells cases apart

    def add(self, case: Case, chance: float) -> None:
        """Add a case with its probability to an equal one, if there is one."""
        state = case.state
        outcomes = {name: outcome for name, outcome in case.won.items() if name in self._ids}
        owners = tuple(country.owner for country in state.countries.values())
        places = state.countries if self._whole else self._places
        units = tuple(state.countries[place].units for place in places)
        key = (owners, units, state.winners, tuple(outcomes.items()), case.done, case.taken)
        merged, before = self._found.get(key, (case.evolve(won=outcomes), 0.0))
        self._found[key] = merged, before + chance

    def likely(self) -> tuple[list[tuple[Case, float]], bool]:
        """Return (the likeliest cases with their probabilities, whether there were no more than ``CASES``).

        The probabilities add up to 1; cases of less than ``TINY`` are left out.
        """
        likeliest = sorted(self._found.values(), key=lambda entry: -entry[1])
        likely_entries = [entry for entry in likeliest[:CASES] if entry[1] > TINY]
        share = sum(chance for _, chance in likely_entries) or 1.0
        return [(case, chance / share) for case, chance in likely_entries], len(likeliest) <= CASES


class _Sums:
    """Adds up the figures of a line's course, weighted by the probabilities of the cases."""

    def __init__(self) -> None:
        self.sums: defaultdict[str, float] = defaultdict(float)  # by field of Course

    def add(self, chance: float, **values: float) -> None:
        """Add the values that fields have with a probability of ``chance``."""
        for name, value in values.items():
            self.sums[name] += chance * value

    def course(self, line: AttackModel | RedeployModel) -> Course:
        """Return the expected course of a line: probabilities, and averages over the cases that count."""
        sums = self.sums
        moves = isinstance(line, RedeployModel)

        def mean(name: str, probability: float) -> float:
            return sums[name] / probability if probability > TINY else 0.0

        reached = sums["reached"]
        won = sums["won"]
        return Course(
            written=line.written,
            source=line.source,
            target=line.target,
            reached=reached,
            engaged=mean("engaged", reached),
            against=mean("against", reached),
            won=won,
            left=mean("left", won),
            beaten=mean("beaten", reached - won),
            moves=moves,
        )


def prospect(turn: Turn, code: str, cases: Weighed = (), *, whole: bool = False) -> Prospect:
    """Return the possible results of the attacks and the redeployment that a player has ordered.

    ``cases``: the possible positions as their attacks begin, by default ``turn.state`` alone; ``whole``:
    whether others play their turns afterwards. Raises ``ValueError`` for forces that are too large.
    """
    orders = turn.orders[code]
    lines: list[AttackModel | RedeployModel] = [*orders.attacks, *orders.redeploy]
    cases = cases or [(Case(turn.state), 1.0)]
    exact = True
    courses = []
    # by the number of units in the target of the last attack, if that is won
    units_chances: defaultdict[int, float] = defaultdict(float)
    for index, line in enumerate(lines):
        sums = _Sums()
        after = _Cases(lines[index + 1 :], whole=whole)
        is_last_attack = index == len(orders.attacks) - 1
        for case, chance in cases:
            acting = Acting(turn, code, case.state, case.won)
            if isinstance(line, RedeployModel):
                after.add(_after_redeploying(acting, case, line, sums, chance), chance)
                continue
            for state, is_won, share in _ways(acting, line, sums, chance):
                outcomes = {**case.won, line.id: is_won} if line.id else case.won
                after.add(case.evolve(state=state, won=outcomes, taken=case.taken + is_won), share)
                if is_won and is_last_attack:
                    units_chances[state.countries[line.target].units] += share
        courses.append(sums.course(line))
        cases, are_all = after.likely()
        exact = exact and are_all
    taken_chances: defaultdict[int, float] = defaultdict(float)  # by the number of countries taken
    for case, chance in cases:
        taken_chances[case.taken] += chance
    return Prospect(
        tuple(courses), _highest_first(taken_chances), _highest_first(units_chances), exact, cases
    )


def _after_redeploying(acting: Acting, case: Case, line: RedeployModel, sums: _Sums, chance: float) -> Case:
    """Return a case after a redeployment, and add this to ``sums``; the same case if it is impossible.

    ``chance``: the probability of the case.
    """
    moved, reason = acting.moved(line, done=case.done)
    if reason:
        return case
    sums.add(chance, reached=1, engaged=moved)
    state = case.state.reinforced({line.source: -moved, line.target: moved})
    return case.evolve(state=state, done=True)


def _highest_first(chances: Mapping[int, float]) -> dict[int, float]:
    """Return probabilities by number, the highest number first."""
    return dict(sorted(chances.items(), reverse=True))


def course_of_run(turn: Turn, code: str) -> tuple[Prospect, Weighed]:
    """Return (results of a player's lines in a run, possible positions at its end).

    Others follow ``turn.orders``; whoever is before the player and has none there only places reinforcements.
    Raises ``ValueError`` for forces that are too large.
    """
    seats = turn.state.living if turn.state.current is None else (code,)
    cases: Weighed = [(Case(turn.state), 1.0)]
    prospects: dict[str, Prospect] = {}
    for seat in seats:
        # after the player, only those with orders are followed
        if code not in prospects or seat in turn.orders:
            cases = [(Case(_after_reinforcing(turn, case.state, seat)), chance) for case, chance in cases]
        if seat in turn.orders:
            # whether others may play after this player, for whom all of the position counts
            whole = seat != seats[-1] and len(turn.orders) > 1
            prospects[seat] = prospect(turn, seat, cases, whole=whole)
            cases = prospects[seat].cases
    is_exact = all(seat_prospect.exact for seat_prospect in prospects.values())
    return prospects[code].evolve(exact=is_exact), cases


def _after_reinforcing(turn: Turn, state: Campaign, code: str) -> Campaign:
    """Return the position after a player has placed reinforcements.

    It is ``state`` as it is if the player is out of the game, or the game is won.
    """
    if state.parties[code].out or state.winners is not None:
        return state
    after: Campaign = reinforcement(turn.evolve(state=state.evolve(acting=code))).state
    return after


def _ways(
    acting: Acting, line: AttackModel, sums: _Sums, chance: float
) -> Iterator[tuple[Campaign, bool, float]]:
    """Yield (position after it, whether it is won, probability) for each possible end of an attack.

    An attack that cannot be made leaves the position as it is. ``chance``: the probability of the position
    before the attack; ``sums``: the figures of the line, which are added to.
    """
    state = acting.state
    against = acting.state.countries[line.target].units
    engaged, reason = acting.engaged(line)
    if reason:
        yield state, False, chance
        return
    sums.add(chance, reached=1, engaged=engaged, against=against)
    for (units, defenders), share in ends(engaged, against, acting.turn.rules.attack, line.until).items():
        acting.state = state  # each end follows from the position before the attack
        acting.end(line, engaged, units, defenders)
        victory = not defenders
        sums.add(chance * share, won=victory, left=units * victory, beaten=defenders)
        yield acting.state, victory, chance * share
