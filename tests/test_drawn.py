"""Examples of properties are the same in each run of CI."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import strategies as st

from tests.drawn import drawn

DRAWING = """
from hypothesis import strategies as st
from gm.games.medieval.state.world import world_record
from gm.store.formats import compact
from tests.drawn import drawn
from tests.medieval.order_files import as_file
from tests.medieval.ordering import all_orders
from tests.medieval.positions import worlds

positions = worlds().flatmap(lambda world: st.tuples(st.just(world), all_orders(world)))
for world, orders in drawn(positions, 20):
    print(compact(world_record(world)), *map(as_file, orders.values()))
"""

ANYTHING = st.tuples(st.integers(), st.text(), st.floats(allow_nan=False))


def test_what_is_drawn_does_not_depend_on_the_modules_that_are_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = drawn(ANYTHING, 200)
    folder = tmp_path.with_name("constants")
    folder.mkdir()
    numbers = [number * 7919 + 1_000_003 for number in range(500)]
    (folder / "odd_constants.py").write_text(
        f"NUMBERS = {numbers}\nTEXTS = {[str(number) for number in numbers]}\n"
    )
    monkeypatch.syspath_prepend(folder)
    import odd_constants  # type: ignore[import-not-found] # noqa: F401

    assert drawn(ANYTHING, 200) == before


@pytest.mark.slow
def test_what_is_drawn_does_not_depend_on_the_order_of_sets() -> None:
    """Strings hash otherwise in each process."""
    outputs = set()
    for number in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": number}
        run = subprocess.run(
            [sys.executable, "-c", DRAWING], env=environment, capture_output=True, check=True
        )
        outputs.add(run.stdout)
    assert len(outputs) == 1
