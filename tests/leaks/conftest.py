"""The game that the proofs look at is played once."""

import pytest

from tests.leaks.scene import Scene, played_scene
from tests.remembered import remembered  # noqa: F401


@pytest.fixture(scope="session")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """That game. Not to be changed."""
    return played_scene(tmp_path_factory.mktemp("leaks"))
