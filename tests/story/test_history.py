"""The history of a game: every turn as its own map shows it, in words too, and nothing for a record that
is broken.
"""

import json
import re
import sys
import zlib
from base64 import b64decode
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from gm.campaign.past import course_until, past_until
from gm.campaign.play import played_turn
from gm.cli.session import open_campaign
from gm.core.values import PUBLIC
from gm.game.values import MapView
from gm.games.medieval.report.past import Past
from gm.games.medieval.report.turn_result import turn_view, with_game_data
from gm.story.history import history_page
from gm.story.turns import Memory
from gm.text.frames import parsed
from tests.core.test_frames import applied, tree
from tests.examples import sweep
from tests.games.playing import ALL
from tests.story.conftest import TURNS, Run


def steps_in(page: str) -> Mapping[str, Any]:
    """What the page's script steps with, unpacked."""
    plain, packed = (
        json.loads(page.partition(f'id="{name}">')[2].partition("<")[0]) for name in ("steps", "steps-packed")
    )
    return {**plain, **json.loads(zlib.decompress(b64decode(packed)))}


@pytest.mark.parametrize("name", sweep(ALL, "conqueror"))
def test_every_turn_of_the_page_is_what_the_map_of_that_turn_shows(
    name: str, played: Callable[[str], Path]
) -> None:
    campaign = open_campaign(played(name))
    page = history_page(campaign).decode()
    data = steps_in(page)
    drawing = tree(parsed(re.findall(r"<svg.*?</svg>", page, re.DOTALL)[0]))
    del drawing[1]["preserveAspectRatio"]
    applied(drawing, data["moves"][TURNS], data["texts"], back=True)  # the page begins with them
    assert data["moved"] == [*map(bool, data["moves"])]
    for turn in reversed(range(TURNS + 1)):
        state = campaign.state_after(turn)
        log = campaign.logged(turn) if turn else ()
        events = tuple(event for event in log if event.audience == PUBLIC)
        assert drawing == tree(parsed(campaign.spec.draw(campaign.table, state, MapView()))), turn
        applied(drawing, data["moves"][turn], data["texts"])
        assert drawing == tree(parsed(campaign.spec.draw(campaign.table, state, MapView(events=events)))), (
            turn
        )
        applied(drawing, data["moves"][turn], data["texts"], back=True)
        if turn:
            applied(drawing, data["steps"][0][turn - 1], data["texts"], back=True)
    assert any(data["moves"]) or name == "conquest-fields"  # whose drawing has its moves in it


@pytest.mark.parametrize("name", sweep(ALL, "conquestination"))
def test_battles_and_places_in_other_hands_are_told_in_words(
    name: str, played: Callable[[str], Path]
) -> None:
    campaign = open_campaign(played(name))
    spec = campaign.spec
    table = campaign.table
    page = history_page(campaign).decode()
    owned = [spec.owners(table, campaign.state_after(turn)) for turn in range(TURNS + 1)]
    changed = sum(a.get(place) != b.get(place) for a, b in pairwise(owned) for place in {**a, **b})
    assert page.count("(before: ") == changed
    assert page.count('<li id="fight-') == sum(map(len, steps_in(page)["fights"]))
    assert page.count('<article class="turn"') == TURNS + 1


@pytest.mark.slow
def test_the_command_writes_a_page_in_a_language(minsk: Path, run: Run) -> None:
    assert "The history is in" in run("history", "--language", "de").output
    page = (minsk / "history.html").read_text(encoding="utf-8")
    assert '<html lang="de">' in page
    assert "Die Geschichte bis Zug 2" in page
    assert page.encode() == history_page(open_campaign(minsk), "de")


@pytest.mark.slow
def test_a_realms_own_history_has_its_gold_and_news(minsk: Path, run: Run) -> None:
    assert "what LIT alone may know" in run("history", "--realm", "lit").output
    page = (minsk / "history-LIT.html").read_text(encoding="utf-8")
    public = history_page(open_campaign(minsk)).decode()
    assert "<figcaption>Gold</figcaption>" in page
    assert "<figcaption>Gold</figcaption>" not in public
    assert "as Lithuania saw it" in page
    assert steps_in(page)["names"] == steps_in(public)["names"]
    assert "no realm XYZ; it has LIT" in run("history", "--realm", "XYZ", code=2).output


