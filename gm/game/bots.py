"""Ask bots for orders: make their view of the position, and read their order file like a person's."""

import hmac
from collections.abc import Callable, Sequence
from typing import Any

from gm.core.orders.header import Expected
from gm.core.values import Record
from gm.game.spec import GameSpec
from gm.game.talk import Talk
from gm.game.values import Bot, GameData, OrderFile, View
from gm.text.layout import yaml_text

STEWARD = "steward"  # The name of a bot that acts for a player who is away
# From its name in the players' list. Raises ``ValueError``, with the nearest name
FindBot = Callable[[str], Bot]


class BotError(Exception):
    """A bot cannot play this turn; the text says why, for the GM. Only programs of others raise it."""


class Answer(Record):
    """A bot's answer. ``trouble``: why there is no ``reading``; ``data`` is empty without any answer."""

    data: bytes = b""
    reading: OrderFile | None = None
    trouble: str = ""


class BaseBot(Record):
    """A bot of a small game. ``lines`` returns the lines of its file below the head."""

    name: str
    about: str
    lines: Callable[[View], Sequence[str]]

    def orders(self, view: View) -> bytes:
        """Return the bot's order file."""
        head = {"game": view.game, "turn": view.state.quoted, "player": view.realm.lower(), "key": view.key}
        lines = (
            f"{word}: {yaml_text(value) if isinstance(value, str) else value}" for word, value in head.items()
        )
        return "\n".join([*lines, *self.lines(view), ""]).encode()


def bots_by_name(spec: GameSpec[Any]) -> dict[str, Bot]:
    """Return all bots that come with a game; those that need more time come last."""
    return {**spec.bots, **spec.thinkers}


TROUBLE_SHOWN = 300  # So many characters of what went wrong with a bot are told


def bot_seed(master: str, game: str, turn: int, realm: str) -> str:
    """Return the seed of a bot's own dice.

    It differs for each game, turn and party, and reveals nothing of the turn's dice.
    """
    return hmac.digest(master.encode(), f"bot\n{game}\n{turn}\n{realm}".encode(), "sha256").hex()


NO_TALK = Talk()


def bot_view(
    spec: GameSpec[Any],
    table: GameData,
    state: Any,
    realm: str,
    *,
    game: str,
    key: str,
    seed: str,
    talk: Talk = NO_TALK,
) -> View:
    """Return the view of the bot of ``realm`` before the next turn.

    ``seed``: from :func:`bot_seed`, or any text; ``talk``: of all parties, of which the view has only the
    bot's part.
    """
    visible_state = spec.seen(table, state, realm)
    turn = state.turn + 1
    talk_of_realm = talk.known_to(realm) if talk is not NO_TALK else talk
    return View(
        game=game,
        realm=realm,
        turn=turn,
        key=key,
        seed=seed,
        table=table,
        state=visible_state,
        talk=talk_of_realm,
    )


def ask(spec: GameSpec[Any], bot: Bot, view: View) -> Answer:
    """Return a bot's orders, read against the view that it got.

    Raises nothing: no bot can stop a turn (O7).
    """
    try:
        data = bot.orders(view)
        if not isinstance(data, bytes):
            raise BotError(f"it answered with {type(data).__name__} instead of bytes")
    except Exception as error:
        trouble = str(error) if isinstance(error, BotError) else f"{type(error).__name__}: {error}"
        return Answer(trouble=_line(trouble))
    expected = Expected(game=view.game, realm=view.realm, key=view.key)
    reading = spec.read_orders(view.table, view.state, data, f"{view.realm}.yaml", **expected).evolve(
        data=data
    )
    if reading.sheet is not None:
        return Answer(data, reading)
    errors = (
        f"line {diagnostic.line}: {diagnostic.message}"
        for diagnostic in reading.diagnostics
        if diagnostic.is_error
    )
    return Answer(data, trouble=_line(f"its answer cannot be read: {next(errors, 'it is no order file')}"))


def _line(text: str) -> str:
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())[
        :TROUBLE_SHOWN
    ]
