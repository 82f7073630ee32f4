"""``python -m bench.simulated TURNS``: turns of Europe with a bot for every realm, in this one process.

Prints seconds of the processor a turn: order files are made, read and carried out.
"""

from __future__ import annotations

import sys
import time

from gm.games.medieval.spec import SPEC
from gm.simulation.plan import Job
from gm.simulation.playing import play_game

MAP = "europe-1320"


def main() -> None:
    """Play the turns, after one that warms the caches, and print the figure."""
    table = SPEC.shipped_table(MAP)
    state = SPEC.start(table, SPEC.maps()[MAP], None)
    bots = sorted(SPEC.bots)
    seats = {realm: bots[number % len(bots)] for number, realm in enumerate(state.realms)}
    play_game(SPEC, table, state, Job(0, "warm", seats), 1)
    start = time.process_time()
    record = play_game(SPEC, table, state, Job(1, "bench", seats), int(sys.argv[1]))
    seconds = time.process_time() - start
    print(seconds / record["turns"])


if __name__ == "__main__":
    main()
