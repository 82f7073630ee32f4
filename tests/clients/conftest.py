"""A hand to type commands with."""

from tests.commands import run

__all__ = ["run"]
