"""The dice as ``dieharder`` judges them: the first bytes of many streams, each of a label of its own, as
in turns.
"""

import subprocess
from contextlib import suppress
from itertools import chain, count
from pathlib import Path

from gm.core.dice import Stream

VERDICT = Path(__file__).with_name("dieharder.txt")
TESTS = {8: "count the 1s (stream)", 10: "parking lot", 15: "runs", 100: "STS monobit", 101: "STS runs"}
"""A choice that ends in minutes; of all tests some take hours, and gigabytes."""
SAMPLES = 10  # of each test, for 100 as dieharder would


def judged() -> str:
    """Its table, a line for each test.

    Raises ``FileNotFoundError`` where it is not installed (Debian's dieharder).
    """
    columns = ("test_name", "ntuple", "tsamples", "psamples", "pvalues", "assessment")
    options = list(chain.from_iterable(("-D", name) for name in columns))
    lines = []
    for test in TESTS:
        command = ["dieharder", "-g", "200", "-d", str(test), "-p", str(SAMPLES), *options]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as judge:
            assert judge.stdin is not None
            assert judge.stdout is not None
            with suppress(BrokenPipeError):
                for number in count():
                    stream = Stream(
                        "evidence", f"turn {number} | phase 1 | land_battles_fought | Minsk | hits"
                    )
                    judge.stdin.write(b"".join(stream.draw().to_bytes(8) for _ in range(8)))
            with suppress(BrokenPipeError):
                judge.stdin.close()
            lines += judge.stdout.read().decode().splitlines()
    return "\n".join(" ".join(line.split()) for line in lines) + "\n"
