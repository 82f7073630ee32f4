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

START = 25.0  # with which rating everybody begins
_WHENEVER = datetime(2000, 1, 1, tzinfo=UTC)  # simulated games have no date; they are rated by number


@dataclass(frozen=True, slots=True)
class League:
    """The bots, the best first.

    ``ahead``: of the pairs of realms that two bots played in one game, the share in which the first one's
    finished before the second's, a tie being half, by both names.
    """

    rated: Sequence[Rating]
    ahead: Mapping[tuple[str, str], Interval]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Return the table as data: each bot with the interval of its strength at 95% confidence."""
        return [self._row(rating) for rating in self.rated]

    def _row(self, rating: Rating) -> dict[str, Any]:
        """Return a bot's row of the table."""
        span = strength(rating)
        ahead_of = {other: share.rounded for (one, other), share in self.ahead.items() if one == rating.name}
        return {**to_plain(rating), "low": span.low, "high": span.high, "ahead_of": ahead_of}


def strength(rating: Rating) -> Interval:
    """Return the strength of a rating, with its 95% interval, to two decimal places."""
    low = round(rating.mu - Z95 * rating.sigma, 2)
    high = round(rating.mu + Z95 * rating.sigma, 2)
    return Interval(low, rating.mu, high)


def league_of(plan: Plan, title: str, records: Iterable[JsonObject]) -> League:
    """Return the league of these games. Repeated games are counted once. Imports OpenSkill."""
    games = list({record["mark"] or str(record["game"]): record for record in records}.values())
    rated = ratings(_result(plan, title, game) for game in games).get((plan.game, plan.map), [])
    pairs: dict[tuple[str, str], list[tuple[float, int]]] = defaultdict(list)
    for game in games:
        for names, (won, met) in _met(game).items():
            pairs[names].append((won, met))
    return League(rated, {names: share_by_game(results) for names, results in sorted(pairs.items())})


def _met(record: JsonObject) -> dict[tuple[str, str], tuple[float, int]]:
    """Return (times ahead, pairs of realms) for each two bots in a game, by both names."""
    places = ranks(record)
    bots = {code: realm["bot"] for code, realm in record["realms"].items()}
    meetings: dict[tuple[str, str], tuple[float, int]] = {}
    for one, other in combinations(sorted(bots), 2):
        if bots[one] == bots[other]:
            continue
        share = 0.5 if places[one] == places[other] else float(places[one] < places[other])
        for names, won in (((bots[one], bots[other]), share), ((bots[other], bots[one]), 1 - share)):
            before, count = meetings.get(names, (0.0, 0))
            meetings[names] = before + won, count + 1
    return meetings


def _result(plan: Plan, title: str, record: JsonObject) -> GameResult:
    """Return a game's record as a result with bots as holders of seats."""
    places = ranks(record)
    seats = tuple(
        SeatResult(
            code=code,
            name=code,
            place=places[code],
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
