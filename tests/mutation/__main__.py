"""``python -m tests.mutation [FILE...]``: do the tests notice faults in battles and steps?

Prints the score by file and the survivors; exits with 1 when one of them is not explained in
``explained.toml``, or when an explanation is stale. A file is named by the end of its path:
``combat/rounds.py``.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import tomllib
from itertools import chain
from pathlib import Path

import pytest

from tests.mutation.hunt import Fate, Hunt, by_file, is_generated
from tests.mutation.operators import Mutant, mutants_of
from tests.mutation.reach import fill_caches, recorded

ROOT = Path(__file__).resolve().parents[2]
EXPLAINED = Path(__file__).with_name("explained.toml")
KEPT_AS = "mutants/survivors"
HASH_SEED = "0"


def read_config() -> dict[str, list[str]]:
    """Return ``[tool.mutants]`` of pyproject.toml: ``packages`` to plant faults in, ``tests`` to run.

    ``far_away``: test files of which hardly one kills a mutant that no other does, for ``--thorough``.
    """
    with (ROOT / "pyproject.toml").open("rb") as file:
        return dict(tomllib.load(file)["tool"]["mutants"])


def read_sources(packages: list[str]) -> dict[str, Path]:
    """The source files by the name that mutants carry, in the order of the packages."""
    return {
        f"{Path(package).name}/{path.name}": path
        for package in packages
        for path in sorted(Path(package).glob("*.py"))
    }


def read_explained() -> dict[str, str]:
    """Why a mutant may live, by its name."""
    with EXPLAINED.open("rb") as file:
        entries = tomllib.load(file).get("survivor", [])
    return {f"{entry['file']}: {entry['function']}: {entry['change']}": entry["why"] for entry in entries}


class Mutation:
    """A pytest plugin that, in place of running the tests, asks them about every mutant."""

    def __init__(self, mutants: list[Mutant], sources: dict[str, Path], chosen: argparse.Namespace) -> None:
        self.mutants = mutants
        self.sources = sources
        self.chosen = chosen
        self.fates: list[Fate] = []
        self.told = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        # not before: pytest wants to see the import of its plugins
        from hypothesis import HealthCheck, Phase, settings

        settings.register_profile(
            "mutants",
            derandomize=True,
            database=None,
            deadline=None,
            # nobody reads the example that kills a mutant: it need not be small
            phases=(Phase.explicit, Phase.generate),
            suppress_health_check=list(HealthCheck),
        )
        settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Record what the tests reach, plant the mutants, and keep the names of those that survive."""
        items = {item.nodeid: item for item in session.items}
        cache = session.config.cache if hasattr(session.config, "cache") else None
        if not self.chosen.thorough:
            items = {name: item for name, item in items.items() if not is_generated(item)}
        tell(f"recording what {len(items)} tests reach")
        reach = recorded(list(items.values()), self.sources, cache)
        for test in reach.broken:
            tell(f"fails without any mutant, and is left out: {test}")
        fill_caches(reach.warm)
        if self.chosen.again and cache:
            last = set(cache.get(KEPT_AS, []))
            self.mutants = [mutant for mutant in self.mutants if mutant.name in last]
        hunt = Hunt(items, self.sources, reach, self.chosen.jobs, self.chosen.thorough)
        tell(f"planting {len(self.mutants)} mutants")
        self.fates = hunt.fates(self.mutants, self._tell)
        if cache and not self.chosen.sample:
            files = {mutant.file for mutant in self.mutants}
            others = [name for name in cache.get(KEPT_AS, []) if name.split(":")[0] not in files]
            cache.set(KEPT_AS, [*others, *(fate.mutant.name for fate in self.fates if not fate.killer)])
        return True

    def _tell(self, fate: Fate) -> None:
        self.told += 1
        if self.told % 100 == 0:
            tell(f"  {self.told} of {len(self.mutants)} mutants planted")
        if self.chosen.verbose or not fate.killer:
            tell(
                f"{fate.killer or 'survived'} ({fate.reached} tests): line {fate.mutant.first_line}: "
                f"{fate.mutant.name}"
            )


def tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def sampled(mutants: list[Mutant], count: int) -> list[Mutant]:
    """As many of them, chosen by their names: the same ones as long as the code is the same."""
    by_hash = sorted(mutants, key=lambda mutant: hashlib.sha256(mutant.name.encode()).digest())
    chosen = {mutant.name for mutant in by_hash[:count]}
    return [mutant for mutant in mutants if mutant.name in chosen]


