"""The GM's settings of a game, and its players with their addresses."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from gm.core.diagnostics import invisible, says
from gm.core.orders.keys import make_key, short_key
from gm.core.values import Natural, Value, check_fields, check_whole
from gm.store.deadlines import Deadline
from gm.store.formats import Format
from gm.store.hooks import Hook
from gm.store.moments import time_zone
from gm.store.press import PressRule
from gm.text.languages import SHARED, languages_of

SETTINGS = Format("game settings file", 1)
PLAYERS = Format("list of players", 1)
PROGRAM = "program:"  # before the command of a bot that is a program of its own
STANDSTILL = "standstill"  # nobody acts for a seat that was given up
NAME_LIMIT = 200  # characters, the most that a player's name may have
_LENGTH = 254  # characters, the most that an e-mail address may have
_LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}\Z")
_DOMAIN = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?\Z")


def checked_address(text: str) -> str:
    """Return the e-mail address in a text, with its domain in lower case and in IDNA's form.

    Raises ``ValueError`` for any other text.
    """
    address = text.strip()
    local, at_sign, domain = address.rpartition("@")
    if len(address) > _LENGTH:
        raise ValueError(
            says("an e-mail address has at most {0} characters; this one begins {1!r}", _LENGTH, address[:40])
        )
    if "@" in local:
        raise ValueError(says("{0!r} has more than one e-mail address: give each separately", address))
    if not at_sign or not local or not domain:
        raise ValueError(says("{0!r} is not an e-mail address; write it like anna@example.org", address))
    if not _LOCAL.match(local):
        raise ValueError(
            says(
                "{0!r} is not an e-mail address: before the @ it needs plain letters, without spaces", address
            )
        )
    server = domain.lower()
    if not domain.isascii():
        import idna

        try:
            server = idna.encode(domain, uts46=True).decode("ascii").lower()
        except idna.IDNAError as error:
            raise ValueError(says("{0!r} is not an e-mail address: {1}", address, error)) from None
    if not _DOMAIN.match(server) or not all(0 < len(label) <= 63 for label in server.split(".")):
        raise ValueError(
            says("{0!r} is not an e-mail address: after the @ it needs the name of a server", address)
        )
    return f"{local}@{server}"


def checked_addresses(texts: Iterable[str]) -> tuple[str, ...]:
    """Return mail addresses, each once. Raises ``ValueError`` for one that is malformed."""
    return tuple(dict.fromkeys(checked_address(text) for text in texts))


def checked_name(text: str) -> str:
    """Return a player's name unchanged.

    Raises ``ValueError`` for one that is too long or has invisible characters.
    """
    if len(text) > NAME_LIMIT:
        raise ValueError(
            says("a player's name has at most {0} characters, this one {1}", NAME_LIMIT, len(text))
        )
    if invisible(text):
        raise ValueError(says("the player's name contains an invisible character"))
    return text


class SiteRule(Value):
    """Optional parts of the public site (``site:`` in ``game.yaml``)."""

    missing: bool = False  # whether it names the parties whose orders are missing
    names: bool = False  # whether the hall of fame names the players, once the game is over


class Settings(Value):
    """The settings of a game (``game.yaml``)."""

    id: str  # the game's name in order files
    game: str  # the name of the rules
    map: str
    seed: str  # the master secret of the dice
    deadline: Deadline
    late: str = "take"  # a file after the deadline: ``take`` it (and mark it), or ``refuse`` it (O1)
    keys: bool = True  # whether an order file must prove its sender by a key
    short_keys: bool = False  # keys that can be guessed, for files that are handed over in person
    # by the turn from which it counts: another master secret, because the one before became known
    renewed: Mapping[int, str] = {}
    press: PressRule = PressRule()  # letters between players
    site: SiteRule = SiteRule()  # what 'pbem publish' tells
    open: bool = False  # whether strangers may join by letter
    missed: Natural = 0  # a seat opens after so many turns in a row without orders; 0: never
    # who plays it then: a bot, a controller of the game (``local forces``), or nobody (``standstill``)
    policy: str = STANDSTILL
    hooks: tuple[Hook, ...] = ()
    language: str = ""  # the game master's: of their letters, summary and commands; empty: English
    # how many of the newest turns stay folders; older ones are packed. 0: none is; None: see gm.store.turns
    keep_unpacked: Natural | None = None

    @check_fields("hooks")
    @staticmethod
    def _named_apart(hooks: tuple[Hook, ...]) -> tuple[Hook, ...]:
        """Return the hooks unchanged. Raises ``ValueError`` if two have the same name."""
        if len({hook.name for hook in hooks}) < len(hooks):
            raise ValueError(says("two hooks have the same name"))
        return hooks

    @check_fields("language")
    @staticmethod
    def _language(code: str) -> str:
        known = languages_of(SHARED)
        if code and code not in known:
            raise ValueError(says("{0!r} is none of the languages {1}", code, ", ".join(known)))
        return code

    @check_fields("late")
    @staticmethod
    def _late(text: str) -> str:
        if text not in ("take", "refuse"):
            raise ValueError(says("'late' is either take or refuse, not {0!r}", text))
        return text

    def master(self, turn: int) -> str:
        """Return the master secret of a turn's dice."""
        latest = max((first for first in self.renewed if first <= turn), default=None)
        return self.seed if latest is None else self.renewed[latest]


