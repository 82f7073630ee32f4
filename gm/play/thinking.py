"""The thinking of bots while people look at the page: their orders depend on their view alone.

A thought is the work of one bot on its orders, in another process. It is used only for a view that equals the
one with which it began: so the turn is the same, byte for byte, as if the bot had thought when it is played.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import count
from math import ceil
from multiprocessing import connection, get_context
from typing import Any

from gm.campaign.bot_orders import bots_to_ask, talk_before, view_of_bot
from gm.campaign.open import Campaign
from gm.core.diagnostics import said, says
from gm.core.values import Record
from gm.game.bots import FindBot, bots_by_name
from gm.game.spec import GameSpec
from gm.game.values import Bot, View
from gm.store import StoreError
from gm.text.languages import Translate
from gm.text.names import the
from gm.text.words import Said

COURTESY = 5  # the niceness of processes that think, so that the one that shows pages comes first
# what is raised for a view that cannot be sent
UNPACKABLE = (pickle.PicklingError, TypeError, AttributeError)
Clock = Callable[[], float]  # returns seconds
# returns a game by its key; a function at the top of a module, so that other processes find it by name
FindGame = Callable[[str], GameSpec[Any]]


class Thought(Record):
    """A bot's task in another process."""

    name: str  # the bot's
    view: View
    answer: Future[bytes]  # its order file


class Ahead:
    """The thoughts of the bots at a table, about the next turn.

    ``processes``: how many think at once; with none, bots think when they are asked. ``game``: finds, in
    another process, the game by its key; ``clock``: for estimates of the time that is left.
    """

    def __init__(self, processes: int, game: FindGame, clock: Clock) -> None:
        """Begin without thoughts and without processes."""
        self._processes = processes
        self._game = game
        self._clock = clock
        self._pool: Pool | None = None
        self._thoughts: Mapping[str, Thought] = {}  # by party
        self._began = 0.0  # when these thoughts began, by the clock
        self._newest = 0.0  # when the newest answer came, by the clock

    def begin(self, campaign: Campaign) -> None:
        """Begin to think about the next turn, unless that was begun, or no bot is slow."""
        names = bots_that_think(campaign) if self._processes else {}
        if not names:
            return
        with suppress(StoreError, OSError):  # a damaged log is told when the turn is played
            talk = talk_before(campaign, campaign.next_turn, campaign.decisions, campaign.state)
            self._begin_with(
                campaign.spec.key, names, {code: view_of_bot(campaign, code, talk) for code in names}
            )

    def _begin_with(self, game: str, names: Mapping[str, str], views: Mapping[str, View]) -> None:
        """Begin to think about these views, unless that was begun. ``names``: the bots, by party."""
        if self._are_begun(names, views):
            return
        self._give_up()
        with suppress(BrokenExecutor, *UNPACKABLE):
            packed = pickle.dumps(views, pickle.HIGHEST_PROTOCOL)
            self._pool = self._pool or Pool(self._processes, self._game)
            self._began = self._clock()
            submit = self._pool.submit
            self._thoughts = {
                code: Thought(name, views[code], submit(game, name, packed, code))
                for code, name in names.items()
            }
            for thought in self._thoughts.values():
                thought.answer.add_done_callback(self._note)
            return
        self.end()  # the views could not be sent: the bots think when they are asked

    def _note(self, answer: Future[bytes]) -> None:
        """Record the time of an answer; the executor calls this."""
        self._newest = self._clock()

    def _are_begun(self, names: Mapping[str, str], views: Mapping[str, View]) -> bool:
        """Return whether exactly the thoughts of these bots on these views were begun, and no process failed.

        ``names``, ``views``: the bots' names and what they see, by party.
        """
        thoughts = self._thoughts
        if any(thought.answer.cancelled() or _has_failed(thought.answer) for thought in thoughts.values()):
            return False
        return {code: (thought.name, thought.view) for code, thought in thoughts.items()} == {
            code: (name, views[code]) for code, name in names.items()
        }

    def _give_up(self) -> None:
        """Forget what all bots think of, and cancel what no process has begun."""
        for thought in self._thoughts.values():
            thought.answer.cancel()
        self._thoughts = {}

    def end(self) -> None:
        """End the processes, whatever their work."""
        self._give_up()
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def finding(self, find: FindBot) -> FindBot:
        """Return a function that finds the same bots as ``find``, but answers with their earlier thoughts."""
        return lambda name: Prepared(find(name), self)

    def answer(self, bot: Bot, view: View) -> bytes:
        """Return a bot's orders: from its earlier thoughts, or computed now."""
        thought = self._thoughts.get(view.realm)
        if thought is not None and thought.name == bot.name and thought.view == view:
            with suppress(Exception):  # the bot is asked again below, and raises what is wrong
                return thought.answer.result()
        return bot.orders(view)

    def time_left(self, translate: Translate) -> str:
        """Return in words how long the bots will still think, estimated by those that have answered.

        Empty before the first answer and after the last.
        """
        answers = [thought.answer for thought in tuple(self._thoughts.values())]
        finished_count = sum(answer.done() for answer in answers)
        unfinished_count = len(answers) - finished_count
        if not finished_count or not unfinished_count:
            return ""
        seconds_after_newest = (self._newest - self._began) / finished_count * unfinished_count
        seconds = max(1, ceil(seconds_after_newest - (self._clock() - self._newest)))
        return str(said(says("About {0:second} left.", Said(seconds)), translate))


