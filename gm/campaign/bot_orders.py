"""Orders of bots for a turn, for the parties that they play or act for.

A bot sees the position and no order file; its answer is part of the turn's dice (N3). It recalls what logs,
records and letters of earlier turns tell (:mod:`gm.game.talk`).
"""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from gm.campaign.open import Campaign
from gm.core.diagnostics import says
from gm.core.orders.press import ANONYMOUS, SIGNED
from gm.game.bots import Answer, BotError, FindBot, ask, bot_seed, bot_view
from gm.game.talk import Dealing, Recall, Talk, TalkLetter
from gm.game.values import View
from gm.store import BrokenFolderError
from gm.store.folder import LOG_FILE
from gm.store.formats import read_lines
from gm.store.inbox import Decisions, decisions_of
from gm.store.press import PRESS_FILE, read_press


def answers_of(
    campaign: Campaign, bot_names: Mapping[str, str], decisions: Decisions, find: FindBot
) -> dict[str, Answer]:
    """Ask bots for orders and return their answers, by party.

    ``bot_names``: by party; ``decisions``: the GM's for the next turn; ``find`` returns a bot by its name.
    Raises ``StoreError`` for a damaged log of an earlier turn; an error of a bot is part of its answer.
    """
    talk = talk_before(campaign, campaign.next_turn, decisions, campaign.state)
    return {realm: _answer(campaign, realm, name, find, talk) for realm, name in bot_names.items()}


def bots_to_ask(campaign: Campaign) -> dict[str, str]:
    """Return the name of the bot of each party that a bot plays and that may give orders now, by party."""
    return {seat.code: seat.bot for seat in campaign.seats if seat.bot and not seat.out and not seat.waiting}


def view_of_bot(campaign: Campaign, realm: str, talk: Talk) -> View:
    """Return what the bot of a party is shown before the next turn, none of the orders in the inbox (N3).

    ``talk``: what the game's bots recall of earlier turns.
    """
    settings = campaign.folder.settings
    turn = campaign.next_turn
    seed = bot_seed(settings.master(turn), settings.id, turn, realm)
    context = {"game": settings.id, "key": campaign.keys.get(realm, ""), "seed": seed}
    return bot_view(campaign.spec, campaign.table, campaign.state, realm, **context, talk=talk)


def _answer(campaign: Campaign, realm: str, name: str, find: FindBot, talk: Talk) -> Answer:
    """Return the answer of the bot called ``name`` for a party; its trouble if there is no such bot."""
    try:
        bot = find(name)
    except (ValueError, BotError) as error:
        return Answer(trouble=str(error))
    return ask(campaign.spec, bot, view_of_bot(campaign, realm, talk))


def talk_before(campaign: Campaign, turn: int, decisions: Decisions, state: Any) -> Talk:
    """Return what the bots of a game recall before a turn from ``state`` with these ``decisions``.

    It is empty if the game's bots recall nothing.
    """
    recall = campaign.spec.recall
    if recall is None:
        return Talk()
    turns = range(max(1, turn - recall.turns), turn)
    dealings = tuple(chain.from_iterable(_dealings(campaign, played, recall) for played in turns))
    letters = tuple(chain.from_iterable(_letters(campaign, played) for played in turns))
    seats = (seat for seat in campaign.spec.seats(campaign.table, state) if seat.played and not seat.out)
    people = [seat.code for seat in seats if seat.code not in decisions.programs]
    readers = people if SIGNED in decisions.press else ()  # the letters of shipped bots are signed
    return Talk(dealings, letters, {code: decisions.languages.get(code, "") for code in readers})


def _dealings(campaign: Campaign, turn: int, recall: Recall) -> tuple[Dealing, ...]:
    """Return the dealings of the parties with each other in a played turn.

    Only lines of its log with one of ``recall.marks`` are decoded: a log has thousands of others. Raises
    ``BrokenFolderError`` for a log that cannot be read.
    """
    path = campaign.folder.turn_path(turn) / LOG_FILE
    try:
        text = path.read_text("utf-8")
        positions = chain.from_iterable(_positions(text, mark) for mark in recall.marks)
        line_starts = sorted({text.rfind("\n", 0, position) + 1 for position in positions})
        lines = [text[start : text.find("\n", start)] for start in line_starts]
        events = [campaign.spec.event(record) for record in read_lines("\n".join(lines), str(path))]
    except (OSError, ValueError) as error:
        raise BrokenFolderError(says("{0}: {1}", path, error)) from None
    return recall.dealings(turn, events)


def _positions(text: str, part: str) -> Iterator[int]:
    """Yield every position at which ``part`` begins in a text."""
    position = text.find(part)
    while position >= 0:
        yield position
        position = text.find(part, position + 1)


def _letters(campaign: Campaign, turn: int) -> Iterator[TalkLetter]:
    """Yield the letters of a turn to or from parties whose orders a bot wrote in it.

    People are left out of a letter's readers, unless a bot wrote it. Anonymous letters are left out: nobody
    can answer them.
    """
    letters = [
        letter for letter in read_press(campaign.folder.turn_path(turn) / PRESS_FILE) if letter.is_letter
    ]
    bots = decisions_of(campaign.record(turn)).bots if letters else {}
    for letter in letters:
        if not letter.readers or letter.kind == ANONYMOUS:
            continue
        if {letter.author, *letter.readers}.isdisjoint(bots):
            continue
        to = tuple(code for code in letter.readers if code in bots or letter.author in bots)
        is_private = len(letter.readers) == 1
        yield TalkLetter(letter.turn, letter.author, to, letter.text, is_private)
