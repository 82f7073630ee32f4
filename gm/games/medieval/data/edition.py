"""Which edition of the rules a turn is played by: the rules data, the map, and the program's own part."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from gm.core.codec import to_plain
from gm.game.values import GameData
from gm.games.medieval.data.clauses_data import bot_profiles, load_reasons
from gm.games.medieval.data.table_pack import packed_table

EDITION = 2
"""Goes up by one with every change of the program after which a turn with the same position, orders and dice may come
out otherwise; the changelog says what changed. Golden turns show when that is so."""

BOTS_EDITION = 2
"""The same for the bots: it goes up with every change after which one may order something else. Replays ask the bots of
a turn again if they are of the same edition."""


def marks(table: GameData) -> dict[str, str]:
    """``rules``: of edition, rules data and map, without the outlines that only drawings need; ``words``: of the
    sentences that tell why an order failed; ``bots``: of the bots that come with the game."""
    words = {key: reason.says for key, reason in load_reasons().items()}
    bots = [BOTS_EDITION, {name: to_plain(profile) for name, profile in bot_profiles().items()}]
    return {"rules": table.mark or rules_mark(table), "words": _mark(words), "bots": _mark(bots)}


def rules_mark(table: GameData) -> str:
    """The fingerprint of edition, rules data and map."""
    return _mark([EDITION, json.loads(packed_table(table))])


def _mark(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]
