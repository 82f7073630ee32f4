"""Which test reaches which line, recorded once, and again only for changed test files.

And processes to try them in.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper
from itertools import chain
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from _pytest.tmpdir import tmppath_result_key

if TYPE_CHECKING:
    # an extra: only who runs the mutants needs it
    from coverage import Coverage

KEPT_AS = "mutants/reach"  # where pytest's cache keeps the record


@dataclass
class Reach:
    """``seconds`` by test; ``lines`` by mutated file and line: the tests that run it.

    ``warm``: the caches to fill.

    ``broken`` are tests that fail without any mutant: they are asked for nothing.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    warm: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def tests(self, file: str, first: int, last: int) -> list[str]:
        """The tests that run one of the lines, fastest first."""
        lines = self.lines.get(file, {})
        tests = set(chain.from_iterable(lines.get(line, ()) for line in range(first, last + 1)))
        return sorted(tests, key=lambda test: (self.seconds[test], test))


def recorded(items: list[pytest.Item], sources: dict[str, Path], cache: pytest.Cache | None) -> Reach:
    """The reach of these tests in these sources (by the name that mutants carry)."""
    helpers = [
        path
        for path in Path("tests").rglob("*.py")
        if path.parent.name != "mutation" and path.stem[:5] != "test_"
    ]
    base = _hash([*sources.values(), *helpers])
    kept = (cache.get(KEPT_AS, {}) if cache else {}) or {}
    if kept.get("base") != base:
        kept = {"base": base, "files": {}}
    hashes = {str(path): _hash([path]) for path in {item.path for item in items}}
    tests = {
        path: entry["tests"] for path, entry in kept["files"].items() if entry["hash"] == hashes.get(path)
    }
    new = [item for item in items if item.nodeid not in tests.get(str(item.path), {})]
    if new or "warm" not in kept:
        record = json.loads(in_a_child(lambda: json.dumps(_record(new, sources)).encode()))
        kept["warm"] = record["warm"]
        for item in new:
            tests.setdefault(str(item.path), {})[item.nodeid] = record["tests"][item.nodeid]
        # of test files that were not asked for this time, what is known is kept
        kept["files"] |= {path: {"hash": hashes[path], "tests": of_file} for path, of_file in tests.items()}
        if cache:
            cache.set(KEPT_AS, kept)
    reach = Reach(warm=kept["warm"])
    for item in items:
        _add(reach, item.nodeid, *tests[str(item.path)][item.nodeid])
    return reach


def _add(reach: Reach, test: str, seconds: float | None, lines: dict[str, list[int]]) -> None:
    """Add what one test reaches: its lines by file; ``seconds``: none where it fails by itself."""
    if seconds is None:
        reach.broken.append(test)
        return
    reach.seconds[test] = seconds
    for file, numbers in lines.items():
        of_file = reach.lines.setdefault(file, {})
        for number in numbers:
            of_file.setdefault(number, []).append(test)


def fails(item: pytest.Item, after: pytest.Item | None) -> bool:
    """Run a test; whether it fails. Nothing is written about it: that takes longer than most tests."""
    item._initrequest()  # type: ignore[attr-defined]
    # where a report would stand, from which a test's folder learns its fate
    item.stash[tmppath_result_key] = {}
    stages: tuple[Callable[[], object], ...] = (
        lambda: item.ihook.pytest_runtest_setup(item=item),
        lambda: item.ihook.pytest_runtest_call(item=item),
        lambda: item.ihook.pytest_runtest_teardown(item=item, nextitem=after),
    )
    failed = False
    for stage in stages:
        try:
            stage()
        except pytest.skip.Exception:
            continue
        except BaseException:
            failed = True
    return failed


def fill_caches(names: Iterable[str]) -> None:
    """Compute what tests share and no mutant can change: rules, maps."""
    for name, function in _cached_functions().items():
        if name in names:
            function()


