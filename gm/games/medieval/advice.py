"""Why orders are advised: each in the words of the order writer, with the reason that its kind has."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from gm.core.yaml.models import load_data
from gm.game.answers import Advice, TriedOrder
from gm.game.values import GameData
from gm.games.medieval.state import INDEPENDENTS, World
from gm.resources import resource
from gm.text.languages import Translate

WAYS = ("march", "sail")


@cache
def _titles() -> Mapping[str, str]:
    found: dict[str, str] = load_data(resource("templates", "medieval", "titles.yaml"))[0]
    return found


@cache
def reasons() -> Mapping[str, str]:
    """Return what is said of each kind of order."""
    found: dict[str, str] = load_data(resource("templates", "medieval", "advice.yaml"))[0]
    return found


def advice(
    spec: Any, table: GameData, state: World, party: str, sheet: Any, orders: Sequence[TriedOrder], say: Translate
) -> Iterator[Advice]:
    """Yield each order in words, with its reason."""
    names = {seat.code: say(seat.name) for seat in spec.seats(table, state)}
    for order in orders:
        subject, _, text = order.order.partition(": ")
        what = " ".join(names.get(word, word) for word in text.split(" "))
        head, _, word = subject.rpartition(" ")
        title = say(_titles().get(word, word.replace("_", " ").capitalize()))
        words = f"{head}: {title} – {what}." if head else f"{title} – {what}."
        yield Advice(order.line, order.column, words, _why(word, text, state, party, say))


def _why(word: str, what: str, state: World, party: str, say: Translate) -> str:
    """Return the reason: for a way, whose the land is to which it leads."""
    told = reasons()
    place = state.provinces.get(what.split(",")[-1].strip())
    if word in WAYS and place is not None:
        kind = "home" if place.owner == party else "free" if place.owner == INDEPENDENTS else "foreign"
        return say(told[f"march {kind}"])
    return say(told.get(word, told["other"]))
