"""``python -m bench [--quick] [--save FILE] [--compare FILE]``: the speed of pbem against its budget.

Prints one table. ``--against OTHER`` compares two states instead, ``--exponents`` tells how costs grow.
Fails only when a command fails: a slow day is no reason.
"""

from __future__ import annotations

import argparse
import compileall
import os
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
from bench.timing import EMPTY, empty_p, empty_starts, gm, median, median_processor, median_wall, once
from gm.games.medieval.spec import SPEC

SIZES = (1, 5, 10, 100)
QUICK_SIZES = (1, 5, 10)


def print_head() -> None:
    """Print what the unit is today, and the columns."""
    empty = empty_starts(15)
    p = median_processor(empty) * 1000
    wall_p = median_wall(empty) * 1000
    print(
        "P is an empty Python start, timed between the runs by the same clock. Marks go by the processor's "
        "time."
    )
    print("Beside a median stand the least and the most of its runs. Two states of the program: --against")
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"Now P is {p:.1f} ms of the processor and {wall_p:.1f} ms by the wall clock, at {load}.\n\n{HEAD}")


def show_commands(bench: Bench) -> None:
    """Time the commands on Europe: 23 realms that all order something in every section."""
    game = bench.scratch / "europe"
    mail = bench.scratch / "europe-mail"
    once([EMPTY[0], "-m", "bench.europe", str(game), str(mail)])
    once(gm("receive", mail, "--game", game))
    orders = mail / "ENG.yaml"
    own = ("--results", game / "turns/turn-00/results/ENG.yaml")
    show = bench.table.timing
    show("pbem --help", median(lambda: gm("--help"), bench.runs + 4), Budget(6, 5))
    show("pbem check", median(lambda: gm("check", orders, *own), bench.runs), Budget(25, 12))
    show("pbem odds, 20 v 20", whole_command(bench.runs), Budget(30, 15))
    show_forecast(game, orders, bench.table)
    show_turns(bench, game, realms=len(list(mail.iterdir())))
    once(gm("turn", "--early", "--game", game))
    show_page(game / "turns/turn-01/results", bench.table)


def show_turns(bench: Bench, game: Path, realms: int) -> None:
    """Time a turn of Europe without and with its pages, and both in parts."""
    show = bench.table.timing
    parts = bench.parts(game)
    counts = f"{parts['units']:.0f} units, {parts['orders']:.0f} orders"
    bench.table.title(f"a turn of Europe: {realms} realms, {counts}")
    show("pbem turn --no-html", bench.turn(game, "--no-html"), Budget(60, 25))
    bench.show_parts("without HTML", game)
    all_html = show("pbem turn", bench.turn(game), Budget(150, 60))
    bench.show_parts("with all HTML", game, "--html")
    bench.table.figure("memory of pbem turn", all_html.memory, "MiB", Budget(150, 80, "MiB"))


def show_speeds_per_core(bench: Bench) -> None:
    """Time odds, and turns of Europe that bots play, in processes that do nothing else."""
    bench.table.title("per core")
    show_odds(SPEC.shipped_table("minsk").rules, bench.table)
    turns = "2" if bench.quick else "6"
    runs = [once([EMPTY[0], "-m", "bench.simulated", turns]) for _ in range(3)]
    in_p = [float(run.said) / empty_p() for run in runs]
    bench.table.figures_of("a simulated turn, 23 bots on Europe", in_p, "P", Budget(25, 10, "P"))


def show_peer(bench: Bench) -> None:
    """Time another program's turn, beside ours, or print why that cannot be."""
    bench.table.title("the Python peer")
    name = "diplomacy: load, 27 orders, process, save"
    timing = peers_turn(bench.scratch, bench.runs)
    if isinstance(timing, str):
        bench.table.note(name, timing)
    else:
        bench.table.timing(name, timing)


def show_all(bench: Bench) -> None:
    """Measure everything and print it."""
    sizes = QUICK_SIZES if bench.quick else SIZES
    print_head()
    show_commands(bench)
    show_growth(bench, "mostly land", sizes)
    show_growth(bench, "mostly sea", sizes)
    show_pages(bench)
    show_speeds_per_core(bench)
    if not bench.quick:
        show_peer(bench)
    marks = list(bench.table.marks.values())
    good, held, over = (marks.count(mark) for mark in ("good", "must", "OVER"))
    print(f"\n{len(marks)} figures with a budget: {good} good, {held} held, {over} over")


def read_options() -> argparse.Namespace:
    """Return what the command line asks for."""
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
    return parser.parse_args()


def main() -> None:
    """Measure what the command line asks for."""
    options = read_options()
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
        bench = Bench(Path(folder), quick=options.quick)
        show_all(bench)
    if options.save:
        bench.table.save(options.save, gm_package.__version__)
    if options.compare:
        bench.table.compare(options.compare)


if __name__ == "__main__":
    main()
