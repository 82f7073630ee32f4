"""The strength of bots against each other.

It is rated by the order in which they finished in all games (the hall of fame's rating,
:mod:`gm.site.league`), and given as the share of games in which one of each two bots was ahead.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

from gm.core.codec import to_plain
from gm.simulation.estimates import Z95, Interval, share_by_game
from gm.simulation.plan import Plan
from gm.simulation.record import ranks
from gm.site.league import Rating, ratings
from gm.site.result import GameResult, Holder, SeatResult
from gm.store.formats import JsonObject

START = 25.0  # the rating with which every bot begins
_WHENEVER = datetime(2000, 1, 1, tzinfo=UTC)  # simulated games have no date; they are rated by number


@dataclass(frozen=True, slots=True)
class League:
    """The strengths of bots.

    ``rated``: the bots' ratings, the best first; ``ahead``: by the names of two bots, the share of pairs of
    realms that they played in one game in which the first bot's realm finished before the second's. A tie
    counts half.
    """

    rated: Sequence[Rating]
    ahead: Mapping[tuple[str, str], Interval]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The league as data, the best bot first: its rating, its strength's 95% interval, its shares.

        The shares are those against each other bot, see ``ahead``.
        """
        return [self._row(rating) for rating in self.rated]

    def _row(self, rating: Rating) -> dict[str, Any]:
        """Return a bot's row of the league; ``ahead_of``: its share against each other bot, by name."""
        span = strength(rating)
        ahead_of = {other: share.rounded for (one, other), share in self.ahead.items() if one == rating.name}
        return {**to_plain(rating), "low": span.low, "high": span.high, "ahead_of": ahead_of}


def strength(rating: Rating) -> Interval:
    """Return the strength of a rating with its 95% interval, whose ends have two decimal places."""
    low = round(rating.mu - Z95 * rating.sigma, 2)
    high = round(rating.mu + Z95 * rating.sigma, 2)
    return Interval(low, rating.mu, high)


def league_of(plan: Plan, title: str, records: Iterable[JsonObject]) -> League:
    """Return the league of the simulated games of a plan.

    ``title``: the title of the game that was played; ``records``: one for each time that it was played. Games
    without any chance that are equal are counted once. Raises ``ImportError`` without OpenSkill.
    """
    # the mark is empty for a game with chance, which its number tells from all others
    games = list({record["mark"] or str(record["game"]): record for record in records}.values())
    rated = ratings(_result(plan, title, game) for game in games).get((plan.game, plan.map), [])
    pairs: dict[tuple[str, str], list[tuple[float, int]]] = defaultdict(list)
    for game in games:
        for names, (times_ahead, pairs_of_realms) in _meetings_in(game).items():
            pairs[names].append((times_ahead, pairs_of_realms))
    return League(rated, {names: share_by_game(results) for names, results in sorted(pairs.items())})


def _meetings_in(record: JsonObject) -> dict[tuple[str, str], tuple[float, int]]:
    """Return (times ahead, pairs of realms) for each two bots in a game, by (bot, other bot).

    A tie counts as half a time ahead for both.
    """
    places = ranks(record)
    bots = {code: realm["bot"] for code, realm in record["realms"].items()}
    meetings: dict[tuple[str, str], tuple[float, int]] = {}
    for realm, other_realm in combinations(sorted(bots), 2):
        bot = bots[realm]
        other_bot = bots[other_realm]
        if bot == other_bot:
            continue
        is_tie = places[realm] == places[other_realm]
        ahead = 0.5 if is_tie else float(places[realm] < places[other_realm])
        for names, more_ahead in (((bot, other_bot), ahead), ((other_bot, bot), 1 - ahead)):
            times_ahead, pairs_of_realms = meetings.get(names, (0.0, 0))
            meetings[names] = times_ahead + more_ahead, pairs_of_realms + 1
    return meetings


def _result(plan: Plan, title: str, record: JsonObject) -> GameResult:
    """Return a game's record as a result of the hall of fame, with bots as holders of seats."""
    places = ranks(record)
    seats = tuple(
        SeatResult(
            code=code,
            name=code,
            place=places[code],
            # ``out``: the turn in which it left the game, None if it did not
            holders=(Holder(name=realm["bot"], bot=True, turns=realm["out"] or record["turns"]),),
        )
        for code, realm in sorted(record["realms"].items())
    )
    return GameResult(
        id=f"{record['game']:09}",
        game=plan.game,
        title=title,
        map=plan.map,
        mark=record["mark"],
        ended=_WHENEVER,
        turns=record["turns"],
        drawn=not record["winners"],  # who led a game that was stopped has not won it
        seats=seats,
    )
