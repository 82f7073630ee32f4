"""Votes that end a game before its rules do: for a draw, or to concede it to a player.

A vote is part of an order file (``vote: draw``, ``vote: concede POL``) and holds until orders of the same
player without it are played: where one side moves at a time, two who agree never send a file for the same
turn. A vote is secret until it passes. A player to whom others concede does not vote on that, nor do bots.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

from gm.core.values import Record
from gm.game.values import Seat

VoteRule = Literal["all", "majority", "none"]
"""Who must agree: all players who are left, those with more than half of the land, or nobody can vote."""
RULES: tuple[VoteRule, ...] = ("all", "majority", "none")
SETTING = "Who must vote for it to end a game early: all players who are left, a majority by land, or none"
Votes = Mapping[str, str]  # by party: ``draw`` or ``concede CODE``


class Voted(Record):
    """The decision of a vote. ``to``: the code of the party to which the others concede; empty for a draw."""

    to: str

    @property
    def winners(self) -> tuple[str, ...]:
        """The code of the winner; empty for a draw."""
        return (self.to,) if self.to else ()


def votes_with(earlier: Votes, fresh: Votes) -> dict[str, str]:
    """Return the votes that hold, by party: the ``fresh`` ones, else those from ``earlier`` turns.

    An empty fresh vote ends an earlier one.
    """
    return {code: vote for code, vote in sorted({**earlier, **fresh}.items()) if vote}


def decided_by(
    votes: Votes, seats: Iterable[Seat], land: Mapping[str, float], rule: VoteRule
) -> Voted | None:
    """Return the vote that passes by this rule; None if there is none.

    ``rule``: by ``all`` everybody who has a vote must agree, by ``majority`` those with more than half of the
    land of all who have one; by ``none`` no vote passes. ``land``: how much of the map each party has. A draw
    passes before a concession for which there are enough votes, too. The winner by a concession has no vote
    in it.
    """
    if rule == "none":
        return None
    has_player = {seat.code: seat.played for seat in seats if not seat.out}
    draw_first = sorted({*votes.values()}, key=lambda vote: (vote != "draw", vote))
    for vote in draw_first:
        winner = vote.partition(" ")[2]
        if winner and winner not in has_player:
            continue  # out of the game by now
        voters = [code for code, played in has_player.items() if played and code != winner]
        agreed = [code for code in voters if votes.get(code) == vote]
        if rule == "all":
            passed = len(agreed) == len(voters)
        else:
            passed = 2 * sum(land.get(code, 0) for code in agreed) > sum(land.get(code, 0) for code in voters)
        if agreed and passed:  # without voters "all of them" would pass, too
            return Voted(winner)
    return None
