"""The game that the proofs look at is played once."""

from __future__ import annotations

from tests.leaks.scene import scene

__all__ = ["scene"]
