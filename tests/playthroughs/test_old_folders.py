"""Game folders of earlier versions of pbem open, are played on, and are verified as far as those versions can
prove.

Each archive in ``old_folders`` is a game after its second turn, without its pages, as the program wrote it
when

* ``minsk-1``: turns had no seals, and a record no decisions (before d53f4fd);
* ``minsk-2``: dice were sealed; there was no journal and no tally (b626336);
* ``fields-1``: Conquest on fields with bots; no list of a turn's files, of its rolls or of rules (efa8c12);
* ``fields-2``, ``minsk-3``: all of that, with rules pinned; the last before states and logs were structs
  (8546df4).

A format whose version goes up gets an archive of the version before it, written by the last program that knew
it.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from gm.campaign.open import Campaign
from gm.games import game_spec
from gm.store.folder import GameFolder
from tests.commands import Run, run

__all__ = ["Run", "run"]

ARCHIVES = Path(__file__).parent / "old_folders"
NO_JOURNAL = "journal.jsonl is missing: restore it from a backup, or begin another with 'pbem repair'"
FIRST_LINE = "journal.jsonl:1: it begins with 'turn': the lines before it are missing"
KNOWN = {
    "minsk-1.tar.xz": (NO_JOURNAL, FIRST_LINE, "turn 2 published None, the turn used"),
    "minsk-2.tar.xz": (NO_JOURNAL, FIRST_LINE),
    "fields-1.gm": (),
    "fields-2.gm": (),
    "minsk-3.gm": (),
}
"""What is to be found wrong with each archive's game, for it cannot prove it."""
REPLAYED = {"fields-2.gm": 2, "minsk-3.gm": 1}
"""Those whose turns are played again, and how many: a replay ends with the first turn that comes out
otherwise by rules that have changed since (Medieval's edition 3)."""


@pytest.mark.parametrize("archive", KNOWN)
def test_a_folder_of_an_earlier_version_is_read_played_on_and_verified(
    archive: str, tmp_path: Path, run: Run
) -> None:
    """A folder or archive of an earlier version opens, is upgraded, plays a turn, and undoes it."""
    folder = tmp_path / "game"
    if archive.endswith(".gm"):
        run("import", ARCHIVES / archive, folder)
    else:
        shutil.unpack_archive(ARCHIVES / archive, tmp_path)
        (tmp_path / "minsk").rename(folder)
    store = GameFolder(folder)
    campaign = Campaign(store, game_spec(store.settings.game))
    assert [campaign.state_after(turn).turn for turn in range(3)] == [0, 1, 2]
    assert all(campaign.logged(turn) for turn in (1, 2))
    assert campaign.spec.broken(campaign.table, campaign.snapshot) == []

    def verified(*options: str) -> dict[str, Any]:
        return dict(json.loads(run("verify", *options, "--json", "--game", folder, code=None).output))

    def problems() -> list[str]:
        wrong = [check["problem"] for check in verified()["checks"] if check["problem"]]
        return [problem for problem in wrong if not any(sentence in problem for sentence in KNOWN[archive])]

    assert problems() == []
    if archive in REPLAYED:
        turns = verified("--replay")["turns"]
        assert len(turns) == REPLAYED[archive]
        assert [turn for turn in turns if turn["difference"] and not turn["other_rules"]] == []
    run("upgrade", "--game", folder)
    run("turn", "--missing-ok", "--no-html", "--game", folder)
    assert GameFolder(folder).newest_turn() == 3
    assert problems() == []
    assert verified("--replay", "--turn", "3")["proven"]
    run("undo", "--unpublished", "--game", folder)
    assert GameFolder(folder).newest_turn() == 2