class Prepared(Record):
    """A bot that answers with its earlier thoughts, or thinks now if it has none about the turn."""

    bot: Bot
    ahead: Ahead

    @property
    def name(self) -> str:
        """The bot's name."""
        return self.bot.name

    @property
    def about(self) -> str:
        """How the bot plays, in a sentence."""
        return self.bot.about

    def orders(self, view: View) -> bytes:
        """Return the order file that was prepared for the turn; without one the bot writes it now."""
        return self.ahead.answer(self.bot, view)


class Pool:
    """Processes for thinking.

    They end when this object is closed, and when the process that made it ends, however that happens.
    """

    def __init__(self, processes: int, game: FindGame) -> None:
        """Prepare this number of ``processes``; ``game``: finds, in each of them, the game by its key."""
        self._game = game
        context = get_context("spawn")  # not forked: a server has threads
        # the processes watch one end of a pipe; the other is closed here, or by the end of this process
        self._watched, self._held = context.Pipe(duplex=False)
        self._executor = ProcessPoolExecutor(processes, context, _begin_process, (self._watched,))

    def submit(self, game: str, name: str, packed: bytes, code: str) -> Future[bytes]:
        """Let a game's bot think about the view of party ``code``; return its answer to come.

        ``game``: the game's key; ``name``: the bot's; ``packed``: the views of all parties, pickled.
        """
        return self._executor.submit(_think, self._game, game, name, packed, code)

    def close(self) -> None:
        """End the processes."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._held.close()  # processes that still think end by this


def bots_that_think(campaign: Campaign) -> dict[str, str]:
    """Return the names of the next turn's bots, by party, if one of them is slow; else none.

    Bots that do not come with the game are left out: they may depend on this process, or on being asked once.
    """
    # a turn that was undone and keeps its orders asks no bots
    if campaign.winners is not None or campaign.kept:
        return {}
    spec = campaign.spec
    names = bots_to_ask(campaign)
    if not any(name in spec.thinkers for name in names.values()):
        return {}
    own_bots = bots_by_name(spec)
    return {code: name for code, name in names.items() if name in own_bots}


def _has_failed(answer: Future[Any]) -> bool:
    """Return whether there is no answer because the process died."""
    return answer.done() and isinstance(answer.exception(), BrokenExecutor)


def _begin_process(watched: connection.Connection) -> None:
    """Prepare a process that thinks; it calls this when it starts. ``watched``: a pipe (:class:`Pool`)."""
    # Ctrl-C in a terminal is for the server, which ends this one
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(COURTESY)
    threading.Thread(target=_end_with, args=(watched,), daemon=True).start()


def _end_with(watched: connection.Connection) -> None:
    """Wait until a pipe's other end is closed, because the server has ended or closed its pool; then end."""
    connection.wait([watched])
    os._exit(0)


def _think(find: FindGame, game: str, name: str, packed: bytes, code: str) -> bytes:
    """Return a bot's order file; a process that thinks calls this (:meth:`Pool.submit`)."""
    return bytes(bots_by_name(find(game))[name].orders(_unpacked(packed)[code]))


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> Mapping[str, View]:
    """Return the views of all parties, by code, that the server has pickled.

    The last are cached, because all the bots of a turn get the same bytes.
    """
    views: Mapping[str, View] = pickle.loads(packed)  # noqa: S301 - from the server itself
    return views


class Doing:
    """The present work of a table. Any thread may ask for it at any time."""

    def __init__(self, ahead: Ahead) -> None:
        self._ahead = ahead
        self._words = ""  # what is done now, without the time that is left
        self._translate: Translate | None = None  # for the time that is left, while bots think

    @property
    def words(self) -> str:
        """The work in words; empty without any."""
        translate = self._translate
        time_left = self._ahead.time_left(translate) if translate else ""
        return f"{self._words} {time_left}".strip()

    @contextmanager
    def telling(self, words: str, translate: Translate) -> Iterator[None]:
        """Show a text while the block runs."""
        self._words = str(said(words, translate))
        try:
            yield
        finally:
            self._words = ""

    @contextmanager
    def thinking(self, campaign: Campaign, find: FindBot, translate: Translate) -> Iterator[FindBot]:
        """Yield a function that finds the bots of a turn by name, and shows each while it thinks.

        It must be called for each of the turn's bots, in the order of their seats.
        """
        bot_of_party = bots_to_ask(campaign)
        parties = [the(seat.name) for seat in campaign.seats if seat.code in bot_of_party]
        numbers = count(1)

        def find_and_show(name: str) -> Bot:
            number = next(numbers)
            party = parties[number - 1] if number <= len(parties) else ""  # empty if it is called too often
            self._words = str(
                said(says("{0} thinks for {1}: {2} of {3}.", name, party, number, len(parties)), translate)
            )
            return self._ahead.finding(find)(name)

        self._translate = translate
        try:
            self._ahead.begin(campaign)
            yield find_and_show
        finally:
            self._translate = None
            self._words = ""
