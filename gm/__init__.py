"""The play-by-email game master's batch processor."""

PROGRAM = "pbem"  # as the command is called; its texts name it so, too (tests/test_names.py)
__version__ = "1.0.0rc1"
