"""A sample of all mutants dies, or is explained; the whole set is for ``make mutants``."""

import ast
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

from tests.mutation.__main__ import ROOT, read_config, read_explained, read_sources
from tests.mutation.operators import Mutant, find_code, mutants_of, mutated_code

SAMPLE = 40


@pytest.mark.long(50)
@pytest.mark.slow
def test_no_fault_of_a_sample_goes_unnoticed() -> None:
    command = [sys.executable, "-m", "tests.mutation", "--sample", str(SAMPLE), "--jobs", "1"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    _, planted_in_all, *_ = said.stdout.splitlines()[-1].split()
    assert int(planted_in_all) == SAMPLE


@pytest.mark.slow
def test_every_explanation_is_about_a_mutant_that_there_is() -> None:
    mutants = chain.from_iterable(
        mutants_of(ROOT / path, name) for name, path in read_sources(read_config()["packages"]).items()
    )
    every = [mutant.name for mutant in mutants]
    assert len(set(every)) == len(every)
    assert sorted(set(read_explained()) - set(every)) == []
    assert all(why.strip() for why in read_explained().values())


SOURCE = '''
def late(hours: int = 0, *, open: bool) -> str:
    """Whether it is late."""
    if hours > 1 and open:
        return "late"
    return sorted(["no", "never"], key=len)[0]


class Clock:
    def wind(self) -> None:
        self.turns += 1
'''


def planted(tmp_path: Path) -> tuple[Path, dict[str, Mutant]]:
    path = tmp_path / "clock.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path, {f"{mutant.function}: {mutant.change}": mutant for mutant in mutants_of(path, "clock.py")}


def test_each_small_change_of_a_functions_body_is_a_mutant(tmp_path: Path) -> None:
    _, mutants = planted(tmp_path)
    assert list(mutants) == [
        "late: hours > 1 and open -> False",
        "late: hours > 1 and open -> open",
        "late: hours > 1 and open -> hours > 1",
        "late: hours > 1 -> hours >= 1",
        "late: 1 -> 2",
        "late: 'late' -> 'late~'",
        "late: sorted(['no', 'never'], key=len) -> list(['no', 'never'])",
        "late: sorted(['no', 'never'], key=len) -> sorted(['no', 'never'])",
        "late: 'no' -> 'no~'",
        "late: 'never' -> 'never~'",
        "late: 0 -> 1",
        "Clock.wind: self.turns += 1 -> pass",
        "Clock.wind: 1 -> 2",
    ]


def test_a_mutants_code_has_its_fault_and_nothing_else(tmp_path: Path) -> None:
    path, mutants = planted(tmp_path)
    module = compile(ast.parse(SOURCE), str(path), "exec")
    space: dict[str, object] = {}
    exec(module, space)  # noqa: S102
    late = space["late"]
    assert late.__code__ == find_code(module, "late")
    assert (late(2, open=True), late(1, open=True)) == ("late", "no")
    late.__code__ = mutated_code(path, mutants["late: hours > 1 -> hours >= 1"])
    assert (late(2, open=True), late(1, open=True), late(0, open=True)) == ("late", "late", "no")
    late.__code__ = mutated_code(
        path, mutants["late: sorted(['no', 'never'], key=len) -> sorted(['no', 'never'])"]
    )
    assert (late(2, open=True), late(0, open=True)) == ("late", "never")
