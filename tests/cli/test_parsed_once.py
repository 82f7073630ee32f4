"""An order file is parsed once in a command, whoever reads it there: its head, its orders, its findings."""

from collections import Counter
from pathlib import Path

import pytest

from gm.core.diagnostics import Diagnostic
from gm.core.orders import header
from gm.core.yaml.source import Node
from tests.cli.conftest import PLAYERS, TALK, Run, all_orders, write_orders
from tests.cli.posting import AFTER, BEFORE, REALMS, START, Office


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[bytes]:
    """How often each content of an order file was parsed since the counter was cleared."""
    counts: Counter[bytes] = Counter()
    parse = header.read_tolerantly

    def counting(data: bytes, file: str) -> tuple[Node, list[Diagnostic]]:
        counts[data] += 1
        return parse(data, file)

    monkeypatch.setattr(header, "read_tolerantly", counting)
    return counts


def test_by_the_check_by_receiving_it_and_by_the_turn(game: Path, run: Run, parsed: Counter[bytes]) -> None:
    folder = all_orders(game)
    path = write_orders(game, "LIT", TALK)
    for command in (["check", str(path)], ["receive", str(folder)], ["status"], ["turn", "--no-html"]):
        parsed.clear()
        run(*command)
        assert set(parsed.values()) == {1}, command
        assert len(parsed) == (1 if command[0] == "check" else len(PLAYERS))


def test_by_a_week_that_answers_letters_and_by_one_that_plays(office: Office, parsed: Counter[bytes]) -> None:
    office.week(START)
    office.all_orders(BEFORE)
    for at in (BEFORE, AFTER):
        parsed.clear()
        office.week(at)
        assert len(parsed) >= len(REALMS)
        assert set(parsed.values()) == {1}, at
