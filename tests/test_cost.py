"""What a call costs does not hang on the machine."""

import pytest

from tests import cost as costs
from tests.cost import YARDSTICK, cost


def test_a_cheap_call_is_made_once() -> None:
    calls = []
    assert cost(lambda: calls.append(1), 1) < 1
    assert calls == [1]


def test_a_slow_machine_is_seen_by_its_yardstick(monkeypatch: pytest.MonkeyPatch) -> None:
    spent = []

    def measured(call: object) -> float:
        spent.append(call)
        return 100 * YARDSTICK if call is costs._yardstick else 30.0

    monkeypatch.setattr(costs, "processor_seconds", measured)
    assert cost(lambda: None, 1) == 0.3
    assert len(spent) == 2


def test_one_bad_moment_is_forgiven_and_a_dear_call_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([9.0, 9.0, 0.5])

    def measured(call: object) -> float:
        return YARDSTICK if call is costs._yardstick else next(moments)

    monkeypatch.setattr(costs, "processor_seconds", measured)
    assert cost(lambda: None, 1) == 0.5
    moments = iter([9.0, 9.0, 9.0])
    assert cost(lambda: None, 1, attempts=3) == 9.0
    moments = iter([9.0])
    assert cost(lambda: None, 1, attempts=1) == 9.0
