"""``python -m bench [--quick] [--save FILE] [--compare FILE]``: the speed of pbem against its budget, in one
table.

``--against OTHER`` compares two states instead, ``--exponents`` tells how costs grow.

Fails only when a command fails: a slow day is no reason.
"""

from __future__ import annotations

import argparse
import compileall
import os
import statistics
import tempfile
from pathlib import Path

import gm as gm_package
from bench.exponents import show_exponents
from bench.growth import show_growth, show_pages
from bench.odds import show_odds, whole_command
from bench.page import show_forecast, show_page
from bench.pairs import show_pairs
from bench.peer import peers_turn
from bench.runner import Bench
from bench.table import HEAD, Budget
from bench.timing import EMPTY, empty_p, empty_starts, gm, median, once
from gm.games.medieval.spec import SPEC


def head() -> None:
    """What the unit is today, and the columns."""
    empty = empty_starts(15)
    p, wall = (
        statistics.median(getattr(run, clock) for run in empty) * 1000 for clock in ("processor", "wall")
    )
    print(
        "P is an empty Python start, timed between the runs by the same clock. Marks go by the processor's "
        "time."
    )
    print("Beside a median stand the least and the most of its runs. Two states of the program: --against")
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"Now P is {p:.1f} ms of the processor and {wall:.1f} ms by the wall clock, at {load}.\n\n{HEAD}")


def commands(bench: Bench) -> None:
    """Europe: 23 realms that all order something in every section."""
    game, mail = bench.scratch / "europe", bench.scratch / "europe-mail"
    once([EMPTY[0], "-m", "bench.europe", str(game), str(mail)])
    once(gm("receive", mail, "--game", game))

    own = ("--results", game / "turns/turn-00/results/ENG.yaml")
    show = bench.table.timing
    show("pbem --help", median(lambda: gm("--help"), bench.runs + 4), Budget(6, 5))
    show("pbem check", median(lambda: gm("check", mail / "ENG.yaml", *own), bench.runs), Budget(25, 12))
    show("pbem odds, 20 v 20", whole_command(bench.runs), Budget(30, 15))
    show_forecast(game, mail / "ENG.yaml", bench.table)

    found = bench.parts(game)
    realms = len(list(mail.iterdir()))
    bench.table.title(
        f"a turn of Europe: {realms} realms, {found['units']:.0f} units, {found['orders']:.0f} orders"
    )
    show("pbem turn --no-html", bench.turn(game, "--no-html"), Budget(60, 25))
    bench.show_parts("without HTML", game)
    all_html = show("pbem turn", bench.turn(game), Budget(150, 60))
    bench.show_parts("with all HTML", game, "--html")
    bench.table.figure("memory of pbem turn", all_html.memory, "MiB", Budget(150, 80, "MiB"))
    once(gm("turn", "--early", "--game", game))
    show_page(game / "turns/turn-01/results", bench.table)


def peer(bench: Bench) -> None:
    """Another program's turn, beside ours."""
    bench.table.title("the Python peer")
    what = "diplomacy: load, 27 orders, process, save"
    found = peers_turn(bench.scratch, bench.runs)
    if isinstance(found, str):
        bench.table.note(what, found)
    else:
        bench.table.timing(what, found)


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="The speed of pbem against its budget."
    )
    parser.add_argument(
        "--quick", action="store_true", help="fewer runs, no map of 100 times the size, no peer"
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the figures as JSON")
    parser.add_argument(
        "--compare", type=Path, metavar="FILE", help="tell what differs from figures that were saved"
    )
    parser.add_argument(
        "--against", type=Path, metavar="OTHER", help="compare with another checkout in pairs instead"
    )
    parser.add_argument(
        "--exponents", action="store_true", help="how costs grow with turns and realms instead"
    )
    options = parser.parse_args()
    # pip compiles what it installs; a checkout, where nothing may be written at import, would compile at
    # every start
    compileall.compile_dir(Path(gm_package.__file__).parent, quiet=1)
    if options.against:
        show_pairs(options.against)
        return
    if options.exponents:
        show_exponents()
        return
    with tempfile.TemporaryDirectory(prefix="gm-bench-") as folder:
        bench = Bench(Path(folder), options.quick)
        head()
        commands(bench)
        show_growth(bench, "mostly land", (1, 5, 10) if options.quick else (1, 5, 10, 100))
        show_growth(bench, "mostly sea", (1, 5, 10) if options.quick else (1, 5, 10, 100))
        show_pages(bench)
        bench.table.title("per core")
        show_odds(SPEC.shipped_table("minsk").rules, bench.table)
        turns = "2" if options.quick else "6"
        seconds = [float(once([EMPTY[0], "-m", "bench.simulated", turns]).said) for _ in range(3)]
        budget = Budget(25, 10, "P")
        bench.table.figures_of(
            "a simulated turn, 23 bots on Europe", [each / empty_p() for each in seconds], "P", budget
        )
        if not options.quick:
            peer(bench)
    marks = list(bench.table.marks.values())
    good, held, over = (marks.count(mark) for mark in ("good", "must", "OVER"))
    print(f"\n{len(marks)} figures with a budget: {good} good, {held} held, {over} over")
    if options.save:
        bench.table.save(options.save, gm_package.__version__)
    if options.compare:
        bench.table.compare(options.compare)


if __name__ == "__main__":
    main()
