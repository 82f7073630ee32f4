"""Make samples of the files that programs read, a folder for each game.

``python -m tests.clients.samples [FOLDER]`` writes those of this version; without a folder into
``build/samples``. They are part of a release (``.ci/run release``) and not of the repository.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from gm.bots.program import document_of
from gm.cli.session import open_campaign
from gm.game.bots import bot_view
from gm.games import GAMES
from gm.text.layout import read_data
from tests.commands import command

ROOT = Path(__file__).parents[2] / "build" / "samples"
OPTIONS = {"medieval": ("--map", "minsk"), "conqueror": ("--map", "duchies")}  # small ones
NAMES = {"results": "results.yaml", "bot": "bot.json", "log": "log.jsonl", "history": "history.json"}


def samples(game: str, folder: Path) -> dict[str, bytes]:
    """Return the files of a game's second turn by name; bots play it in ``folder``, which is new."""
    options = ("--seed", "samples", "--key-secret", "samples", "--at", "2026-01-05 12:00")
    command("new", folder, "--game", game, *OPTIONS.get(game, ()), "--bots", *options)
    for _ in range(2):
        command("turn", "--game", folder, "--no-html", "--bot-reports", "--at", "2026-01-05 12:00")
    command("history", "--game", folder, "--out", folder / NAMES["history"])
    campaign = open_campaign(folder)
    seat = campaign.seats[0].code
    turn = campaign.folder.turn_path(2)
    game_facts = {"game": campaign.folder.settings.id, "key": "the-key-of-this-turn", "seed": "a-seed"}
    document = document_of(
        campaign.spec, bot_view(campaign.spec, campaign.table, campaign.snapshot, seat, **game_facts)
    )
    return {
        NAMES["results"]: (turn / "results" / f"{seat}.yaml").read_bytes(),
        NAMES["bot"]: json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n",
        NAMES["log"]: (turn / "log.jsonl").read_bytes(),
        NAMES["history"]: (folder / NAMES["history"]).read_bytes(),
    }


def data_of(name: str, data: bytes) -> Iterator[object]:
    """Yield what a schema is held against: the data of a file, and of a log the data of each line."""
    if name.endswith(".jsonl"):
        yield from map(json.loads, data.splitlines())
    else:
        yield read_data(data, name) if name.endswith(".yaml") else json.loads(data)


def main(folder: Path) -> None:
    """Write the samples of every game into ``folder``."""
    for game in GAMES:
        with tempfile.TemporaryDirectory() as top:
            written = samples(game, Path(top) / game)
        for name, data in written.items():
            path = folder / game / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
