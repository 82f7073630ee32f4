"""Samples of the files that programs read, a folder for each release and game: ``python -m tests.clients.samples``
writes this version's. A released one is not written again."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from gm import __version__
from gm.bots.program import document_of
from gm.cli.session import open_campaign
from gm.game.bots import bot_view
from gm.games import GAMES
from gm.resources import resource
from gm.text.layout import read_data
from tests.commands import command

ROOT = resource("examples", "clients") / "samples"
OPTIONS = {"medieval": ("--map", "minsk"), "conqueror": ("--map", "duchies")}  # small ones
NAMES = {"results": "results.yaml", "bot": "bot.json", "log": "log.jsonl", "history": "history.json"}


def samples(game: str, folder: Path) -> dict[str, bytes]:
    """The files of a game's second turn, played by bots in a new folder, by name."""
    given = ("--seed", "samples", "--key-secret", "samples", "--at", "2026-01-05 12:00")
    command("new", folder, "--game", game, *OPTIONS.get(game, ()), "--bots", *given)
    for _ in range(2):
        command("turn", "--game", folder, "--no-html", "--bot-reports", "--at", "2026-01-05 12:00")
    command("history", "--game", folder, "--out", folder / NAMES["history"])
    campaign = open_campaign(folder)
    seat, turn = campaign.seats[0].code, campaign.folder.turn_path(2)
    known = {"game": campaign.folder.settings.id, "key": "the-key-of-this-turn", "seed": "a-seed"}
    document = document_of(campaign.spec, bot_view(campaign.spec, campaign.table, campaign.snapshot, seat, **known))
    return {
        NAMES["results"]: (turn / "results" / f"{seat}.yaml").read_bytes(),
        NAMES["bot"]: json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n",
        NAMES["log"]: (turn / "log.jsonl").read_bytes(),
        NAMES["history"]: (folder / NAMES["history"]).read_bytes(),
    }


def data_of(name: str, data: bytes) -> Iterator[object]:
    """What a schema is held against: the data of a file, of a log each line's."""
    if name.endswith(".jsonl"):
        yield from map(json.loads, data.splitlines())
    else:
        yield read_data(data, name) if name.endswith(".yaml") else json.loads(data)


def main() -> None:
    """Write this version's."""
    for game in GAMES:
        with tempfile.TemporaryDirectory() as top:
            for name, data in samples(game, Path(top) / game).items():
                path = ROOT / __version__ / game / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)


if __name__ == "__main__":
    main()
