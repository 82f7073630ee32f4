"""Hooks: programs and web addresses that are notified of a game's public news (``hooks:`` in ``game.yaml``).

Players' own channels, which they name by letter, are here, too.
"""

import re
import shlex
from typing import TypeVar

from gm.core.diagnostics import says
from gm.core.values import Value, check_fields, check_whole
from gm.store.trust import Command

TURN = "turn"
REMINDER = "reminder"
SEAT = "seat"
EVENTS = (TURN, REMINDER, SEAT)
HOOKS = "hooks"  # the folder, in that of a game's mail, with the outbox of notifications
# ``templates/mail/hooks.yaml`` describes the data of each
SERVICES = ("json", "discord", "slack", "ntfy")

_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}\Z")
_URL = re.compile(
    r"(?P<server>https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-5]?[0-9]{1,4})?)(?:[/?][!-~]*)?\Z"
)

T = TypeVar("T", str, tuple[str, ...])


def _one_of(known: tuple[str, ...], what: str, given: T) -> T:
    """Return a word, or several, unchanged.

    Raises ``ValueError`` for one that is not ``known``; ``what`` says in the message what it should be.
    """
    for word in [given] if isinstance(given, str) else given:
        if word not in known:
            raise ValueError(
                says("{0} is {1} or {2}, not {3!r}", what, ", ".join(known[:-1]), known[-1], word)
            )
    return given


class Hook(Value):
    """One hook, with either a ``url`` or a program to ``run``."""

    name: str
    events: tuple[str, ...] = EVENTS  # about which it is notified
    url: str = ""  # the web address to which notifications are sent
    service: str = SERVICES[0]  # which decides the form of the data that is sent there
    run: tuple[str, ...] = ()  # a program and its arguments; it gets the data of ``json`` on its input
    map: bool = False  # whether a picture of the map is sent, too
    language: str = ""  # of the texts, e.g. ``de``; empty: English

    _events = check_fields("events")(staticmethod(lambda names: _one_of(EVENTS, says("an event"), names)))
    _service = check_fields("service")(staticmethod(lambda names: _one_of(SERVICES, "a service", names)))

    @check_whole
    def _complete(self) -> None:
        """Raise ``ValueError`` for a hook with a wrong name, or without a proper ``url`` or ``run``."""
        # an address is as good as a password: no message shows it
        if not _NAME.match(self.name):
            raise ValueError(says("the name of a hook consists of letters, digits, - and _"))
        if bool(self.url) == bool(self.run):
            raise ValueError(says("hook {0} needs either a 'url' or a program to 'run'", self.name))
        if self.url and not _URL.match(self.url):
            raise ValueError(
                says(
                    "the url of hook {0} is to begin with http:// or https:// and a server's name", self.name
                )
            )

    @property
    def where(self) -> str:
        """The receiver, without secret parts of an address or of arguments."""
        match = _URL.match(self.url)
        return f"{match['server']}/…" if match else self.run[0]

    @property
    def command(self) -> Command:
        """The command that the GM of an imported game must confirm before the hook is notified."""
        does = says("sends news of the game to a web address") if self.url else says("runs a program")
        words = {"hook": self.name, "url": self.url, "service": self.service, "run": shlex.join(self.run)}
        words_with_text = {name: word for name, word in words.items() if word}
        return Command(says("game.yaml, hook {0}", self.name), does, words_with_text)


class Channel(Hook):
    """A web address at which a player is notified of the game besides by mail.

    Players name it by letter, so it may be any stranger's: no address of a private network is ever called.
    """

    realm: str  # the player's
    loopback: bool = False  # whether addresses of this machine are called all the same, for tests

    @property
    def command(self) -> Command:
        """The command to be confirmed: one for all channels of a game."""
        return Command(
            says("mail.yaml, channels"),
            says("sends news of the game to web addresses of players"),
            {"channels": "yes"},
        )
