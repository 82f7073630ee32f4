"""Where a text has a party's name without the article that English gives it: "orders of Teutonic Order"."""

import re
from collections.abc import Iterator
from functools import cache

from gm.games import GAMES, game_spec
from gm.text.names import takes_article

_BEFORE = (
    r"(?:\b(?:of|to|from|for|by|with|against|and|or|at|in|on|play|plays|than|between|under|as|is|when)\s)"
)
_VERBS = "is|was|has|had|have|and|won|wins|writes|gives|sends|needs|lost|gets|will|cannot|attacks|holds"
_BEHIND = rf"(?:\s(?:{_VERBS})\b|'s\b)"


@cache
def names_with_article() -> list[str]:
    """Return the names of all parties of all shipped maps that have an article."""
    names: set[str] = set()
    for key in GAMES:
        spec = game_spec(key)
        for name, folder in spec.maps().items():
            table = spec.shipped_table(name)
            names |= {seat.name for seat in spec.seats(table, spec.start(table, folder, None))}
    return sorted(filter(takes_article, names))


def without_article(text: str) -> Iterator[str]:
    """Yield each place of an English text with such a name in a sentence, and no article before it."""
    for name in names_with_article():
        called = r"\s".join(map(re.escape, name.split()))
        for pattern in (rf"{_BEFORE}{called}", rf"(?<![Tt]he\s)(?<!:\s){called}{_BEHIND}"):
            yield from (found[0] for found in re.finditer(pattern, text))
