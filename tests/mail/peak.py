"""The most memory that a program had which a test ran in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent

_TELLS = """
import resource, sys
from pathlib import Path
code = sys.argv.pop(1)
try:
    exec(code)
finally:
    # on Linux what getrusage tells begins with the memory of whoever started this process
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    told = [line.split()[1] for line in lines if line.startswith("VmHWM")]
    print(*(told or [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]))
"""

needs_peak = pytest.mark.skipif(sys.platform == "win32", reason="Windows tells no peak of memory")


def peak_of(code: str, *arguments: object, timeout: float = 900) -> tuple[list[str], float]:
    """Run Python code with these ``sys.argv[1:]``; returns the lines that it printed, and its megabytes."""
    command = [sys.executable, "-c", _TELLS, code, *map(str, arguments)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=timeout)
    assert run.returncode == 0, run.stdout + run.stderr
    *lines, peak = run.stdout.splitlines()
    return lines, int(peak) * (1 if sys.platform == "darwin" else 1024) / 1e6
