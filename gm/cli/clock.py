"""What time it is, for commands.

A module that needs the time imports this module, not its function: the clock of a whole command is set in one
place.
"""

from datetime import UTC, datetime


def utc_now() -> datetime:
    """Return the time of day in UTC, in whole seconds."""
    return datetime.now(UTC).replace(microsecond=0)
