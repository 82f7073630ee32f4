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
_LENGTH = 254
_LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}\Z")
_DOMAIN = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?\Z")


def checked_address(text: str) -> str:
    """Return an address that can be compared and used, its domain in lower case, by IDNA if necessary.

    Raises ``ValueError``.
    """
    address = text.strip()
    local, at, domain = address.rpartition("@")
    if len(address) > _LENGTH:
        raise ValueError(
            says("an e-mail address has at most {0} characters; this one begins {1!r}", _LENGTH, address[:40])
        )
    if "@" in local:
        raise ValueError(says("{0!r} has more than one e-mail address: give each separately", address))
    if not at or not local or not domain:
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
    """Return a player's name. Raises ``ValueError`` for one that is too long or has invisible characters."""
    if len(text) > NAME_LIMIT:
        raise ValueError(
            says("a player's name has at most {0} characters, this one {1}", NAME_LIMIT, len(text))
        )
    if invisible(text):
        raise ValueError(says("the player's name contains an invisible character"))
    return text


class SiteRule(Value):
    """Optional parts of the public site (``site:`` in ``game.yaml``).

    These are the parties with ``missing`` orders, and the ``names`` of the players, once the game is over, in
    the hall of fame.
    """

    missing: bool = False
    names: bool = False


class Settings(Value):
    """``game.yaml``.

    ``id``: the game's name in order files; ``seed`` of its dice; ``late``: whether to ``take`` a file after
    the deadline (and mark it) or ``refuse`` it (O1); ``keys``: whether an order file must prove its sender by
    a key; ``short_keys``: keys that can be guessed, for files that are handed over in person; ``renewed``:
    from which turns on the dice follow from another master secret, because the one before was known;
    ``open``: strangers may join by letter; after ``missed`` turns in a row without orders (0: never) a seat
    is given up, and by the ``policy`` a bot of the game plays it, one of its controllers (``local forces``)
    does, or nobody (``standstill``); ``hooks``: notified channels; ``keep_unpacked``: how many of the newest
    turns stay folders, each older one is packed into a file (0: none is).
    """

    id: str
    game: str
    map: str
    seed: str
    deadline: Deadline
    late: str = "take"
    keys: bool = True
    short_keys: bool = False
    renewed: Mapping[int, str] = {}
    press: PressRule = PressRule()  # letters between players
    site: SiteRule = SiteRule()  # what 'pbem publish' tells
    open: bool = False
    missed: Natural = 0
    policy: str = STANDSTILL
    hooks: tuple[Hook, ...] = ()
    language: str = ""  # the game master's: of their letters, summary and commands; empty: English
    keep_unpacked: Natural | None = None  # how many turns stay folders; none: as gm.store.turns says

    @check_fields("hooks")
    @staticmethod
    def _named_apart(hooks: tuple[Hook, ...]) -> tuple[Hook, ...]:
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
        latest = max((first for first in self.renewed if first <= turn), default=None)
        return self.seed if latest is None else self.renewed[latest]


class Entrant(Value):
    """A player of a new game.

    ``realm``: empty until it is drawn; ``email``: one address, or a list: letters go to each, and they may
    write from any; ``language`` of their reports, e.g. ``de``; empty: English.
    """

    realm: str = ""
    name: str = ""
    email: Any = ""
    language: str = ""

    _name = check_fields("name")(staticmethod(checked_name))

    @check_fields("email")
    @staticmethod
    def _email(value: Any) -> Any:
        """Return one address as text, several as a tuple. Raises ``ValueError`` for anything else."""
        several = [value] if isinstance(value, str) else value
        if not isinstance(several, list | tuple) or not all(isinstance(address, str) for address in several):
            raise ValueError(
                says("an address is written like anna@example.org, and several as a list: [one, another]")
            )
        addresses = checked_addresses(address for address in several if address.strip())
        return addresses if len(addresses) > 1 else "".join(addresses)


class Entrants(Value):
    """A GM's list of players for a new game."""

    players: tuple[Entrant, ...]


def bot_label(name: str) -> str:
    """Return a bot's name in a turn's record; of a program only the command's first word.

    The other words are private to the GM.
    """
    if not name.startswith(PROGRAM):
        return name
    words = name.removeprefix(PROGRAM).split()
    return PROGRAM + (words[0].replace("\\", "/").rpartition("/")[2] if words else "")


class Tenure(Value):
    """A former holder of a seat, with first and last turn: a player by name, or a bot."""

    name: str = ""
    bot: str = ""
    first: int
    last: int


class Player(Entrant):
    """The player of a realm.

    ``zone``: that of deadlines in letters; empty: the game's. ``secret`` makes a key for each turn; ``key``,
    if set, is that of all turns. ``status`` and ``controller`` (None: as the game has it) are set before turn
    ``since`` alone, or before every turn (V2, V3). ``seated``: the first turn for which they give orders.
    ``bot``: the program that plays in their place: a bot's name, ``module:Class``, or ``program:COMMAND``.
    ``absent_until``: they are away up to and including this turn: without reminders, and nobody waits for
    them; ``absent_since``: orders of their own from that turn on end it; ``deputy``: the bot that orders
    meanwhile, if no own orders hold. ``open``: anybody may join and play it; ``tenure``: the former holders.
    """

    realm: str
    zone: str = ""
    secret: str = ""
    key: str = ""
    status: str | None = None
    controller: str | None = None
    since: int | None = None
    seated: int = 1
    bot: str = ""
    absent_until: int | None = None
    absent_since: int | None = None
    deputy: str = ""
    open: bool = False
    tenure: tuple[Tenure, ...] = ()

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses for mail; the first is the one that other players may learn."""
        return tuple(filter(None, [self.email] if isinstance(self.email, str) else self.email))

    @property
    def address(self) -> str:
        return next(iter(self.addresses), "")

    _zone = check_fields("zone")(staticmethod(lambda text: text and time_zone(text) and text))

    @check_whole
    def _provable(self) -> None:
        if not self.secret and not self.key:
            raise ValueError(
                says("realm {0} needs a 'secret', from which each turn's key is made", self.realm)
            )

    def key_for(self, turn: int, *, short: bool = False) -> str:
        """Return the key of the realm's order file for a turn.

        ``short``: as an earlier version announced it.
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
        """Return the players. Raises ``ValueError`` if a realm, a key or a secret appears twice."""
        for realm, times in Counter(player.realm for player in players).items():
            if times > 1:
                raise ValueError(says("realm {0} appears twice", realm))
        if len({player.key or player.secret for player in players}) < len(players):
            raise ValueError(says("two realms have the same key or secret"))
        return players

    def of(self, realm: str) -> Player | None:
        return next((player for player in self.players if player.realm == realm), None)

    def standings(self, turn: int) -> dict[str, tuple[str | None, str | None]]:
        """Return each realm's status and controller that the GM has set for a turn."""
        return {
            player.realm: (player.status, player.controller)
            for player in self.players
            if player.since in (None, turn)
        }
