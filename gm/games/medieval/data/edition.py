"""The fingerprints of what decides a turn: rules data, map, bots, and the edition of the program's own rules.

Here rules and map are also packed into one JSON document, which is read back in a thirtieth of the time that
their YAML files take.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import structs

from gm.core.codec import to_plain
from gm.core.values import Value
from gm.game.values import GameData
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.clauses_data import bot_profiles, load_reasons, talk_file
from gm.games.medieval.data.rules import Rules

EDITION = 3
"""Goes up by one with every change of the program after which a turn with the same position, orders and dice
may come out otherwise; the changelog says what changed. Golden turns show when that is so."""

BOTS_EDITION = 14
"""Goes up by one with every change after which one of the bots may order something else.

A replay asks the bots for their orders again only if they have the edition of that turn."""


def fingerprints(table: GameData) -> dict[str, str]:
    """Return the fingerprints that are stored with a turn, under these keys.

    ``rules``: of edition, rules data and map, without outlines and adjectives, which only drawings and
    sentences need; ``words``: of the sentences that tell why an order failed; ``bots``: of the bots that come
    with the game.
    """
    words = {key: reason.says for key, reason in load_reasons().items()}
    profiles = to_plain(bot_profiles())
    for profile in profiles.values():
        profile.pop("about")  # it describes a bot to people, and changes nothing that it orders
    bots = [BOTS_EDITION, profiles, to_plain(talk_file())]
    return {
        "rules": table.fingerprint or rules_fingerprint(table),
        "words": _fingerprint(words),
        "bots": _fingerprint(bots),
    }


def rules_fingerprint(table: GameData) -> str:
    """Return the fingerprint of edition, rules data and map, without adjectives, which change only words."""
    packed = json.loads(packed_table(table))
    for seat in packed["atlas"]["realms"].values():
        seat.pop("adjective", None)
    return _fingerprint([EDITION, packed])


def _fingerprint(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


class _Packed(Value):
    """The document that :func:`packed_table` makes. ``mark``: the table's fingerprint, empty if not known."""

    rules: Rules
    atlas: Atlas
    mark: str = ""


def packed_table(table: GameData, *, drawings: bool = False, fingerprint: str = "") -> bytes:
    """Return rules and map as one JSON document, with the outlines of places only for ``drawings``.

    ``fingerprint``: :func:`rules_fingerprint`, which is stored in it; empty if it is not known.
    """
    atlas: Atlas = table.board
    if not drawings:
        atlas = atlas.evolve(
            locations={name: place.evolve(outline=()) for name, place in atlas.locations.items()}
        )
    return msgspec.json.encode(_without_defaults(_Packed(rules=table.rules, atlas=atlas, mark=fingerprint)))


def unpacked_table(packed: bytes) -> GameData:
    """Return rules and map from a packed document. Raises ``ValueError`` if it is none."""
    table = _unpacked(packed)
    return GameData(table.rules, table.atlas, fingerprint=table.mark)


@lru_cache(maxsize=2)  # a game is opened again after each change of its folder
def _unpacked(packed: bytes) -> _Packed:
    """Return a packed document. Raises ``ValueError`` if it is none."""
    return msgspec.json.decode(packed, type=_Packed)


def _without_defaults(value: Any) -> Any:
    """Return a value as plain data without fields that have their defaults."""
    if isinstance(value, Value):
        values = ((field, getattr(value, field.name)) for field in structs.fields(value))
        return {
            field.name: _without_defaults(content) for field, content in values if content != field.default
        }
    if isinstance(value, Mapping):
        return {key: _without_defaults(item) for key, item in value.items()}
    return [_without_defaults(item) for item in value] if isinstance(value, tuple) else to_plain(value)
