"""What a player is told of a turn on trial besides the outcomes of orders.

These are its conflicts, bumps, captures, supply, marks and PopCap, and the structures that others could enter
with more strength than is there.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from gm.core.pipeline import Outcome
from gm.core.values import Event
from gm.game.answers import Explanation
from gm.game.values import GameData
from gm.games.conquest_structures.events import PopCapCounted, SetOut, UnitsBuilt
from gm.games.conquest_structures.rules import Board, Rules
from gm.games.conquest_structures.state import NEUTRAL, Conquest, strength
from gm.text.words import EventFormatter

KNOWN = (PopCapCounted, SetOut, UnitsBuilt)  # Events that the player has ordered, and so knows of
MOST_SENTENCES = 30  # The most sentences about events of a trial


def course(
    table: GameData, before: Conquest, outcome: Outcome[Conquest], code: str, formatter: EventFormatter
) -> Iterator[Explanation]:
    """Yield what the player ``code`` is told of a turn on trial, sentence by sentence.

    ``before``: the position before the turn; ``outcome``: that of the trial.
    """
    board = table.board
    rules = table.rules
    after = outcome.state
    yield from islice(_news(outcome.events, code, formatter), MOST_SENTENCES)
    held, structures = after.standing(code, board, rules)
    allowed, used, free = after.capacity(code, rules)
    figures = {"held": held, "structures": structures, "allowed": allowed, "used": used, "free": free}
    pattern = (
        "Afterwards: {held:city or home|cities and homes}, {structures:structure}; PopCap {used} of "
        "{allowed}, {free} free for building next turn."
    )
    yield Explanation(formatter.phrase(pattern, **figures), "CS-7.2")
    yield from _dangers(board, rules, before, after, code, formatter)


def _news(events: Iterable[Event], code: str, formatter: EventFormatter) -> Iterator[Explanation]:
    """Yield a sentence about each event that concerns a player and that they do not know of."""
    for event in events:
        if isinstance(event, KNOWN) or not _concerns(event, code) or event.kind not in formatter.sentences:
            continue
        sentence = formatter.format_event(event)
        if sentence:
            yield Explanation(sentence, str(getattr(event, "clause", "")))


def _concerns(event: Event, code: str) -> bool:
    """Return whether a player may know of an event that is about their things, or about the game's end."""
    if event.kind in ("Won", "Drawn"):
        return True
    parties = [getattr(event, "owner", ""), getattr(event, "formerly", ""), *getattr(event, "strengths", ())]
    return event.visible_to(code) and code in parties


def _dangers(
    board: Board, rules: Rules, before: Conquest, after: Conquest, code: str, formatter: EventFormatter
) -> Iterator[Explanation]:
    """Yield a sentence for each own structure and each stronger enemy that could enter it this turn (CS-9.4).

    If there is one, a sentence about ``assume`` follows, with which the danger can be tried. Enemies count
    with the units that are beside the structure ``before`` the turn, against the player's in it ``after`` the
    trial; each alone, since two of them would obstruct each other.
    """
    dangers = []  # the figures of each sentence
    for place in after.owned_by(code):
        stands = strength((unit for unit in after.at(place) if unit.owner == code), rules)
        for other in before.living:
            if other in (code, NEUTRAL):
                continue
            comes = _strength_beside(board, rules, before, place, other)
            if comes > stands:
                dangers.append(
                    {"place": place, "stands": stands, "other": formatter.called(other), "comes": comes}
                )
    for danger in dangers:
        yield Explanation(
            formatter.phrase("{other} could enter {place} with {comes} against {stands}.", **danger),
            "CS-9.4",
            1,
        )
    if dangers:
        text = formatter.phrase(
            "Write what you expect under 'assume' in your file, and it is tried too; no turn reads it."
        )
        yield Explanation(text, "", 1)


def _strength_beside(board: Board, rules: Rules, state: Conquest, place: str, code: str) -> int:
    """Return the strength with which a party's units next door could enter a structure."""
    beside = chain.from_iterable(map(state.at, board.neighbours(place)))
    return strength((unit for unit in beside if unit.owner == code and not unit.immobile(rules)), rules)
