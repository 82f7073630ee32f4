"""The thinking of bots while people look at the page: their orders depend on their view alone.

A thought is used only for a view that equals the one that it was begun with: the turn is the same, byte for
byte, as if the bot had thought when the turn is played.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import suppress
from functools import lru_cache
from math import ceil
from multiprocessing import connection, get_context
from typing import Any

from gm.campaign.bot_orders import bots_to_ask, view_of_bot
from gm.campaign.open import Campaign
from gm.campaign.talk import talk_before
from gm.core.diagnostics import said, says
from gm.core.values import Record
from gm.game.bots import FindBot, bots_by_name
from gm.game.spec import GameSpec
from gm.game.values import Bot, View
from gm.store import StoreError
from gm.text.languages import Translate
from gm.text.words import Said

COURTESY = 5  # how much processes that think give way to the one that shows pages
# what is raised for a view that cannot be sent
UNPACKABLE = (pickle.PicklingError, TypeError, AttributeError)
Clock = Callable[[], float]
# by its key; a function of a module, which other processes find by name
FindGame = Callable[[str], GameSpec[Any]]


class Thought(Record):
    """A bot's task in another process, and its coming answer."""

    name: str
    view: View
    answer: Future[bytes]


class Ahead:
    """The thoughts of the bots at a table, in processes; without any, bots think when they are asked.

    ``game``: finds games by name; ``clock``: returns seconds, for estimates of the time left.
    """

    def __init__(self, processes: int, game: FindGame, clock: Clock) -> None:
        """Begin without thoughts and without processes."""
        self._processes = processes
        self._game = game
        self._clock = clock
        self._pool: Pool | None = None
        self._thoughts: Mapping[str, Thought] = {}
        self._began = 0.0
        self._newest = 0.0  # when the newest thought was finished

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
        """Begin to think about these views, unless that was begun."""
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
        self.end()

    def _note(self, answer: Future[bytes]) -> None:
        """Record the time when a thought was finished."""
        self._newest = self._clock()

    def _are_begun(self, names: Mapping[str, str], views: Mapping[str, View]) -> bool:
        """Return whether exactly these thoughts were begun, by processes that live."""
        thoughts = self._thoughts
        if any(each.answer.cancelled() or _has_failed(each.answer) for each in thoughts.values()):
            return False
        return {code: (each.name, each.view) for code, each in thoughts.items()} == {
            code: (name, views[code]) for code, name in names.items()
        }

    def _give_up(self) -> None:
        """Cancel tasks that were not begun yet."""
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
        """Return a function that finds bots that answer with their earlier thoughts."""
        return lambda name: Prepared(find(name), self)

    def answer(self, bot: Bot, view: View) -> bytes:
        """Return a bot's orders: from its earlier thoughts, or computed now."""
        thought = self._thoughts.get(view.realm)
        if thought is not None and thought.name == bot.name and thought.view == view:
            with suppress(Exception):  # it is asked again here, and says itself what is wrong
                return thought.answer.result()
        return bot.orders(view)

    def time_left(self, translate: Translate) -> str:
        """Return in words how long the bots will still think, estimated by finished ones.

        Empty if unknown.
        """
        answers = [each.answer for each in tuple(self._thoughts.values())]
        finished = sum(answer.done() for answer in answers)
        answers_left = len(answers) - finished
        if not finished or not answers_left:
            return ""
        whole = (self._newest - self._began) / finished * answers_left
        seconds = max(1, ceil(whole - (self._clock() - self._newest)))
        return str(said(says("About {0:second} left.", Said(seconds)), translate))


class Prepared(Record):
    """A bot that answers with its earlier thoughts."""

    bot: Bot
    ahead: Ahead

    @property
    def name(self) -> str:
        """Its name."""
        return self.bot.name

    @property
    def about(self) -> str:
        """How it plays."""
        return self.bot.about

    def orders(self, view: View) -> bytes:
        """Return the order file that was prepared for the turn."""
        return self.ahead.answer(self.bot, view)


class Pool:
    """Processes for thinking.

    They end with this object, and with the process that made it, however that ends.
    """

    def __init__(self, processes: int, game: FindGame) -> None:
        self._game = game
        context = get_context("spawn")  # not forked: a server has threads
        self._watched, self._held = context.Pipe(duplex=False)  # its other end closes when this process ends
        self._executor = ProcessPoolExecutor(processes, context, _begin_process, (self._watched,))

    def submit(self, game: str, name: str, packed: bytes, code: str) -> Future[bytes]:
        """Let a game's bot think about the view of party ``code``, from the ``packed`` views."""
        return self._executor.submit(_think, self._game, game, name, packed, code)

    def close(self) -> None:
        """End the processes."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._held.close()


def bots_that_think(campaign: Campaign) -> dict[str, str]:
    """Return the bots of the next turn, by party, if one of them is slow.

    Bots of others think when they are asked: they may depend on this process, or on being asked once.
    """
    if campaign.winners is not None or campaign.kept:
        return {}
    spec = campaign.spec
    names = bots_to_ask(campaign)
    if not any(name in spec.thinkers for name in names.values()):
        return {}
    own_bots = bots_by_name(spec)
    return {code: name for code, name in names.items() if name in own_bots}


def _has_failed(answer: Future[Any]) -> bool:
    """Return whether its process died."""
    return answer.done() and isinstance(answer.exception(), BrokenExecutor)


def _begin_process(watched: connection.Connection) -> None:
    """Prepare a process that thinks."""
    # Ctrl-C in a terminal is for the server, which ends this one
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(COURTESY)
    threading.Thread(target=_end_with, args=(watched,), daemon=True).start()


def _end_with(watched: connection.Connection) -> None:
    """End this process when a pipe's other end closes: the server has ended, or wants no more thoughts."""
    connection.wait([watched])
    os._exit(0)


def _think(find: FindGame, game: str, name: str, packed: bytes, code: str) -> bytes:
    """Return the orders of a game's bot, as plain bytes."""
    return bytes(bots_by_name(find(game))[name].orders(_unpacked(packed)[code]))


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> Mapping[str, View]:
    """Return the views that the server has packed, which share their map."""
    views: Mapping[str, View] = pickle.loads(packed)  # noqa: S301 - from the server itself
    return views
