"""Series of games between programs, as long as their verdict is open: the verdict of all games, for less
time.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import chain

from gm.simulation.estimates import wilson
from gm.simulation.findings import Findings
from gm.simulation.plan import Plan
from gm.simulation.playing import run_here
from gm.store.formats import JsonObject

Records = list[JsonObject]
Decided = Callable[[Records, int], bool]
"""Whether so many games more could not change what those that were played show."""


def until_decided(records: Iterable[JsonObject], games: int, decided: Decided) -> Records:
    """Return the games of a series until its verdict is certain.

    What repeats an earlier game shows nothing new.
    """
    played: Records = []
    marks: set[str] = set()
    for number, record in enumerate(records, 1):
        mark = record.get("mark")
        if mark not in marks:
            played.append(record)
        if mark:
            marks.add(mark)
        if decided(played, games - number):
            break
    return played


def series(plan: Plan, games: int, decided: Decided) -> Records:
    """Play the games of a plan until their verdict is certain; no order of a bot is refused."""
    played = until_decided(run_here(plan, plan.jobs(games)), games, decided)
    assert Findings(played).refused == 0
    return played


def winners(record: JsonObject) -> list[str]:
    """Return the realms that won a game."""
    return list(record["winners"])


def firsts(record: JsonObject) -> list[str]:
    """Return the realms that won a game, or led it when it was stopped."""
    return winners(record) or list(record.get("leaders", ()))


Best = Callable[[JsonObject], list[str]]


def counted(played: Records, best: Best = firsts) -> Counter[str]:
    """Return how often each bot had one of the best realms."""
    return Counter(record["realms"][code]["bot"] for record in played for code in best(record))


def reaches(bot: str, least: int, best: Best = firsts) -> Decided:
    """Tell when a bot was best often enough."""
    return lambda played, _left: counted(played, best)[bot] >= least


def leads(bot: str, other: str, best: Best = winners) -> Decided:
    """Tell when a bot was best so much more often than the other that all games left would not help that
    one.
    """

    def decided(played: Records, left: int) -> bool:
        counts = counted(played, best)
        return counts[bot] - counts[other] > left

    return decided


def seats_are_even(best: Best) -> Decided:
    """Tell when the 95% interval of each seat's share will hold the fair share, whoever is best in the
    games left.
    """

    def decided(played: Records, left: int) -> bool:
        complete = [game for game in played if best(game)]
        games = len(complete) + left
        seats = complete[0]["realms"] if complete else {}
        counts = Counter(chain.from_iterable(best(game) for game in complete))
        lows = [wilson(counts[seat] + left, games).low for seat in seats]
        highs = [wilson(counts[seat], games).high for seat in seats]
        return bool(seats) and max(lows) <= 1 / len(seats) <= min(highs)

    return decided


def seats_win_between(low: float, high: float) -> Decided:
    """Tell when each seat will have won between these multiples of its fair share, whoever wins the games
    left.
    """

    def decided(played: Records, left: int) -> bool:
        seats = played[0]["realms"] if played else {}
        counts = Counter(chain.from_iterable(winners(game) for game in played))
        fair = (len(played) + left) / max(1, len(seats))
        fewest = min((counts[seat] for seat in seats), default=0)
        most = max((counts[seat] for seat in seats), default=0) + left
        return low * fair < fewest and most < high * fair

    return decided