def report(fates: list[Fate], every: list[Mutant]) -> int:
    """Print score and survivors; returns how many things are wrong."""
    explained = read_explained()
    row = "{:<28} {:>8} {:>8} {:>10} {:>10}"
    print(row.format("file", "mutants", "killed", "explained", "survivors"))
    rows = list(by_file(fates, set(explained)))
    for file_row in rows:
        print(row.format(*file_row))
    print(row.format("all", *(sum(column) for column in list(zip(*rows, strict=True))[1:])))
    survivors = [fate for fate in fates if not fate.killer and fate.mutant.name not in explained]
    for fate in survivors:
        reached = f"{fate.reached} tests reach it" if fate.reached else "no test reaches it"
        print(f"survived: {fate.mutant.name} (line {fate.mutant.first_line}, {reached})")
    killed = {fate.mutant.name: fate.killer for fate in fates if fate.killer}
    stale = [
        f"there is no such mutant any more: {name}"
        for name in set(explained) - {mutant.name for mutant in every}
    ]
    stale += [f"{killed[name]} kills it: {name}" for name in explained if name in killed]
    for line in sorted(stale):
        print(f"stale explanation: {line}")
    return len(survivors) + len(stale)


def main() -> int:
    """Plant the chosen mutants, report on them, and return the exit code: 1 for survivors, 2 if none ran."""
    reader = argparse.ArgumentParser(
        prog="python -m tests.mutation", description=(__doc__ or "").split("\n")[0]
    )
    reader.add_argument(
        "files", nargs="*", metavar="FILE", help="only mutants of these files: combat/rounds.py"
    )
    reader.add_argument("--function", metavar="NAME", help="only mutants of this function: Contingent.bury")
    reader.add_argument("--jobs", type=int, default=2, metavar="N", help="so many processes at a time")
    reader.add_argument("--sample", type=int, metavar="N", help="so many mutants, always the same")
    reader.add_argument("--again", action="store_true", help="only those that survived the last time")
    reader.add_argument(
        "--thorough", action="store_true", help="also run long tests, distant ones and generated games"
    )
    reader.add_argument("--list", action="store_true", help="name the mutants and stop")
    reader.add_argument("--verbose", action="store_true", help="name the killer of each")
    chosen = reader.parse_args()
    if os.environ.get("PYTHONHASHSEED") != HASH_SEED:
        # a set of names is gone through in another order in each process: which mutants live must not hang on
        # that
        os.environ["PYTHONHASHSEED"] = HASH_SEED
        return subprocess.run([sys.executable, "-m", "tests.mutation", *sys.argv[1:]], check=False).returncode
    os.chdir(ROOT)
    config = read_config()
    sources = read_sources(config["packages"])
    every = list(chain.from_iterable(mutants_of(path, file) for file, path in sources.items()))
    if unknown := [file for file in chosen.files if file not in sources]:
        reader.error(f"no such file: {', '.join(unknown)}; there are {', '.join(sources)}")
    mutants = [mutant for mutant in every if not chosen.files or mutant.file in chosen.files]
    mutants = [mutant for mutant in mutants if chosen.function in (None, mutant.function)]
    if chosen.sample:
        mutants = sampled(mutants, chosen.sample)
    if not mutants:
        reader.error(f"no mutant is in a function of the name {chosen.function}; see --list")
    if chosen.list:
        for mutant in mutants:
            print(mutant.name)
        return 0
    plugin = Mutation(mutants, sources, chosen)
    with tempfile.TemporaryDirectory() as folder:
        arguments = [
            "-qq",
            "-s",
            "--assert=plain",
            "-m",
            "not slow and not browser and not servers",
            "--basetemp",
            folder,
        ]
        if not chosen.thorough:
            arguments += [f"--ignore-glob={pattern}" for pattern in config["far_away"]]
        code = pytest.main([*arguments, *config["tests"]], [plugin])
    if code != pytest.ExitCode.OK:
        print(f"the tests could not be collected: pytest says {code}", file=sys.stderr)
        return 2
    return 1 if report(plugin.fates, every) else 0


if __name__ == "__main__":
    sys.exit(main())
