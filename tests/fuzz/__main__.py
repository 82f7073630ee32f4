"""``python -m tests.fuzz 1234`` plays random game 1234; with a file, the game that was kept there.

``--shrink FILE`` makes a game that fails as small as can be and writes it to FILE; ``--many COUNT`` plays so
many games from the number on.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.games import play_game, shrink, what_fails
from tests.fuzz.playing import Script, Tally, read_script


def main() -> int:
    """Play random games or a kept one, tell what fails, and return the exit code."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    options.add_argument("game", help="the number of a random game, or the file of one that was kept")
    options.add_argument("--many", type=int, default=1, metavar="COUNT")
    options.add_argument("--shrink", type=Path, metavar="FILE")
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "game"
        failed = (
            [read_script(Path(arguments.game))]
            if Path(arguments.game).is_file()
            else _play(arguments, folder)
        )
        failed = [script for script in failed if _told(script, folder)]
        if arguments.shrink and failed:
            arguments.shrink.write_text(
                shrink(failed[0], lambda script: what_fails(script, folder)).text(), encoding="utf-8"
            )
            sys.stdout.write(f"the smallest game that fails so: python -m tests.fuzz {arguments.shrink}\n")
    return 1 if failed else 0


def _play(arguments: argparse.Namespace, folder: Path) -> list[Script]:
    tally = Tally()
    started = time.perf_counter()
    failed = []
    for seed in range(int(arguments.game), int(arguments.game) + arguments.many):
        script = play_game(seed, folder, tally)
        if script is not None:
            sys.stdout.write(f"game {seed} fails\n")
            failed.append(script)
    seconds = time.perf_counter() - started
    figures = ", ".join(f"{name} {count}" for name, count in sorted(tally.counts.items()))
    sys.stdout.write(f"{figures}; {seconds:.1f} s\n")
    return failed


def _told(script: Script, folder: Path) -> str:
    wrong = what_fails(script, folder)
    sys.stdout.write(f"{wrong or 'this game is all right'}\n")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
