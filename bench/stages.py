"""``python -m bench.stages GAME [--html]``: one turn of a game as ``pbem turn`` plays it, and what each part
took.

It runs in a process of its own and prints one JSON object: seconds of the processor until the program's code
is there (``start``), for loading rules, map and position (``load``), reading the order files (``read``),
playing (``resolve``), and making and writing all files (``write``); and how many ``orders`` there were.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path


def main() -> None:
    """Play the turn and print the figures."""
    gc.disable()  # as pbem turn does
    from gm.campaign.plan import turn_plan
    from gm.campaign.play import play_turn, write_turn
    from gm.cli.session import open_campaign
    from gm.core.orders.reading import OrderFileReader

    # the guard against hostile files, which a hundredfold Europe would run into
    OrderFileReader.__init__.__defaults__ = (1_000_000,)

    html = "--html" in sys.argv
    found: dict[str, float] = {}
    last = 0.0

    def done(part: str) -> None:
        nonlocal last
        now = time.process_time()
        found[part] = now - last
        last = now

    campaign = open_campaign(Path(sys.argv[1]), drawings=html)
    done("start")
    campaign.spec.broken(campaign.table, campaign.state)
    done("load")
    plan = turn_plan(campaign)
    done("read")
    if plan.missing or plan.set_aside:
        raise SystemExit(f"the order files of {sorted(plan.set_aside)} could not be read")
    played = play_turn(campaign, plan)
    done("resolve")
    write_turn(campaign, plan, played, html=html)
    done("write")
    orders = sum(len(list(reading.sheet.all_orders())) for reading in plan.readings.values() if reading.sheet)
    print(json.dumps({**found, "orders": orders, "units": len(played.before.units)}))


if __name__ == "__main__":
    main()
