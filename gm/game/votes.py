"""Votes that end a game before its rules do: for a draw, or to concede it to a player.

A vote is part of an order file (``vote: draw``, ``vote: concede POL``) and holds until orders of the same
player without it are played: where one side moves at a time, two who agree never send a file for the same
turn. A vote is secret until it passes. A player to whom others concede does not vote on that, nor do
programs.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

from gm.core.values import Record
from gm.game.values import Seat

VoteRule = Literal["all", "majority", "none"]
"""Who must agree: all players left, those with more than half of the land, or nobody can end the game."""
RULES: tuple[VoteRule, ...] = ("all", "majority", "none")
SETTING = "Who must vote for it to end a game early: all players who are left, a majority by land, or none"
Votes = Mapping[str, str]  # what each player votes for, as order files say it


class Voted(Record):
    """The decision of a vote. ``to``: the party that the others concede to; empty for a draw."""

    to: str

    @property
    def winners(self) -> tuple[str, ...]:
        return (self.to,) if self.to else ()


def votes_with(earlier: Votes, fresh: Votes) -> dict[str, str]:
    """Return the votes that hold, by party: those from ``earlier`` turns, replaced by the new files'."""
    return {code: vote for code, vote in sorted({**earlier, **fresh}.items()) if vote}


def decided_by(
    votes: Votes, seats: Iterable[Seat], land: Mapping[str, float], rule: VoteRule
) -> Voted | None:
    """Return the vote that passes, or None. A draw comes before a concession where both have a majority."""
    left = {seat.code: seat.played for seat in seats if not seat.out}
    for vote in sorted({*votes.values()}, key=lambda vote: (vote != "draw", vote)):
        to = vote.partition(" ")[2]
        having_a_say = [code for code, played in left.items() if played and code != to]
        agreed = [code for code in having_a_say if votes.get(code) == vote]
        ours = sum(land.get(code, 0) for code in agreed)
        all_land = sum(land.get(code, 0) for code in having_a_say)
        passed = len(agreed) == len(having_a_say) if rule == "all" else 2 * ours > all_land
        if rule != "none" and agreed and passed and (not to or to in left):
            return Voted(to)
    return None
