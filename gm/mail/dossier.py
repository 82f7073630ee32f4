"""What a player gets who takes over a realm in the middle of a game (V3)."""

from __future__ import annotations

from datetime import datetime

from gm.kernel.campaign.reporting import turn_reports
from gm.kernel.store import turn_name
from gm.mail.compose import SCHEMA_ENDING, Writer, schema_enclosure
from gm.mail.enclosing import enclosed_report
from gm.mail.outbox import Enclosure, Outgoing
from gm.mail.post import Post

LOOK_BACK = 3
"""The reports of so many turns go along, the newest included."""


def dossier(post: Post, realm: str, now: datetime) -> Outgoing:
    """The letter to a realm's new player: the rules, the position, the last turns and a template for his orders.

    Reports are made again for it, so that they name the new player's keys and none of the old one's.
    """
    campaign = post.campaign
    newest = campaign.newest_turn
    pages: list[Enclosure] = []
    enclosures = [Enclosure("handbook.html", "text/html", campaign.spec.handbook(campaign.table).encode())]
    for turn in range(newest, max(newest - LOOK_BACK, -1), -1):
        files = turn_reports(campaign, turn)
        limits = post.settings.enclosed
        report, found = enclosed_report(realm, turn, files[f"results/{realm}.html"], files.get, limits)
        enclosures.append(report)
        pages += found
        if turn == newest:
            data, template = files[f"results/{realm}.yaml"], files.get(f"next/{realm}.yaml")
            enclosures.append(Enclosure(f"{realm}-{turn_name(turn)}.results.yaml", "text/plain", data))
            if template is not None:
                enclosures.append(Enclosure(f"{realm}-{turn_name(turn + 1)}.orders.yaml", "text/plain", template))
                enclosures += schema_enclosure(realm, files.get(f"next/{realm}{SCHEMA_ENDING}"))
    return Writer(post, now).dossier(realm, (*enclosures, *pages))
