"""The calendar: a turn is a season (W9)."""

from __future__ import annotations

from gm.games.medieval.data.rules import Rules


def season_of(turn: int, rules: Rules) -> tuple[str, int]:
    """(season, year) of a turn, counted from 1; turn 1 is the first season of the starting year."""
    years, season = divmod(turn - 1, len(rules.seasons))
    return rules.seasons[season], rules.start_year + years
