"""The public site tells nothing that any realm, or the game master, keeps to itself (W8): not a byte of
it.
"""

from itertools import chain
from pathlib import Path

import pytest

from tests.commands import command
from tests.leaks.scene import Scene

EVERYBODY = ""  # who plays no realm


@pytest.mark.clause("W8")
def test_no_file_of_the_public_site_tells_what_anybody_keeps_to_himself(scene: Scene, tmp_path: Path) -> None:
    command("publish", tmp_path / "site", "--game", scene.folder)
    files = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert len(files) > 12
    leaks = list(
        chain.from_iterable(scene.leaks(EVERYBODY, str(name), data, 2) for name, data in files.items())
    )
    assert leaks == []


def test_the_site_does_tell_what_is_for_everybody(scene: Scene, tmp_path: Path) -> None:
    """The search can find something: the seals and the names of realms are there."""
    command("publish", tmp_path / "site", "--game", scene.folder)
    page = (tmp_path / "site" / "minsk" / "dice.html").read_text()
    assert scene.campaign.folder.turn_record(2)["next_seal"] in page
    assert "Lithuania" in (tmp_path / "site" / "minsk" / "index.html").read_text()
