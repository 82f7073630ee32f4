"""Orders that stand: given once, they are given again each turn while their player is away, as long as he said (O1)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gm.campaign.open import Campaign
from gm.campaign.receive import Offer, read_offer
from gm.core.orders.header import STANDING_LIMIT
from gm.core.records import Record, record
from gm.game.turn_result import ReadOrders

_STANDS = re.compile(rb"(?m)^standing[ \t]*:")
_TURN = re.compile(rb"(?m)^(turn[ \t]*:)[^\r\n]*")


@record
class Repeated(Record):
    """A file of an earlier turn, headed for the next one. ``origin``: the turn that it was sent for."""

    data: bytes
    reading: ReadOrders
    origin: int


def repeated_orders(campaign: Campaign, realms: Iterable[str]) -> dict[str, Repeated]:
    """The orders of the last turn that still stand, of those of ``realms`` that have any.

    They end with their turn, with a newer file, and with their player: who takes over a realm is not bound by them.
    """
    newest = campaign.newest_turn
    if newest == 0:
        return {}
    found = {}
    origins = campaign.folder.turn_record(newest).get("decisions", {}).get("repeated", {})
    for realm, data in campaign.folder.orders(newest, realms).items():
        player = campaign.folder.players.of(realm)
        origin = int(origins.get(realm, newest))
        if player is None or origin < player.seated or not _STANDS.search(data):
            continue
        again = _TURN.sub(rb"\1 %d" % campaign.next_turn, data, count=1)
        # the key was asked for when the file came; it was that of another turn
        reading = read_offer(campaign, Offer(f"standing/{realm}.yaml", again), realm, None)
        # what was too long when it was sent was refused then, and does not come true turn by turn
        if reading.sheet is not None and campaign.next_turn <= reading.standing <= origin + STANDING_LIMIT:
            found[realm] = Repeated(again, reading, origin)
    return found
