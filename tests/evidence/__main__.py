"""``make evidence``: runs what the documentation claims, prints a table and writes build/evidence.md, a page
of the site. No figure is typed in: each is counted or measured in the run. ``--all``: the slow tests too;
``--dice``: dieharder; ``--owners FILE``: a public map.
"""

import argparse
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from bench.peer import peers_turn
from bench.runner import Bench
from bench.timing import Timing, gm, once
from gm import __version__
from gm.core.yaml.models import load_data
from gm.games.conquestination.odds import outlook
from gm.games.conquestination.spec import SPEC as CONQUESTINATION
from tests.evidence.dieharder import VERDICT, judged
from tests.evidence.owners import FOUND, compared
from tests.mail.test_replies import SHAPES

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "build" / "evidence.md"
ANEW = "Stored; `make evidence ARGS='{}'` runs it anew."
Row = tuple[str, str]


def counted(row: dict[str, Any], every: bool) -> tuple[Row, bool]:
    """A row of tests: how many ran, how many passed."""
    marks = ["-m", "not browser and not servers" if every or not row.get("slow") else "not slow"]
    with tempfile.NamedTemporaryFile(suffix=".xml") as file:
        form = ["-o", "junit_family=xunit1", f"--junitxml={file.name}"]  # with properties
        words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", *form, *marks, *row["tests"]]
        done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, check=False)
        if done.returncode > 1:  # it was stopped, or there is nothing of that name
            return (row["what"], f"pytest ended with {done.returncode}"), False
        suites = list(ElementTree.parse(file.name).getroot().iter("testsuite"))  # noqa: S314 - pytest's own file
    ran, bad, passed_over = (
        sum(int(suite.get(name, 0)) for suite in suites) for name in ("tests", "failures", "skipped")
    )
    bad += sum(int(suite.get("errors", 0)) for suite in suites)
    good = ran - bad - passed_over
    results = [f"{good} of {ran}", *([f"{passed_over} skipped"] if passed_over else [])]
    elements = chain.from_iterable(suite.iter("property") for suite in suites)
    results += [f"{element.get('name')} {element.get('value')}" for element in elements]
    return (row["what"], ", ".join(results)), ran > 0 and not bad


def measured() -> Iterator[Row]:
    """Figures that are no counts of tests."""
    attack = CONQUESTINATION.shipped_table(CONQUESTINATION.default_map).rules.attack
    yield "The chance of 9 against 10 with the classic dice", f"{outlook(9, 10, attack)[0]:.14f}"
    yield "Shapes of replies in the collection", str(len(SHAPES))
    with tempfile.TemporaryDirectory() as top:
        game = Path(top) / "minsk"
        once(gm("new", game, "--map", "minsk", "--bots", "raider", "--seed", "evidence"))
        yield (
            "A turn of Minsk with four bots, whole command",
            shown(Bench(Path(top), quick=True).turn(game, "--no-html")),
        )
        yield (
            "A turn of the Python package diplomacy: load, 27 orders, process, save",
            shown(peers_turn(Path(top), 3)),
        )


def shown(timing: Timing | str) -> str:
    """A time as multiples of an empty Python start, which hang less on the machine."""
    return timing if isinstance(timing, str) else f"{timing.in_p:.1f} empty Python starts"


def main() -> None:
    """Run it all; exit status 1 when anything failed."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.evidence", description="Run what the documentation claims."
    )
    parser.add_argument("--all", action="store_true", help="with the slow tests of faults and readers")
    parser.add_argument("--dice", action="store_true", help="judge the dice with dieharder anew; minutes")
    parser.add_argument(
        "--owners", type=Path, metavar="FILE", help="compare Europe 1320 with this public map anew"
    )
    options = parser.parse_args()
    rows = []
    fine = True
    for row in load_data(Path(__file__).with_name("rows.yaml"))[0]:
        print(row["what"], end=": ", flush=True)
        evidence, good = counted(row, options.all)
        print(evidence[1], flush=True)
        rows = [*rows, evidence]
        fine = fine and good
    for evidence in measured():
        print(*evidence, sep=": ", flush=True)
        rows.append(evidence)
    if options.dice:
        VERDICT.write_text(judged(), "utf-8")
    verdict = VERDICT.read_text("utf-8")
    print(verdict)
    if options.owners:
        FOUND.write_text(compared(options.owners), "utf-8")
    owners = f"## Owners in Europe 1320\n\n{FOUND.read_text('utf-8')}\n{ANEW.format('--owners FILE')}\n"
    print(owners)
    table = "\n".join(
        ["| what | figure |", "|---|---|", *(f"| {what} | {figure} |" for what, figure in rows)]
    )
    dice = f"## The dice, by dieharder\n\n```text\n{verdict}```\n\n{ANEW.format('--dice')}\n"
    head = f"# Evidence\n\nMade by `make evidence` with version {__version__}; run it yourself.\n"
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text("\n".join([head, table, "", owners, dice]), "utf-8")
    sys.exit(not fine)


if __name__ == "__main__":
    main()
