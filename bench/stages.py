"""``python -m bench.stages GAME [--html]``: one turn of a game as ``pbem turn`` plays it, part by part.

It runs in a process of its own and prints one JSON object: seconds of the processor until the program's code
is there (``start``), for loading rules, map and position (``load``), reading the order files (``read``),
playing (``resolve``), and making and writing all files (``write``); and how many ``orders`` and ``units``
there were.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path


class PartClock:
    """Seconds of the processor that each part of the program's work took."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = 0.0

    def done(self, part: str) -> None:
        """Note that a part has ended, which began where the last one ended, or with the process."""
        now = time.process_time()
        self.seconds[part] = now - self._last
        self._last = now


def main() -> None:
    """Play the turn and print the figures. Raises ``SystemExit`` if an order file is missing or rejected."""
    gc.disable()  # as pbem turn does
    # imported after that: the modules are loaded without it, too
    from gm.campaign.plan import turn_plan
    from gm.campaign.play import play_turn, write_turn
    from gm.cli.session import open_campaign
    from gm.core.orders.reading import OrderFileReader

    # the guard against hostile files, which a hundredfold Europe would run into
    OrderFileReader.__init__.__defaults__ = (1_000_000,)

    html = "--html" in sys.argv
    clock = PartClock()
    campaign = open_campaign(Path(sys.argv[1]), drawings=html)
    clock.done("start")
    campaign.spec.broken(campaign.table, campaign.state)
    clock.done("load")
    plan = turn_plan(campaign)
    clock.done("read")
    if plan.missing or plan.set_aside:
        raise SystemExit(f"the order files of {sorted(plan.set_aside)} could not be read")
    played = play_turn(campaign, plan)
    clock.done("resolve")
    write_turn(campaign, plan, played, html=html)
    clock.done("write")
    sheets = [reading.sheet for reading in plan.readings.values() if reading.sheet]
    orders = sum(len(list(sheet.all_orders())) for sheet in sheets)
    print(json.dumps({**clock.seconds, "orders": orders, "units": len(played.before.units)}))


if __name__ == "__main__":
    main()
