"""What these tests pay for and none of them looks at is worked out once: handbooks and odds."""

from tests.remembered import remembered

__all__ = ["remembered"]
