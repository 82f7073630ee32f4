"""``pbem simulate --league``: how strong bots are, rated by the games that they have played against each other."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib import util
from typing import Any

from gm.cli.output import Failure
from gm.core.codec import to_plain
from gm.simulation.estimates import Z95
from gm.simulation.plan import Plan
from gm.simulation.record import ranks
from gm.site.league import Rating, ratings
from gm.site.result import GameResult, Holder, SeatResult
from gm.store.formats import JsonObject
from gm.text.pages import aligned

_WHENEVER = datetime(2000, 1, 1, tzinfo=UTC)  # simulated games have no date; they are rated by number


def require_library() -> None:
    """Raise ``Failure`` when nothing can be rated here, before any game is played."""
    if util.find_spec("openskill") is None:
        raise Failure("Ratings need a library: pip install 'pbem-gm[league]'.")


def bot_ratings(plan: Plan, title: str, records: Iterable[JsonObject]) -> list[Rating]:
    """The bots of these games, the best first. Games that are one over again are rated once."""
    results = [_result(plan, title, each) for each in records]
    return ratings(results).get((plan.game, plan.map), [])


def _result(plan: Plan, title: str, record: JsonObject) -> GameResult:
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
        drawn=not record["winners"],
        seats=seats,
    )


def league_rows(rated: Sequence[Rating]) -> list[dict[str, Any]]:
    """The table as data: each with the interval that holds his strength with 95% confidence."""
    spans = ((round(each.mu - Z95 * each.sigma, 2), round(each.mu + Z95 * each.sigma, 2)) for each in rated)
    return [{**to_plain(each), "low": low, "high": high} for each, (low, high) in zip(rated, spans, strict=True)]


def league_lines(rows: Sequence[dict[str, Any]]) -> list[str]:
    """The table for a terminal."""
    head = ["rated", "strength", "95% interval", "games", "won"]
    cells = (
        [
            each["name"],
            f"{each['mu']:.1f}",
            f"{each['low']:.1f}-{each['high']:.1f}",
            str(each["games"]),
            str(each["won"]),
        ]
        for each in rows
    )
    return ["", *aligned([head, *cells], left=1)]
