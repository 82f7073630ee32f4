"""``pbem simulate --league``: the strength of bots, rated by their games against each other."""

from importlib import util

from gm.cli.output import Failure
from gm.simulation.league import League
from gm.text.pages import aligned


def require_library() -> None:
    """Raise ``Failure`` when the rating library is missing, before any game is played."""
    if util.find_spec("openskill") is None:
        raise Failure("Ratings need a library: pip install 'pbem-gm[league]'.")


def league_lines(league: League) -> list[str]:
    """Return the tables for a terminal: the ratings, and who finished before whom."""
    rows = league.rows
    head = ["rated", "strength", "95% interval", "games", "won"]
    cells = (
        [
            row["name"],
            f"{row['mu']:.1f}",
            f"{row['low']:.1f}-{row['high']:.1f}",
            str(row["games"]),
            str(row["won"]),
        ]
        for row in rows
    )
    names = [row["name"] for row in rows]
    shares = {pair: f"{100 * share.middle:.0f}%" for pair, share in league.ahead.items()}
    ahead = [[one, *(shares.get((one, other), "") for other in names)] for one in names]
    return ["", *aligned([head, *cells], left=1), "", *aligned([["ahead of", *names], *ahead], left=1)]
