"""How many generated examples a property is tried with: a few in the fast tests, all with the profile
"all".
"""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

ALL = 100
"""``max_examples`` in the profile "all"; another profile's is its share in hundredths."""
FEWEST = 5


def examples(count: int, few: int = 0, **more: Any) -> settings:
    """Settings of a property: ``count`` examples in all, and in the fast tests ``few``, or else the
    profile's share.
    """
    share = settings().max_examples
    fast = few or max(FEWEST, count * share // ALL)
    return settings(
        max_examples=count if share == ALL else fast,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
        **more,
    )


def sweep(values: Iterable[Any], *fast: Any) -> list[Any]:
    """Return the values as parameters of a test: the ``fast`` ones for the fast tests, the others for the
    slow ones.

    A tuple is the values of several parameters. Raises ``ValueError`` if one of the fast is no value.
    """
    listed = list(values)
    missing = [case for case in fast if case not in listed]
    if missing:
        raise ValueError(f"no value of this sweep: {missing}")
    rows = [case if isinstance(case, tuple) else (case,) for case in listed]
    marks = [[] if case in fast else [pytest.mark.slow] for case in listed]
    return [pytest.param(*row, marks=marked) for row, marked in zip(rows, marks, strict=True)]


def some(values: Iterable[Any], every: int = 4) -> list[Any]:
    """Return every so many-th value, from the first on: those of a long list that the fast tests try."""
    return list(values)[::every]