def _record(items: list[pytest.Item], sources: dict[str, Path]) -> dict[str, Any]:
    """Run each test under coverage. Also tells which caches can be filled without running a mutated line."""
    from coverage import Coverage

    names = {str(path.resolve()): name for name, path in sources.items()}
    coverage = Coverage(data_file=None, config_file=False, include=list(names))
    # a cache that reaches nothing is what is wanted here
    coverage.set_option("run:disable_warnings", ["no-data-collected"])
    coverage.start()
    warm = [name for name, function in _cached_functions().items() if not _reaches(coverage, name, function)]
    seconds: dict[str, float] = {}
    for done, (item, after) in enumerate(zip(items, [*items[1:], None], strict=True), start=1):
        coverage.switch_context(item.nodeid)
        before = process_time()
        if not fails(item, after):
            seconds[item.nodeid] = round(process_time() - before, 4)
        if done % 200 == 0:
            print(f"  {done} of {len(items)} tests run", file=sys.__stderr__, flush=True)
    coverage.stop()
    data = coverage.get_data()
    reached: dict[str, dict[str, list[int]]] = {item.nodeid: {} for item in items}
    for path, name in names.items():
        for line, contexts in data.contexts_by_lineno(path).items():
            for test in contexts:
                if test in reached:
                    reached[test].setdefault(name, []).append(line)
    return {"warm": warm, "tests": {test: (seconds.get(test), lines) for test, lines in reached.items()}}


def _reaches(coverage: Coverage, name: str, function: Callable[[], object]) -> bool:
    """Whether filling this cache, with all others empty, runs a mutated line."""
    for _cached_function in _cached_functions().values():
        _cached_function.cache_clear()
    coverage.switch_context(f"cache {name}")
    try:
        function()
    except Exception:
        return True
    data = coverage.get_data()
    data.set_query_context(f"cache {name}")
    reached = any(data.lines(path) for path in data.measured_files())
    data.set_query_contexts(None)
    return reached


def _cached_functions() -> dict[str, _lru_cache_wrapper[Any]]:
    """The functions of ours that need no argument and are computed once."""
    functions = {}
    for function in gc.get_objects():
        if isinstance(function, _lru_cache_wrapper) and function.__module__.split(".")[0] in ("gm", "tests"):
            code = getattr(function.__wrapped__, "__code__", None)  # macros of templates have none
            if code and code.co_argcount + code.co_kwonlyargcount == 0:
                functions[f"{function.__module__}.{function.__qualname__}"] = function
    return dict(sorted(functions.items()))


def _hash(paths: Iterable[Path]) -> str:
    whole = hashlib.sha256()
    for path in sorted(paths):
        whole.update(os.fsencode(path) + b"\0" + path.read_bytes())
    return whole.hexdigest()


class Child(NamedTuple):
    """A process at work, and the pipe by which it answers."""

    process: int
    answers: int


def start(work: Callable[[], bytes]) -> Child:
    """Fork a process that answers with what ``work`` returns; what it prints is dropped."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return Child(process, reading)
    status = 1
    try:
        os.close(reading)
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 1)
        with open(writing, "wb") as pipe:  # noqa: PTH123
            pipe.write(work())
        status = 0
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
    finally:
        # no exit handlers: they belong to the parent
        os._exit(status)


def finished(children: list[Child]) -> list[Child]:
    """Those of the children that have answered or died; waits for the first."""
    with DefaultSelector() as selector:
        for child in children:
            selector.register(child.answers, EVENT_READ, child)
        return [key.data for key, _ in selector.select()]


def answer(child: Child) -> tuple[bytes, int]:
    """(what it answered, its exit code: negative for the signal that ended it)."""
    with open(child.answers, "rb") as pipe:  # noqa: PTH123
        said = pipe.read()
    _, status = os.waitpid(child.process, 0)
    return said, os.waitstatus_to_exitcode(status)


def in_a_child(work: Callable[[], bytes]) -> bytes:
    """What ``work`` returns, without what else it changes. Raises ``ChildProcessError`` if it fails."""
    said, status = answer(start(work))
    if status:
        raise ChildProcessError(f"ended with {status}")
    return said
