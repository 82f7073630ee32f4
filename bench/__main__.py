"""``python -m bench``: the speed of the commands against their budget. Fails only when a command fails."""

from __future__ import annotations

import compileall
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import gm as gm_package
from bench.europe import order_file
from bench.generated import REALMS, Land
from bench.odds import show_odds, whole_command
from bench.timing import Timing, gm, median, once
from examples.medieval import demo
from gm.games.medieval.spec import SPEC
from gm.kernel.store import GameFolder

RUNS = 7


class Bench:
    """Prints each figure as a multiple of P, the time of an empty Python start in this environment."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch
        print("P is an empty Python start, timed between the runs.\n")
        print(f"{'':<44}{'time':>10}{'in P':>9}{'budget':>9}{'memory':>10}")

    def show(self, what: str, timing: Timing, budget: float | None = None) -> Timing:
        """One line of the table."""
        limit = f"{budget:g} P" if budget else ""
        verdict = "" if budget is None or timing.starts <= budget else "   OVER"
        figures = f"{timing.seconds * 1000:>7.0f} ms{timing.starts:>7.1f} P{limit:>9}{timing.memory:>6.0f} MiB"
        print(f"{what:<44}{figures}{verdict}", flush=True)
        return timing

    def copied(self, game: Path, command: Sequence[str]) -> list[str]:
        """A command on a fresh copy of a game."""
        copy = self.scratch / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(game, copy)
        return [*command, "--game", str(copy)]

    def turn(self, what: str, game: Path, budget: float | None = None, runs: int = RUNS) -> Timing:
        """The next turn of a game, which stays as it is."""
        return self.show(what, median(lambda: self.copied(game, gm("turn", "--missing-ok")), runs), budget)


def example(bench: Bench) -> None:
    """The commands on the example campaign."""
    game = bench.scratch / "minsk"
    played = 0
    for arguments in demo.commands(game):
        if arguments[0] == "turn":
            played += 1
            bench.turn(f"gm turn, example, turn {played}", game, budget=60)
        # some of the example's files are broken on purpose: gm receive says so with its exit code
        once(gm(*arguments), fine=(0, 1))
    orders = sorted((game / "turns" / "turn-04" / "next").glob("*.yaml"))[0]
    bench.show("gm check, one order file", median(lambda: gm("check", orders, "--game", game), RUNS), 25)


def generated(bench: Bench, size: int) -> tuple[Path, int]:
    """A generated game with all orders in, and how many units and orders it has."""
    land = Land(size)
    files, game, mail = (bench.scratch / f"{name}-{size}" for name in ("map", "game", "mail"))
    land.write(files)
    once(gm("new", game, "--map", files, "--id", "generated", "--seed", "bench", "--players", files / "players.yaml"))
    keys = {player.realm: player.key_for(1) for player in GameFolder(game).players.players}
    mail.mkdir()
    orders = 0
    for realm in REALMS:
        text = land.orders_file(realm, keys[realm])
        (mail / f"{realm}.yaml").write_text(text, encoding="utf-8")
        orders += len(re.findall(r"^ +(?:- |retreat_level)|Men-at-Arms|Archers|\[fortification", text, re.MULTILINE))
    once(gm("receive", mail, "--game", game))
    units = sum(map(len, land.units.values()))
    places = f"{len(REALMS)} realms, {len(land.at)} places"
    print(f"\nsize {size}: {places}, {units} armies and fleets, {orders} orders", flush=True)
    return game, units + orders


def europe(bench: Bench) -> None:
    """The turn of the real map: 23 realms that all order something in every section."""
    game, mail = bench.scratch / "europe", bench.scratch / "europe-mail"
    table = SPEC.shipped_table("europe-1320")
    start = SPEC.start(table, SPEC.maps()["europe-1320"], None)
    seats = [option for realm in start.realms for option in ("--player", f"{realm}={realm} <{realm}@example.org>")]
    once(gm("new", game, "--map", "europe-1320", "--id", "europe", "--seed", "bench", *seats))
    players = GameFolder(game).players.players
    mail.mkdir()
    for player in players:
        text = order_file(start, table.board, table.rules, player.realm, "europe", player.key_for(1))
        (mail / f"{player.realm}.yaml").write_text(text, encoding="utf-8")
    once(gm("receive", mail, "--game", game))
    for what, options, budget in (("without HTML", ["--no-html"], 60), ("all reports", [], 150)):
        command = gm("turn", *options)
        bench.show(f"gm turn, Europe, {what}", median(lambda: bench.copied(game, command), 5), budget)  # noqa: B023
    own = ("--results", game / "turns/turn-00/results/ENG.yaml")
    bench.show("gm check, Europe, as a player", median(lambda: gm("check", mail / "ENG.yaml", *own), RUNS), 25)
    bench.show("gm map show, Europe", median(lambda: gm("map", "show", "europe-1320", "--out", mail / "map.svg"), 5))


def main() -> None:
    """Measure everything and print it."""
    # pip compiles what it installs; a checkout, where nothing may be written at import, would compile at every start
    compileall.compile_dir(Path(gm_package.__file__).parent, quiet=1)
    with tempfile.TemporaryDirectory(prefix="gm-bench-") as folder:
        bench = Bench(Path(folder))
        bench.show("gm --help", median(lambda: gm("--help"), 11), 6)
        example(bench)
        bench.show("gm odds, 20 v 20, 3,000 fights", whole_command(RUNS), 30)
        show_odds(SPEC.shipped_table("minsk").rules)
        europe(bench)
        one, work_of_one = generated(bench, 1)
        small = bench.turn("gm turn, all reports, size 1", one, budget=150, runs=5)
        ten, work_of_ten = generated(bench, 10)
        large = bench.turn("gm turn, all reports, size 10", ten, runs=1)
        growth, work = large.seconds / small.seconds, work_of_ten / work_of_one
        print(f"\n{work:.1f} times the units and orders take {growth:.1f} times the time (budget: 12)")
        marginal = (large.seconds - small.seconds) / (work_of_ten - work_of_one)
        print(f"a unit or order more costs {marginal * 1e6:.0f} us, reports included")


if __name__ == "__main__":
    main()
