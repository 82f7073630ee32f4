"""Readers of bytes that somebody else wrote: they say what is wrong and where, and nothing else happens."""

import importlib.util
import os
import subprocess
import sys
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random

import pytest

from tests.cost import cost
from tests.fuzz import targets
from tests.fuzz.harms import harmed_bytes
from tests.fuzz.targets import ROOT, TARGETS, corpus

RUNS = 5_000  # so many inputs each reader is given by the guided search
SEED = 1320
DEAR = 5.0  # no input costs as much
PATIENCE = 60  # seconds after which the search gives an input up: one that never ends
MEMORY = 2048  # megabytes that the whole process may take, the program included


@pytest.mark.clause("O7", "O9")
@pytest.mark.parametrize("name", TARGETS)
def test_readers_keep_their_word_on_real_inputs(name: str) -> None:
    inputs = corpus(name)
    assert len(inputs) >= 4
    for data in inputs:
        TARGETS[name](data)


@pytest.mark.parametrize("name", TARGETS)
def test_readers_keep_their_word_on_harmed_inputs(name: str) -> None:
    random = Random(SEED)  # noqa: S311 - the same harms each time
    inputs = corpus(name)
    for _ in range(300):
        data = harmed_bytes(random, random.choice(inputs))
        assert cost(partial(TARGETS[name], data), DEAR) < DEAR


def test_the_order_target_reaches_orders_that_are_taken() -> None:
    """What the search begins from is not all refused at the door."""
    read = [targets.read(data) for data in corpus("orders")]
    assert sum(reading.sheet is not None for reading in read) > 40
    diagnostics = chain.from_iterable(reading.diagnostics for reading in read)
    assert len({diagnostic.code for diagnostic in diagnostics}) > 40


@pytest.mark.slow
@pytest.mark.clause("O7", "O9")
@pytest.mark.parametrize("name", TARGETS)
def test_a_guided_search_finds_no_input_that_a_reader_cannot_bear(name: str, tmp_path: Path) -> None:
    """Bytes that reach new places in the program are kept and changed further (atheris)."""
    if importlib.util.find_spec("atheris") is None:
        pytest.skip("this test needs atheris, which the extra fuzz brings along on Linux, up to Python 3.13")
    limits = (f"-rss_limit_mb={MEMORY}", f"-timeout={PATIENCE}", "-max_len=20000")
    search = subprocess.run(
        (
            # Linux counts the peak of who starts a program as the program's own; a shell that goes on after
            # it is small
            *("sh", "-c", '"$@"; exit $?', "sh"),
            *(sys.executable, "-m", "tests.fuzz.guided", name, str(tmp_path / "corpus")),
            *(
                f"-runs={RUNS}",
                f"-seed={SEED}",
                f"-artifact_prefix={tmp_path}/found-",
                "-print_final_stats=1",
                *limits,
            ),
        ),
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        errors="replace",
    )
    kept = [f"{path}: {path.read_bytes()[:2000]!r}" for path in sorted(tmp_path.glob("found-*"))]
    again = f"again: python -m tests.fuzz.guided {name} {tmp_path}/corpus FILE"
    assert search.returncode == 0, "\n".join((search.stdout[-3000:], search.stderr[-2000:], *kept, again))
    assert not kept
    assert f"Done {RUNS} runs" in search.stderr
