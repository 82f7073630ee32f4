"""Drafts at a table: the seat's player finds them again in the page, nobody else does, and nothing reads them
as anything but text.
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gm.core.yaml.source import SIZE_LIMIT
from gm.store.drafts import DRAFTS, MOST, Drafts, UnkeptError
from tests.commands import command
from tests.play.asking import Window, window
from tests.play.test_play import begun, sheet, table  # noqa: F401

BLOCK = re.compile(r'<script type="application/json" id="play-drafts">(.*)</script>')
HOSTILE = "</script><script>alert(1)</script><!-- \u2028 & \0 \U0001f600"


def draft(place: str = "gm orders", at: int = 1, text: str | None = "a draft", **more: object) -> str:
    return json.dumps({"place": place, "at": at, "text": text, **more})


def drafts_in(page: Window) -> Any:
    """What the page of a window has of drafts."""
    found = BLOCK.search(page.page().text)
    assert found
    return json.loads(found[1])


def test_a_draft_is_in_the_page_of_any_later_table(table: Callable[..., Path]) -> None:  # noqa: F811
    folder = table("--map", "minsk", "--play", "POL", "--bots")
    page = window(folder, "POL")
    assert drafts_in(page) == {}
    page.done("keep", draft(at=2, text=HOSTILE))
    page.done("keep", draft(at=1, text="earlier"))
    page.done("keep", draft("gm talk", text=None))
    again = window(folder, "POL")
    assert drafts_in(again) == {
        "gm orders": {"at": 2, "text": HOSTILE},
        "gm talk": {"at": 1, "text": None},
    }
    assert "alert(1)</script>" not in again.page().text
    again.done("play", sheet(folder, "POL"))
    assert drafts_in(again) == {}, "it was a draft of the turn that has been played"
    assert page.ask("keep", draft(at=3)).data["stale"]
    again.evolve(turn=2).done("keep", draft(text="of turn 2"))
    assert drafts_in(window(folder)) == {"gm orders": {"at": 1, "text": "of turn 2"}}


def test_nobody_sees_the_draft_of_another_at_the_table(table: Callable[..., Path]) -> None:  # noqa: F811
    folder = table("--map", "minsk", "--play", "POL", "--play", "LIT", "--bots")
    curtain = window(folder)
    pol = curtain.evolve(seat="POL")
    lit = curtain.evolve(seat="LIT")
    assert pol.ask("keep", draft()).data["stale"], "nobody sits there"
    curtain.done("sit", "POL")
    pol.done("keep", draft(text="xyzzy"))
    assert lit.ask("keep", draft(at=9, text="not Poland's")).data["stale"]
    for name in ("../POL", "", "XXX"):
        assert curtain.evolve(seat=name).ask("keep", draft(at=9)).data["stale"]
    assert "xyzzy" in pol.page().text
    curtain.evolve(seat="POL").done("sit", "")
    assert "xyzzy" not in curtain.page().text
    curtain.done("sit", "LIT")
    assert "xyzzy" not in lit.page().text
    assert drafts_in(lit) == {}
    assert [path.name for path in (folder / DRAFTS).iterdir()] == ["POL.json"]
    assert not stat.S_IMODE((folder / DRAFTS / "POL.json").stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO)


@pytest.mark.parametrize(
    "data",
    [
        "",
        "[]",
        "\0",
        '{"place": "gm orders"}',
        '{"place": "gm orders", "at": 1, "text": "\\ud800"}',
        draft(place=""),
        draft(place="g" * 401),
        draft(at=-1),
        draft(at=2**53),
        draft(more=1),
        draft(text="x" * SIZE_LIMIT),
    ],
    ids=range(11),
)
def test_what_is_no_draft_of_a_page_is_not_kept(begun: Callable[..., Path], data: str) -> None:  # noqa: F811
    folder = begun("--map", "minsk", "--play", "POL", "--bots")
    assert window(folder, "POL").ask("keep", data).status in (400, 409)
    assert not (folder / DRAFTS).exists()


def test_a_seat_has_no_more_than_a_page_writes(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path, "POL", 1)
    half = "x" * (SIZE_LIMIT // 2)
    drafts.keep(draft("a", text=half).encode())
    drafts.keep(draft("b", text=half).encode())
    with pytest.raises(UnkeptError):
        drafts.keep(draft("c").encode())
    drafts.keep(draft("a", at=2, text="").encode())
    for number in range(MOST - 2):
        drafts.keep(draft(f"c{number}").encode())
    with pytest.raises(UnkeptError):
        drafts.keep(draft("d").encode())
    assert len(drafts.read()) == MOST


@pytest.mark.parametrize(
    "data", [b"", b"{", b"\xff", b'{"schema": 2}', b'{"schema": 1, "turn": 1, "drafts": [1]}']
)
def test_a_damaged_file_holds_no_draft_and_the_next_one_takes_its_place(data: bytes, tmp_path: Path) -> None:
    drafts = Drafts(tmp_path, "POL", 1)
    (tmp_path / DRAFTS).mkdir()
    (tmp_path / DRAFTS / "POL.json").write_bytes(data)
    assert drafts.read() == {}
    drafts.keep(draft().encode())
    assert drafts.read()["gm orders"].text == "a draft"
    assert Drafts(tmp_path, "POL", 2).read() == {}


def test_no_archive_has_drafts(table: Callable[..., Path], tmp_path: Path) -> None:  # noqa: F811
    folder = table("--map", "minsk", "--play", "POL", "--bots")
    window(folder, "POL").done("keep", draft())
    command("verify", "--game", folder)
    command("export", "--out", tmp_path / "game.zip", "--game", folder)
    command("import", tmp_path / "game.zip", tmp_path / "other")
    assert not (tmp_path / "other" / DRAFTS).exists()
