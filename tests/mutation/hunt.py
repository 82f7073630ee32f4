"""Plant each mutant in a forked process and run the tests that reach it until one fails.

The process that forks has collected all tests and imported everything, but has run none. A mutant replaces
the code of its function in place, so it does not matter who has imported the function from where.
"""

import gc
import resource
import signal
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType

import pytest

from tests.mutation.operators import Mutant, mutated_code
from tests.mutation.reach import Child, Reach, answer, fails, finished, start

SURVIVED = b"survived"
LONGEST_TEST = 0.1  # tests that take more seconds than this are for those that all others have let pass
# how many times as long as usual a test may run, in processor time, before it counts as caught in a loop
PATIENCE = 20
MEMORY = 3 << 30
TIMED_OUT = "takes for ever"


@dataclass(frozen=True)
class Fate:
    """``killer``: the test that failed, or why it ended; None for a survivor.

    ``reached``: by how many tests.
    """

    mutant: Mutant
    killer: str | None
    reached: int


@dataclass
class Hunt:
    """``thorough``: whether tests that take long, and those of generated examples, are tried on survivors."""

    items: dict[str, pytest.Item]
    sources: dict[str, Path]
    reach: Reach
    jobs: int
    thorough: bool = False
    functions: dict[tuple[str, str], list[FunctionType]] = field(default_factory=dict)
    killers: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    kills: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.functions = functions_of(self.sources)
        # the children share the parent's objects as long as nobody touches them
        gc.collect()
        gc.freeze()

    def fates(
        self, mutants: Iterable[Mutant], tell: Callable[[Fate], None] = lambda fate: None
    ) -> list[Fate]:
        """What becomes of each mutant, in their order."""
        fates: dict[str, Fate] = {}
        waiting = list(mutants)
        at_work: dict[Child, tuple[Mutant, list[str]]] = {}
        for mutant in reversed(waiting):
            fates[mutant.name] = Fate(mutant, None, 0)
        queue = iter(waiting)
        while True:
            while len(at_work) < self.jobs and (mutant := next(queue, None)):
                if tests := self.chosen(mutant):
                    at_work[start(self._attack(mutant, tests))] = mutant, tests
                else:
                    tell(fates[mutant.name])
            if not at_work:
                return [fates[mutant.name] for mutant in waiting]
            for child in finished(list(at_work)):
                mutant, tests = at_work.pop(child)
                fates[mutant.name] = fate = Fate(mutant, self._killer(mutant, *answer(child)), len(tests))
                tell(fate)

    def chosen(self, mutant: Mutant) -> list[str]:
        """The tests to run: those that killed neighbours first, then those that kill most, then the
        fastest.
        """
        reaching = self.reach.tests(mutant.file, mutant.first_line, mutant.last_line)
        reaching.sort(key=lambda test: -self.kills[test])
        quick = [test for test in reaching if not self._takes_long(test)]
        usual = [test for test in self.killers[mutant.file + mutant.function][:5] if test in quick]
        chosen = [*usual, *(test for test in quick if test not in usual)]
        return [*chosen, *(test for test in reaching if self._takes_long(test))] if self.thorough else chosen

    def _takes_long(self, test: str) -> bool:
        return is_generated(self.items[test]) or self.reach.seconds[test] > LONGEST_TEST

    def _killer(self, mutant: Mutant, said: bytes, status: int) -> str | None:
        if status:
            return TIMED_OUT if status == -signal.SIGPROF else f"ended with {status}"
        if said == SURVIVED:
            return None
        test = said.decode()
        usual = self.killers[mutant.file + mutant.function]
        if test in usual:
            usual.remove(test)
        usual.insert(0, test)
        self.kills[test] += 1
        return test

    def _attack(self, mutant: Mutant, tests: list[str]) -> Callable[[], bytes]:
        def attack() -> bytes:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            plant(mutant, self.sources[mutant.file], self.functions)
            items = [self.items[test] for test in tests]
            for item, after in zip(items, [*items[1:], None], strict=True):
                signal.setitimer(signal.ITIMER_PROF, 2 + PATIENCE * self.reach.seconds[item.nodeid])
                if fails(item, after):
                    return item.nodeid.encode()
            return SURVIVED

        return attack


def is_generated(item: pytest.Item) -> bool:
    """Whether a test makes up its own examples: these reach everything and take long."""
    return hasattr(getattr(item, "obj", None), "hypothesis")


def plant(mutant: Mutant, path: Path, functions: dict[tuple[str, str], list[FunctionType]]) -> None:
    """Replace the code of the function by the mutant's. Raises ``LookupError`` if nothing has that code."""
    code = mutated_code(path, mutant)
    for function in functions[mutant.file, mutant.function]:
        # one that calls super() no more is still given its class
        function.__code__ = code.replace(co_freevars=function.__code__.co_freevars)


def functions_of(sources: dict[str, Path]) -> dict[tuple[str, str], list[FunctionType]]:
    """The functions at work whose code stands in these files, by file and qualified name."""
    names = {str(path.resolve()): name for name, path in sources.items()}
    functions: dict[tuple[str, str], list[FunctionType]] = defaultdict(list)
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType):
            code: CodeType = thing.__code__
            if code.co_filename in names:
                functions[names[code.co_filename], code.co_qualname].append(thing)
    return dict(functions)


def by_file(fates: Iterable[Fate], explained: set[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """(file, mutants, killed, explained, survivors) of each file."""
    counts: dict[str, Counter[str]] = {}
    for fate in fates:
        kind = "killed" if fate.killer else "explained" if fate.mutant.name in explained else "survivors"
        counts.setdefault(fate.mutant.file, Counter())[kind] += 1
    for file, of_file in counts.items():
        yield file, of_file.total(), of_file["killed"], of_file["explained"], of_file["survivors"]
