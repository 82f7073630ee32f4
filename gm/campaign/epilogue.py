"""The page of a whole game that is over: orders, the figures over time, luck, the proof of the dice.

Orders are shown as they were read from their files: without comments, keys and the rest of the files' heads,
but with votes. A proclamation that the GM rejected is left out. The letters between players are shown if all
of them agree.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gm.campaign.open import Campaign
from gm.campaign.press import opened_letters
from gm.campaign.withdrawal import proof_of
from gm.core.diagnostics import SourceError
from gm.core.orders.header import HEADER_WORDS, PLAIN_WORDS
from gm.core.sealing import Proof
from gm.core.values import Record
from gm.core.yaml.source import Mapping as Table
from gm.core.yaml.source import Node, Scalar, Sequence, flow_text, read_tolerantly
from gm.game.base.press import all_press_html
from gm.store import BrokenFolderError
from gm.store.folder import TURN_FILE
from gm.store.inbox import Decisions, decisions_of
from gm.text.languages import ENGLISH, Translate, translator
from gm.text.pages import environment, ready_markup
from gm.text.words import turn_in_words

_HEAD_WORDS = frozenset((*HEADER_WORDS, *PLAIN_WORDS)) - {"vote"}
_LINE_LENGTH = 100  # characters; a longer entry is written on several lines


class PartyOrders(Record):
    """A party's orders of one turn."""

    name: str  # the party's
    text: str  # the lines of its orders
    bot: str = ""  # the bot that gave them, if one did
    since: int = 0  # the earlier turn for which repeated orders were given; 0: they were new


class PlayedTurn(Record):
    """One turn of a finished game."""

    number: int
    name: str
    land: Mapping[str, float]  # how many provinces (``spec.land``) each party had after it, by its name
    orders: tuple[PartyOrders, ...]
    missing: tuple[str, ...]  # the names of the parties without orders
    proof: Proof | None  # of its dice


def epilogue(campaign: Campaign, language: str = ENGLISH) -> str:
    """Return the epilogue page.

    Raises ``BrokenFolderError`` while the game goes on, when none of it may be shown.
    """
    spec = campaign.spec
    table = campaign.table
    winners = campaign.winners
    if winners is None:
        raise BrokenFolderError("The game is not over: everyone's orders stay secret until it is.")
    translate = translator(spec.key, language)
    state = campaign.snapshot
    names = {seat.code: translate(seat.name) for seat in spec.seats(table, state)}
    opened = opened_letters(campaign)  # (letters, number of those that stay closed)
    values: dict[str, Any] = {
        "title": spec.title,
        "game": campaign.folder.settings.id,
        "map": table.board.title,
        "winners": [names[code] for code in winners],
        "names": list(names.values()),
        "land": spec.land,
        "start": _land(campaign, 0, names),
        "turns": [_turn(campaign, number, names, translate) for number in range(1, campaign.newest_turn + 1)],
        "luck": spec.luck(state, campaign.tally(campaign.newest_turn), language),
        "letters": ready_markup(all_press_html(*opened, names, language)) if opened else "",
        "press": campaign.folder.settings.press.kinds,
    }
    return environment(spec.key, language).get_template("game/epilogue.html").render(values)


def _land(campaign: Campaign, turn: int, names: Mapping[str, str]) -> dict[str, float]:
    """Return how many provinces each party had after a turn, or what else ``spec.land`` counts, by its name.

    It is 0 for a party without figures. ``names``: the names of all parties, by code.
    """
    rows = campaign.spec.figures(campaign.table, campaign.state_after(turn))
    return {name: rows[code][campaign.spec.land] if code in rows else 0 for code, name in names.items()}


def _turn(campaign: Campaign, turn: int, names: Mapping[str, str], translate: Translate) -> PlayedTurn:
    """Return a played turn as the page shows it; ``names``: the names of all parties, by code."""
    record = campaign.folder.turn_record(turn)
    decisions = decisions_of(record)
    files = campaign.folder.orders(turn, names)
    orders = (
        _party_orders(code, name, files[code], decisions) for code, name in names.items() if code in files
    )
    return PlayedTurn(
        number=turn,
        name=turn_in_words(campaign.spec.played_name(campaign.state_after(turn)), translate),
        land=_land(campaign, turn, names),
        orders=tuple(orders),
        missing=tuple(names[code] for code in record.get("missing", ()) if code in names),
        proof=proof_of(record.get("proof"), TURN_FILE),
    )


def _party_orders(code: str, name: str, data: bytes, decisions: Decisions) -> PartyOrders:
    """Return the orders in a party's file, without what the GM rejected of them."""
    rejected = frozenset(what for realm, what in decisions.rejections if realm == code)
    since = decisions.repeated.get(code, 0)
    return PartyOrders(name, orders_in(data, rejected), decisions.bots.get(code, ""), since)


def orders_in(data: bytes, rejected: frozenset[str] = frozenset()) -> str:
    """Return the orders in a file as text, without its head and without entries called by ``rejected`` words.

    Empty for a file that cannot be read.
    """
    try:
        root, _ = read_tolerantly(data, "")
    except SourceError:
        return ""
    return "\n".join(_lines(root, rejected, ""))


def _lines(node: Node, hidden: frozenset[str], indent: str) -> Iterator[str]:
    """Yield the lines of a node in YAML, without entries called by ``hidden`` words.

    At the top of a file, where ``indent`` is empty, the head is left out, too.
    """
    if isinstance(node, Table):
        for key, value in node:
            if key.text not in (hidden if indent else hidden | _HEAD_WORDS):
                yield from _entry(f"{indent}{key.text}:", value, hidden, indent)
    elif isinstance(node, Sequence):
        for child in node:
            yield from _entry(f"{indent}-", child, hidden, indent)
    else:
        yield f"{indent}{flow_text(node)}"


def _entry(start: str, value: Node, hidden: frozenset[str], indent: str) -> Iterator[str]:
    """Yield the lines of one entry: a single one if it is short, none if nothing is left of it.

    ``start``: the beginning of its first line, e.g. ``move:`` behind the spaces ``indent``; ``hidden``: the
    words whose entries are left out of its value.
    """
    text = " ".join(flow_text(value).split())
    is_short = len(start) + len(text) < _LINE_LENGTH
    # on one line, unless an entry in it may have to be left out
    if isinstance(value, Scalar) or (is_short and not any(word in text for word in hidden)):
        if text not in ("", "{}", "[]"):
            yield f"{start} {text}"
        return
    lines = list(_lines(value, hidden, f"{indent}  "))
    if lines:
        yield start
        yield from lines
