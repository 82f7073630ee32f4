"""``python -m tests.clauses``: which tests prove which clause of the rules.

Collects every test without running it, reads the ``clause`` markers, prints clause by clause, and exits with
1 when a clause that a game has is proved by no test or a marker names a clause that does not exist.
"""

import contextlib
import io
import sys

import pytest

from gm.game.base import texts
from gm.games import GAMES
from gm.games.medieval.data.clauses_data import load_clauses


class Collected:
    """A pytest plugin that remembers the clauses of each collected test; the cases of one test count once."""

    def __init__(self) -> None:
        self.tests: dict[str, list[str]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            name = item.nodeid.split("[")[0]
            for marker in item.iter_markers("clause"):
                for clause in marker.args:
                    tests = self.tests.setdefault(clause, [])
                    if name not in tests:
                        tests.append(name)


def collect() -> dict[str, list[str]]:
    """The tests by clause id, slow ones included.

    Raises ``SystemExit`` when the tests cannot be collected.
    """
    plugin = Collected()
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        code = pytest.main(["--collect-only", "-qq"], [plugin])
    if code != pytest.ExitCode.OK:
        raise SystemExit(f"the tests could not be collected:\n{said.getvalue()}")
    return plugin.tests


def known_clauses() -> dict[str, tuple[str, bool]]:
    """(title, whether the game does not have it yet) of every clause of every game, by id."""
    clauses = {key: (clause.title, clause.later) for key, clause in load_clauses().items()}
    for name in GAMES:
        if name != "medieval":
            clauses |= {key: (clause.title, clause.later) for key, clause in texts.clauses(name).items()}
    return clauses


def report(tests: dict[str, list[str]]) -> tuple[list[str], list[str]]:
    """(the lines to print, what is wrong) for the tests found by clause."""
    lines = []
    wrong = []
    clauses = known_clauses()
    for key, (title, later) in clauses.items():
        tests_of_clause = tests.get(key, [])
        lines.append(f"{key:<8} {title}" + (" (later)" if later else ""))
        lines += [f"         {name}" for name in tests_of_clause]
        if not tests_of_clause and not later:
            wrong.append(f"clause {key} ({title}) has no test")
    for key in sorted(set(tests) - set(clauses)):
        wrong.append(f"{', '.join(tests[key])}: there is no clause {key}")
    return lines, wrong


def main() -> int:
    """Print the table and what is wrong with it; the exit code."""
    lines, wrong = report(collect())
    print("\n".join(lines))
    if wrong:
        print("\n" + "\n".join(wrong), file=sys.stderr)
        return 1
    print(f"\nevery clause of every game has a test, {len(known_clauses())} clauses in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
