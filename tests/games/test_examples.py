"""The example of every game, played through the commands, comes out the same byte for byte."""

import hashlib
import re
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest

from examples import play
from gm.campaign.open import Campaign
from gm.cli.session import open_campaign
from tests.examples import sweep
from tests.games.playing import PLAIN

GOLDEN = Path(__file__).resolve().parent.parent / "playthroughs"


def test_every_game_has_an_example_and_a_golden_playthrough() -> None:
    assert set(PLAIN) <= set(play.examples())
    for name in PLAIN:
        assert list((GOLDEN / name.replace("-", "_") / "golden").glob("turn-*.txt")), name


@pytest.mark.parametrize("name", sweep(PLAIN, "conquest-fields"))
def test_the_example_plays_as_it_always_did_and_shows_orders_that_succeed_and_orders_that_fail(
    name: str, tmp_path: Path, golden: Callable[[Path, str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / name
    play.run(name, folder)
    assert "$ pbem new" in capsys.readouterr().out
    campaign = open_campaign(folder)
    assert campaign.newest_turn >= 3
    events = chain.from_iterable(campaign.folder.log(turn) for turn in range(1, campaign.newest_turn + 1))
    fates = {str(event["fate"]) for event in events if event["event"] == "LineSettled"}
    assert {"done", "failed"} <= fates
    for turn in range(1, campaign.newest_turn + 1):
        where = campaign.folder.turn_path(turn)
        hashes = {
            file: hashlib.sha256((where / file).read_bytes()).hexdigest()
            for file in ("state.json", "log.jsonl")
        }
        marks = [f"{file} {mark}" for file, mark in hashes.items()]
        summary = (where / "summary.txt").read_text("utf-8")
        text = "\n".join([*marks, "", summary])
        golden(GOLDEN / name.replace("-", "_") / "golden" / f"turn-{turn:02}.txt", text)
    shows_the_course(campaign)


def shows_the_course(campaign: Campaign) -> None:
    """Whether the last pages have the figures of all turns, from first to last."""
    spec = campaign.spec
    last = campaign.newest_turn
    code = next(seat.code for seat in campaign.seats if seat.played)
    page = (campaign.folder.turn_path(last) / "results" / f"{code}.html").read_text("utf-8")
    course = page.partition('id="course-title"')[2].partition("<section")[0]
    column = list(campaign.state.parties).index(code)
    figures = [
        re.findall(r"<td[^>]*>([\d,.]+)</td>", row)[column] for row in re.findall("<tr>.*?</tr>", course)[1:]
    ]
    stood = [
        spec.figures(campaign.table, campaign.state_after(turn))[code][spec.land] for turn in range(last + 1)
    ]
    assert [float(figure.replace(",", "")) for figure in figures] == stood
