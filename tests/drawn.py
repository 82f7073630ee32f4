"""What hypothesis draws: the same for the same seed, whatever modules are loaded."""

from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.internal.conjecture import providers
from hypothesis.strategies import SearchStrategy

T = TypeVar("T")


def draw_no_constants() -> None:
    """Let hypothesis draw none of the numbers and strings that stand in this project's modules.

    It looks for them in the modules that are loaded at the time, which depends on the tests that ran before:
    with them the examples of a property are not the same in each run, and each new constant changes those of
    all properties.

    Raises ``AttributeError`` if this version of hypothesis looks for them elsewhere.
    """
    if not callable(providers._get_local_constants):
        raise AttributeError("hypothesis looks for constants elsewhere: tests/drawn.py")
    providers._get_local_constants = lambda: providers._local_constants


def drawn(strategy: SearchStrategy[T], count: int, number: int = 0) -> list[T]:
    """Return so many values of a strategy, always the same ones for a seed ``number``."""
    values: list[T] = []
    draw_no_constants()

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(value: T) -> None:
        values.append(value)

    collect()
    return values
