"""The example of every game, played through the commands, comes out the same byte for byte."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from examples import play
from gm.cli.session import open_campaign
from tests.games.playing import PLAIN

GOLDEN = Path(__file__).resolve().parent.parent / "playthroughs"


def test_every_game_has_an_example_and_a_golden_playthrough() -> None:
    assert set(PLAIN) <= set(play.examples())
    for name in PLAIN:
        assert list((GOLDEN / name.replace("-", "_") / "golden").glob("turn-*.txt")), name


@pytest.mark.parametrize("name", PLAIN)
def test_the_example_plays_as_it_always_did_and_shows_orders_that_succeed_and_orders_that_fail(
    name: str, tmp_path: Path, golden: Callable[[Path, str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / name
    play.run(name, folder)
    assert "$ gm new" in capsys.readouterr().out
    campaign = open_campaign(folder)
    assert campaign.newest_turn >= 3
    fates = {
        str(event["fate"])
        for turn in range(1, campaign.newest_turn + 1)
        for event in campaign.folder.log(turn)
        if event["event"] == "LineSettled"
    }
    assert {"done", "failed"} <= fates
    for turn in range(1, campaign.newest_turn + 1):
        where = campaign.folder.turn_path(turn)
        hashes = {file: hashlib.sha256((where / file).read_bytes()).hexdigest() for file in ("state.json", "log.jsonl")}
        marks = [f"{file} {mark}" for file, mark in hashes.items()]
        told = (where / "summary.txt").read_text("utf-8")
        text = "\n".join([*marks, "", told])
        golden(GOLDEN / name.replace("-", "_") / "golden" / f"turn-{turn:02}.txt", text)
