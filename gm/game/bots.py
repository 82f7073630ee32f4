"""How bots are asked for orders: they get a view of the position, and write an order file like a person."""

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
# Returns the bot of a name. Raises ``ValueError``, with the nearest name, if there is none
FindBot = Callable[[str], Bot]


class BotError(Exception):
    """A bot cannot play this turn; the text says why, for the GM. Bots that come with pbem never raise it."""


class Answer(Record):
    """A bot's answer."""

    data: bytes = b""  # its order file; empty if it wrote none
    reading: OrderFile | None = None  # the file as it was read; None if it cannot be used
    trouble: str = ""  # why there is no ``reading``


class BaseBot(Record):
    """A bot of a small game."""

    name: str
    about: str  # how it plays, in a sentence
    lines: Callable[[View], Sequence[str]]  # returns the lines of its file below the head

    def orders(self, view: View) -> bytes:
        """Return the bot's order file."""
        head = {"game": view.game, "turn": view.state.quoted, "player": view.realm.lower(), "key": view.key}
        lines = (
            f"{word}: {yaml_text(value) if isinstance(value, str) else value}" for word, value in head.items()
        )
        return "\n".join([*lines, *self.lines(view), ""]).encode()


def bots_by_name(spec: GameSpec[Any]) -> dict[str, Bot]:
    """Return all bots that come with a game, by name; those that need more time come last."""
    return {**spec.bots, **spec.thinkers}


TROUBLE_SHOWN = 300  # So many characters of what went wrong with a bot are shown


def bot_seed(master: str, game: str, turn: int, realm: str) -> str:
    """Return the seed of a bot's own dice. ``master``: the game's secret; ``game``: its id.

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

    ``game``: the game's id; ``key``: for the bot's order file; ``seed``: from :func:`bot_seed`, or any text;
    ``talk``: of all parties, of which the view has what the bot may know.
    """
    visible_state = spec.seen(table, state, realm)
    turn = state.turn + 1
    # of the empty default nothing has to be left out
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
    """Return a bot's answer to a view: its order file, as it was read for this position.

    Raises nothing: no bot can stop a turn (O7). If it fails, or its file cannot be read, the answer says so
    in ``trouble``.
    """
    try:
        data = bot.orders(view)
        if not isinstance(data, bytes):
            raise BotError(f"it answered with {type(data).__name__} instead of bytes")
    except Exception as error:
        trouble = str(error) if isinstance(error, BotError) else f"{type(error).__name__}: {error}"
        return Answer(trouble=_on_one_line(trouble))
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
    return Answer(
        data, trouble=_on_one_line(f"its answer cannot be read: {next(errors, 'it is no order file')}")
    )


def _on_one_line(text: str) -> str:
    """Return a text on one line, printable, and cut off if it is long."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(printable.split())[:TROUBLE_SHOWN]
