"""How many generated examples a property is tried with: a few in the fast tests, all with the profile "all"."""

from typing import Any

from hypothesis import HealthCheck, settings

ALL = 100
"""``max_examples`` in the profile "all"; another profile's is its share in hundredths."""
FEWEST = 5


def examples(count: int, few: int = 0, **more: Any) -> settings:
    """Settings of a property: ``count`` examples in all, and in the fast tests ``few``, or else the profile's share."""
    share = settings().max_examples
    fast = few or max(FEWEST, count * share // ALL)
    return settings(
        max_examples=count if share == ALL else fast,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
        **more,
    )
