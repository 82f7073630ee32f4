"""What lapses when a newer order file comes: all of the earlier file (O1), and a vote not repeated."""

from collections.abc import Iterator

from gm.campaign.ahead import foreseen_orders, written_cases
from gm.campaign.open import Campaign
from gm.campaign.plan import repeated_orders
from gm.core.diagnostics import Message, says
from gm.core.orders.header import OrderFile
from gm.core.orders.press import Note
from gm.core.values import Record
from gm.text.words import Said


class HeldOrders(Record):
    """The orders of a player that hold until a newer file of theirs comes."""

    vote: str = ""
    standing: int = 0  # the last turn for which they are repeated; 0: they are not
    waits: bool = False  # whether they ask that the turn is not played early
    press: tuple[Note, ...] = ()  # letters that go out with the turn
    cases: bool = False  # whether there are orders for turns to come
    foreseen: bool = False  # whether the orders for this turn are a case of an earlier turn's file
    earlier: bool = False  # whether a file for this turn came before


def held_orders(campaign: Campaign, realm: str, earlier: bytes | None) -> HeldOrders:
    """Return the orders of a realm that hold now.

    ``earlier``: the content of its file for this turn, None without one; an unreadable file counts as none.
    """
    vote = campaign.decisions.votes.get(realm, "")
    reading = OrderFile(None) if earlier is None else campaign.orders.read(earlier, f"{realm}.yaml", realm)
    if earlier is None or reading.sheet is None:
        return _held_from_earlier_turns(campaign, realm, vote)
    alternates = campaign.spec.alternates(campaign.state)
    return HeldOrders(
        vote=reading.vote or vote,
        standing=reading.standing,
        waits=not reading.ready,
        press=reading.press,
        cases=alternates and _has_cases(reading),
        earlier=True,
    )


def _held_from_earlier_turns(campaign: Campaign, realm: str, vote: str) -> HeldOrders:
    """Return the orders that hold from earlier turns for a realm without a file in this turn.

    ``vote``: the realm's vote from earlier turns, which holds, too. In turn 1 and in a turn that is played
    again, nothing else holds.
    """
    if campaign.newest_turn == 0 or campaign.kept:  # kept: a turn that is played again takes no new orders
        return HeldOrders(vote)
    last_turns = [reading.standing for _, reading, _ in repeated_orders(campaign, [realm])]
    foreseen = any(True for _ in foreseen_orders(campaign, [realm]))
    return HeldOrders(vote, standing=max(last_turns, default=0), foreseen=foreseen)


def _has_cases(reading: OrderFile) -> bool:
    """Return whether a file has orders for turns to come that count."""
    return any(not case.void for case in written_cases(reading))


def lapses(held: HeldOrders, reading: OrderFile) -> Iterator[Message]:
    """Yield a sentence about each part of ``held`` that lapses when the file ``reading`` counts."""
    if reading.sheet is None:  # a rejected file replaces nothing
        return
    if held.earlier:
        yield says("This file replaces your earlier file for this turn completely.")
    if held.vote and not reading.vote:
        yield _sentence_on_vote(held.vote)
    if reading.standing < held.standing:
        yield _sentence_on_standing_orders(held.standing, reading.standing)
    if held.waits and reading.ready:
        yield says("This turn may be played early again: this file has no 'ready: no'.")
    unsent = [note for note in held.press if note not in reading.press]
    if unsent:
        yield says(
            "{0:entry|entries} of your earlier 'press:' will not be sent: this file does not contain them.",
            Said(len(unsent)),
        )
    if held.cases and not _has_cases(reading):
        yield says("Your conditional orders for later turns lapse: this file has no valid 'then:'.")
    if held.foreseen:
        yield says(
            "This file replaces the conditional orders ('then:') that your last file has for this turn."
        )


def _sentence_on_standing_orders(until: int, now: int) -> Message:
    """Return the sentence about orders that were to be repeated ``until`` a turn.

    ``now``: the last turn for which the new ones are repeated, 0 for none.
    """
    if not now:
        return says("Your standing orders until turn {0} lapse: this file has no 'standing:'.", until)
    pattern = (
        "Your standing orders now end with turn {0}, not with turn {1}, as this file's 'standing:' says."
    )
    return says(pattern, now, until)


def _sentence_on_vote(vote: str) -> Message:
    """Return the sentence about a lapsed vote for a draw or a concession."""
    to = vote.partition(" ")[2]
    if to:
        return says("Your vote to concede the game to {0} lapses: this file has no 'vote:'.", to)
    return says("Your vote for a draw lapses: this file has no 'vote:'.")