@pytest.mark.slow
def test_a_film_has_a_frame_for_each_turn(minsk: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("film.webp", "film.gif"):
        run("history", "--out", name, "--width", 200)
        with Image.open(minsk / name) as film:
            assert (film.n_frames, film.width) == (TURNS + 1, 200)
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert "install pbem-gm[film]" in run("history", "--out", "film.gif", code=2).output


def test_a_turn_that_was_taken_back_is_gone_and_a_correction_stands_at_the_end(minsk: Path, run: Run) -> None:
    run("undo", "--why", "a mistake")
    run("amend", "owner", "Mazyr", "TEU", "--why", "bought")
    run("history", "--out", "deep/h.html")
    page = (minsk / "deep" / "h.html").read_text(encoding="utf-8")
    assert steps_in(page)["names"] == ["the start", "turn 1", "turn 1, corrected since"]
    assert "Mazyr (before: " in page.rpartition("<article")[2]


@pytest.mark.slow
def test_a_turn_is_drawn_once_for_who_looks_again(
    minsk: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is remembered is the page byte for byte.

    A turn that was played again is drawn again, and no other.
    """
    spec = type(open_campaign(minsk).spec)
    draw = spec.draw
    drawn: list[int] = []

    def noted(self: Any, table: Any, state: Any, view: MapView) -> str:
        drawn.append(state.turn)
        return str(draw(self, table, state, view))

    monkeypatch.setattr(spec, "draw", noted)
    memory: Memory = {}
    for redrawn in ({0, 1, 2}, set[int]()):
        drawn.clear()
        page = history_page(open_campaign(minsk), party="LIT", memory=memory)
        assert set(drawn) == redrawn
        assert page == history_page(open_campaign(minsk), party="LIT")
    run("undo", "--why", "a mistake")
    run("amend", "owner", "Mazyr", "TEU", "--why", "bought")
    run("turn", "--no-html", "--missing-ok")
    drawn.clear()
    page = history_page(open_campaign(minsk), party="LIT", memory=memory)
    assert set(drawn) == {2}
    assert page == history_page(open_campaign(minsk), party="LIT")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("turn-01/state.json", None, "turn-01/state.json is missing"),
        ("turn-02/state.json", b"{", "turn-02/state.json"),
        ("turn-02/log.jsonl", b"nonsense", "turn-02/log.jsonl"),
    ],
)
def test_a_record_that_is_missing_or_damaged_is_named(
    minsk: Path, run: Run, name: str, content: bytes | None, says: str
) -> None:
    path = minsk / "turns" / name
    path.unlink() if content is None else path.write_bytes(content)
    assert says in run("history", code=2).output
    assert not (minsk / "history.html").exists()


def test_a_gap_in_the_turns_is_named(minsk: Path, run: Run) -> None:
    (minsk / "turns" / "turn-01").rename(minsk / "elsewhere")
    assert "without a gap" in run("history", code=2).output


def test_a_successors_page_does_not_tell_what_only_his_predecessor_knew(minsk: Path) -> None:
    campaign = open_campaign(minsk)
    played = played_turn(campaign, TURNS).evolve(
        course=course_until(campaign, TURNS - 1, campaign.record), past=past_until(campaign, TURNS - 1)
    )
    record = with_game_data(campaign.table, played)
    seated = (record.evolve(seated={"LIT": first}) for first in (1, TURNS + 1))
    old, new = (Past(turn_view(turn, "en")).of("LIT") for turn in seated)
    assert [len(account["turns"]) for account in (old, new)] == [TURNS - 1] * 2
    assert [bool(account["turns"][0]["lines"]) for account in (old, new)] == [True, False]
    assert ["<figcaption>Gold" in account["charts"] for account in (old, new)] == [True, False]
    assert all("<figcaption>Provinces" in account["charts"] for account in (old, new))
    assert Past(turn_view(record.evolve(after=record.before), "en")).of("LIT") == {}
