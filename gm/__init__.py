"""gm: the play-by-email game master's batch processor."""

__version__ = "0.1.0"
