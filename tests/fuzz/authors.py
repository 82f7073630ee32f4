"""Who writes the random games: for each turn, after a look at the game's folder, what the GM and the
players do.
"""

import json
from itertools import chain, product
from random import Random
from typing import Any

from gm.campaign.open import Campaign
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.state import World
from tests.fuzz.documents import Documents
from tests.fuzz.grounds import amendment_words
from tests.fuzz.harms import order_bytes
from tests.fuzz.playing import Action, Delivery, TurnScript

NEW_IDS = tuple(f"{letter}{number}" for letter, number in product("AF", (1, 2, 3, 50, 51, 99)))
RANKS = tuple("123456")
LATEST = 6  # the longest games have so many turns


class Author:
    """Writes one game, turn by turn, from a seeded generator."""

    def __init__(self, random: Random, pages: float) -> None:
        self._random = random
        self._pages = pages

    def length(self, ground: str) -> int:
        """How many turns the game has."""
        return 3 if ground.startswith("europe") else self._random.choice((3, 3, 3, 4, 4, 5, LATEST))

    def turn(self, campaign: Campaign) -> TurnScript:
        """The next turn of a game."""
        random = self._random
        actions = tuple(self._action(campaign) for _ in range(random.choice((0, 0, 0, 1, 1, 2, 4))))
        played = {seat.code for seat in campaign.seats if seat.played and not seat.out}
        # who has no seat, or is out of the game, tries now and then
        senders = [code for code in sorted(campaign.keys) if code in played or random.random() < 0.05]
        deliveries = list(chain.from_iterable(self._deliveries(campaign, code) for code in senders))
        random.shuffle(deliveries)
        return TurnScript(actions, tuple(deliveries), random.random() < 0.12, random.random() < self._pages)

    # -- players ---------------------------------------------------------------------------------------------

    def _deliveries(self, campaign: Campaign, code: str) -> list[Delivery]:
        random = self._random
        deliveries = []
        for _ in range(random.choice((0, 1, 1, 1, 1, 1, 2))):
            data = self._orders(campaign, code)
            vouched = code if random.random() < 0.1 else ""
            deliveries.append(Delivery(data, vouched, random.random() < 0.08))
        if random.random() < 0.03:
            # an old file once more, or another realm's key
            other = random.choice(sorted(campaign.keys))
            deliveries.append(Delivery(self._orders(campaign, code, key=campaign.keys[other])))
        return deliveries

    def _orders(self, campaign: Campaign, code: str, key: str | None = None) -> bytes:
        """Write an order file of a realm with drawn orders, valid or not."""
        state: World = campaign.snapshot
        template = campaign.folder.turn_path(campaign.newest_turn) / "next" / f"{code}.schema.json"
        if not template.is_file():
            # out of the game: it still may try
            return (
                f"orders: 1\ngame: fuzz\nrealm: {code}\nturn: {campaign.next_turn}\nkey: x\nunits:\n".encode()
            )
        schema = json.loads(template.read_text(encoding="utf-8"))
        names = (
            *NEW_IDS,
            *RANKS,
            *(unit for unit in state.units if not unit.startswith(("IND", f"{code}/"))),
        )
        own = [unit.place if unit.is_garrison else unit.id for unit in state.of_realm(code)]
        document = Documents(self._random, schema, names, own).document()
        document["key"] = campaign.keys[code] if key is None else key
        _walk(self._random, document, state, campaign.table.board, code)
        foreign = [unit.id for unit in state.units.values() if unit.realm != code] + list(state.units)
        return order_bytes(self._random, document, foreign)

    # -- the GM ----------------------------------------------------------------------------------------------

    def _action(self, campaign: Campaign) -> Action:
        """Draw what the game master does to a campaign between turns."""
        random = self._random
        code = random.choice(sorted(campaign.snapshot.realms))
        return random.choice(
            (
                ("amend", *amendment_words(random, campaign.table, campaign.snapshot)),
                ("amend", *amendment_words(random, campaign.table, campaign.snapshot)),
                ("amend", *amendment_words(random, campaign.table, campaign.snapshot)),
                ("seat", code, "status", random.choice(("royalty", "commoner"))),
                ("seat", code, "controller", random.choice(("player", "nobody", "local forces"))),
                ("replace", code),
                ("strip", code),
                ("reject", "proclamation", code),
                ("refuse late",),
                ("put by hand", code, f"orders: 1\nrealm: {code}\n"),
            )
        )


def _walk(random: Random, document: dict[str, Any], world: World, atlas: Atlas, code: str) -> None:
    """Let most marches and passages go to the next place on the way, as players' do."""
    units = document.get("units")
    for name, fields in (units or {}).items() if isinstance(units, dict) else ():
        unit = world.unit(code, name)
        plan = fields.get("plan") if isinstance(fields, dict) else None
        at = unit.place if unit is not None else None
        for entry in plan if isinstance(plan, list) else ():
            word = next(iter(entry)) if isinstance(entry, dict) else ""
            if word not in ("march", "sail") or at is None or at not in atlas.locations:
                continue
            if random.random() < 0.8:
                sea = False if word == "march" else None if atlas.is_sea(at) else True
                near = sorted(atlas.open_neighbours(at, sea=sea))
                entry[word] = random.choice(near) if near else entry[word]
            at = entry[word]