class Entrant(Value):
    """A player of a new game."""

    realm: str = ""  # empty until it is drawn
    name: str = ""
    email: Any = ""  # one address as text, or several: letters go to each, and the player may write from any
    language: str = ""  # of the player's reports, e.g. ``de``; empty: English

    _name = check_fields("name")(staticmethod(checked_name))

    @check_fields("email")
    @staticmethod
    def _email(value: Any) -> Any:
        """Return one address as text, several as a tuple; an empty text for none.

        Raises ``ValueError`` for anything that is not an address or a list of them.
        """
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
            raise ValueError(
                says("an address is written like anna@example.org, and several as a list: [one, another]")
            )
        addresses = checked_addresses(text for text in texts if text.strip())
        return addresses if len(addresses) > 1 else "".join(addresses)


class Entrants(Value):
    """A GM's list of players for a new game."""

    players: tuple[Entrant, ...]


def bot_label(name: str) -> str:
    """Return a bot's name as a turn's record has it: of a program only the file name of its command.

    The folder and the arguments are private to the GM.
    """
    if not name.startswith(PROGRAM):
        return name
    words = name.removeprefix(PROGRAM).split()
    return PROGRAM + (words[0].replace("\\", "/").rpartition("/")[2] if words else "")


class Tenure(Value):
    """The time in which a former player or bot had a seat."""

    name: str = ""  # the player's
    bot: str = ""  # the bot's name, if it was one
    first: int  # turn
    last: int  # turn


class Player(Entrant):
    """The player of a realm, and the realm's seat as the game master has set it."""

    realm: str
    zone: str = ""  # the time zone of deadlines in letters; empty: the game's
    secret: str = ""  # from which a key for each turn is made
    key: str = ""  # the key of all turns; empty: each turn has its own
    status: str | None = None  # set before turn ``since`` (V2); None: as the game has it
    controller: str | None = None  # the same (V3)
    since: int | None = None  # None: status and controller are set before every turn
    seated: int = 1  # the first turn for which the player gives orders
    bot: str = ""  # that plays instead: its name, ``module:Class``, or ``program:COMMAND``
    absent_until: int | None = None  # the last turn of an absence, in which nobody waits for their orders
    absent_since: int | None = None  # the player's own orders from this turn on end the absence
    deputy: str = ""  # the bot that gives orders in an absence, if no orders of the player's own hold
    open: bool = False  # whether anybody may join and play the realm
    tenure: tuple[Tenure, ...] = ()  # of former holders

    @property
    def addresses(self) -> tuple[str, ...]:
        """The player's mail addresses; the first is the one that other players may learn."""
        return tuple(filter(None, [self.email] if isinstance(self.email, str) else self.email))

    @property
    def address(self) -> str:
        return next(iter(self.addresses), "")

    # returns the zone unchanged, or raises ``ValueError``
    _zone = check_fields("zone")(staticmethod(lambda text: text and time_zone(text) and text))

    @check_whole
    def _provable(self) -> None:
        if not self.secret and not self.key:
            raise ValueError(
                says("realm {0} needs a 'secret', from which each turn's key is made", self.realm)
            )

    def key_for(self, turn: int, *, short: bool = False) -> str:
        """Return the key of the realm's order file for a turn; ``short``: in the form of earlier versions.

        A player with a ``key`` of their own has it in every turn and form.
        """
        if self.key:
            return self.key
        if short:
            return short_key(self.secret, self.realm, turn)
        return make_key(self.secret, self.realm, turn)


class Players(Value):
    """``players.yaml``, in the order of the file."""

    players: tuple[Player, ...]

    @check_fields("players")
    @staticmethod
    def _distinct(players: tuple[Player, ...]) -> tuple[Player, ...]:
        """Return the players unchanged. Raises ``ValueError`` if a realm, a key or a secret appears twice."""
        for realm, times in Counter(player.realm for player in players).items():
            if times > 1:
                raise ValueError(says("realm {0} appears twice", realm))
        if len({player.key or player.secret for player in players}) < len(players):
            raise ValueError(says("two realms have the same key or secret"))
        return players

    def of(self, realm: str) -> Player | None:
        return next((player for player in self.players if player.realm == realm), None)

    def standings(self, turn: int) -> dict[str, tuple[str | None, str | None]]:
        """Return (status, controller) by realm, as the GM has set them before a turn; None: not set.

        A setting without ``since`` holds before every turn.
        """
        return {
            player.realm: (player.status, player.controller)
            for player in self.players
            if player.since in (None, turn)
        }
