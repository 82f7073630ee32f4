"""Turns that a player may have missed, in words: that in which they lost, those since their last orders."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from gm.campaign.open import Campaign
from gm.core.values import Record
from gm.game.values import TurnResult
from gm.text.languages import translator
from gm.text.words import turn_in_words

MOST_RUNS = 12  # So many runs before the newest are told


class Told(Record):
    """A turn in sentences (``lines``). ``name``: the turn's."""

    name: str
    lines: tuple[str, ...]


def fall_of(campaign: Campaign, code: str, language: str) -> Told | None:
    """Return the turn in which a party lost, in sentences; None if it is still in the game, or never played.

    They are the sentences that the turn's story has for the party; if there are none, all with its name; if
    there are none of these either, all.
    """

    def is_out(turn: int) -> bool:
        seats = campaign.spec.seats(campaign.table, campaign.state_after(turn))
        return any(seat.code == code and seat.out for seat in seats)

    newest = campaign.newest_turn
    if not is_out(newest):
        return None
    turn = bisect_left(range(newest + 1), True, key=is_out)  # the first turn after which it is out
    if turn == 0:  # it never played
        return None
    story = _story(campaign, turn, code, language)
    name = translator(campaign.spec.key, language)(_name_of(campaign, code))
    lines = tuple(line for line in _lines(story) if name in line)
    return Told(_turn_name(campaign, turn, language), story.own or lines or _lines(story))


def meanwhile(campaign: Campaign, code: str, language: str) -> tuple[Told, ...]:
    """Return the runs since a party last had orders to give, in games whose runs are one party's turn each.

    They begin with the party's own run, but no more than ``MOST_RUNS`` runs before the newest. Runs without
    news are left out. It is empty if the party's own run is the newest, which its report shows, and in games
    in which all play at once.
    """
    newest = campaign.newest_turn
    if not campaign.spec.alternates(campaign.state):
        return ()
    first = newest
    while first > 1 and newest - first < MOST_RUNS and _had_no_orders(campaign, first, code):
        first -= 1
    if first == newest:
        return ()
    stories = ((turn, _lines(_story(campaign, turn, code, language))) for turn in range(first, newest + 1))
    return tuple(Told(_turn_name(campaign, turn, language), lines) for turn, lines in stories if lines)


def _had_no_orders(campaign: Campaign, turn: int, code: str) -> bool:
    """Return whether a turn was played while a party had nothing to order."""
    seats = campaign.spec.seats(campaign.table, campaign.state_after(turn - 1))
    return any(seat.code == code and seat.waiting for seat in seats)


def _story(campaign: Campaign, turn: int, code: str, language: str) -> Any:
    """Return the story of a turn as a party may know it."""
    spec = campaign.spec
    table = campaign.table
    before = spec.seen(table, campaign.state_after(turn - 1), code)
    after = spec.seen(table, campaign.state_after(turn), code)
    events = campaign.logged(turn)
    result = TurnResult(game=campaign.folder.settings.id, before=before, after=after, events=events)
    return spec.turn_story(table, result, code, language)


def _lines(story: Any) -> tuple[str, ...]:
    """Return the sentences of a story: its battles, then its other news."""
    return (*(fight.text for fight in story.fights), *story.news)


def _name_of(campaign: Campaign, code: str) -> str:
    """Return the English name of a party."""
    return next(seat.name for seat in campaign.seats if seat.code == code)


def _turn_name(campaign: Campaign, turn: int, language: str) -> str:
    """Return the name of a turn in a language."""
    translate = translator(campaign.spec.key, language)
    return turn_in_words(campaign.spec.played_name(campaign.state_after(turn)), translate)
