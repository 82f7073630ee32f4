"""Issue 39, item 2: a game master who never opened a terminal runs four weeks on ``pbem desk``, with all
mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from examples.medieval.demo import mail
from gm.store.folder import GameFolder
from tests.browser.conftest import DESK, PHONE, command
from tests.browser.test_accessibility import LOOKS, grave_findings
from tests.browser.test_play import Server, new_window  # noqa: F401
from tests.desk.asking import begin
from tests.desk.test_desk import orders_of


class Desk(Server):
    """``pbem desk`` over a folder, as a process."""

    command = "desk"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return begin(tmp_path / "minsk")


def answer(page: Any) -> str:
    """What came of the last button, once its command has ended."""
    page.locator("footer").wait_for(state="attached")
    return str(page.locator(".answer").inner_text())


def follow(page: Any, link: str) -> None:
    """Follow a link of the desk; the page that it leads to is there when this returns."""
    with page.expect_navigation():
        page.get_by_role("link", name=link).click()
    page.locator("footer").wait_for(state="attached")


def press(page: Any, button: str) -> str:
    with page.expect_navigation():
        page.get_by_role("button", name=button, exact=False).click()
    return answer(page)


def drop(page: Any, files: list[tuple[str, bytes]], button: str = "Check them") -> str:
    """Drop files on the desk, and press a button below them."""
    uploads = [{"name": name, "mimeType": "text/plain", "buffer": data} for name, data in files]
    page.locator("input[type=file]").set_input_files(uploads)
    return press(page, button)


def unfold(page: Any, name: str) -> Any:
    """Open a part of the page; returns it."""
    page.locator("summary", has_text=name).click()
    return page.locator("details[open]", has_text=name)


def states(page: Any) -> list[str]:
    return [str(text) for text in page.locator("td.state").all_inner_texts()]


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "telephone"])
def test_four_weeks_of_minsk(folder: Path, new_window: Callable[..., Any], screen: dict[str, Any]) -> None:  # noqa: F811
    """Every mistake of the first week, a killed server after the second, an undo after the third."""
    server = Desk(folder)
    try:
        page = new_window(server, **screen)
        assert states(page) == ["missing"] * 4
        extend(page)
        make_mistakes_with_files(page)
        assert "orders are missing from NOV" in press(page, "Play the turn")
        assert GameFolder(folder).newest_turn() == 0
        play_week(page, folder, 1)
        play_week(page, folder, 2)
        server.process.kill()  # the page goes on with the next one
        server.process.communicate()
        server.start()
        play_week(page, folder, 3)
        undo(page, folder, 3)
        play_week(page, folder, 3)
        play_week(page, folder, 4)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        with page.context.expect_page() as opened:
            page.get_by_role("link", name="Lithuania").click()
        opened.value.wait_for_load_state()
        assert "Lithuania" in opened.value.title()
        opened.value.close()
        command("verify", "--replay", "--game", folder)
    finally:
        server.stop()


def extend(page: Any) -> None:
    """Give more time, at first by a deadline in the past."""
    part = unfold(page, "Change the deadline")
    part.get_by_label("New time").first.fill("2020-01-01T20:00")
    part.get_by_role("button", name="Extend").click()
    assert page.locator("input:invalid").count() > 0, "the browser says that this is in the past"
    later = datetime.now(UTC) + timedelta(days=15)
    part.get_by_label("New time").first.fill(f"{later:%Y-%m-%dT20:00}")
    assert f"due {later:%A %Y-%m-%d} 20:00" in press(page, "Extend")


def make_mistakes_with_files(page: Any) -> None:
    """Drop a file of the wrong turn, one of the wrong realm, garbage, and two of one realm."""
    lit = orders_of(b"LIT")
    other = orders_of(b"POL").replace(b"realm: POL", b"realm: NOV")
    wrong = [("b.yaml", orders_of(b"TEU", 2)), ("c.yaml", other), ("<i>.yaml", bytes(range(9)))]
    checked = drop(page, [("a.yaml", lit), *wrong])
    assert "turn 2" in checked
    assert "<i>.yaml" in checked
    assert "1 file accepted of 4" in press(page, "Receive these files")
    assert states(page) == ["in", "missing", "missing", "missing"]
    assert "by a later file from this realm" in drop(
        page, [("a.yaml", lit + b"\n"), ("d.yaml", lit)], "Receive them"
    )


def play_week(page: Any, folder: Path, turn: int) -> None:
    """Check, receive, rehearse and play."""
    drop(page, [(path.name, path.read_bytes()) for path in mail(turn)])
    press(page, "Receive these files")
    assert states(page) == ["in"] * 4
    assert "nothing was written" in press(page, "Rehearse the turn")
    page.get_by_label("before the deadline").check()
    assert f"turn {turn}" in press(page, "Play the turn")
    assert GameFolder(folder).newest_turn() == turn


def undo(page: Any, folder: Path, turn: int) -> None:
    """Undo the newest turn, which is asked twice; the orders are still there."""
    part = unfold(page, "Undo the newest turn")
    part.get_by_label("Only you").check()
    assert "Do it?" in press(page, "Undo the turn")
    assert GameFolder(folder).newest_turn() == turn
    press(page, "Yes, do it")
    assert GameFolder(folder).newest_turn() == turn - 1
    assert states(page) == ["in"] * 4


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "telephone"])
def test_the_mistakes_of_game_masters_are_told_on_the_desk(
    folder: Path,
    new_window: Callable[..., Any],  # noqa: F811
    screen: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Issue 36, items 9, 12, 13, 15 and 17 to 19, as one meets them here; and what mends them."""
    monkeypatch.delenv("GM_EARLY", raising=False)
    server = Desk(folder)
    try:
        page = new_window(server, **screen)
        move_and_extend(page)
        drop_foreign_files(page)
        correct(page)
        replace(page)
        edit_the_position(page, folder)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_label("without the missing").check()
        assert "Nothing was played" in press(page, "Play the turn"), (
            "before the deadline that was promised (13)"
        )
        page.get_by_label("without the missing").check()
        page.get_by_label("before the deadline").check()
        press(page, "Play the turn")
        assert GameFolder(folder).newest_turn() == 1
        command("verify", "--replay", "--game", folder)
    finally:
        server.stop()


def move_and_extend(page: Any) -> None:
    """Move the deadline, then extend it (9)."""
    moved = datetime.now(UTC) + timedelta(days=16)
    for button, later in (("Move", moved), ("Extend", moved + timedelta(days=1))):
        part = unfold(page, "Change the deadline")
        part.get_by_label("New time").nth(int(button == "Move")).fill(f"{later:%Y-%m-%dT20:00}")
        assert f"due {later:%A %Y-%m-%d} 20:00" in press(page, button)


def drop_foreign_files(page: Any) -> None:
    """Drop a file in UTF-16, one in a zip archive (17), and one with a wrong key, which names the realm
    (15).
    """
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr("orders.yaml", orders_of(b"POL"))
    wide = orders_of(b"LIT").decode().encode("utf-16")
    said = drop(page, [("lit.txt", wide), ("pol.zip", packed.getvalue())], "Receive them")
    assert "2 files accepted" in said
    wrong = re.sub(rb"(?m)^key: .*$", b"key: wrong-key-1", orders_of(b"NOV"))
    assert "NOV" in drop(page, [("nov.yaml", wrong)], "Receive them")
    assert states(page) == ["in", "missing", "in", "missing"]


def correct(page: Any) -> None:
    """Correct the position: a realm that there is not is answered with those that there are (19)."""
    for correction, says in (("gold LTI +5", "LIT"), ("gold LIT +5", "It counts from now on")):
        part = unfold(page, "Correct the position")
        part.locator("input[name=CORRECTION]").fill(correction)
        part.locator("input[name='--why']").fill("a slip")
        assert says in press(page, "Correct it")


def replace(page: Any) -> None:
    """Seat a replacement player: it is asked twice."""
    part = unfold(page, "Seat a replacement player")
    part.locator("select").select_option("NOV")
    part.get_by_label("Address").fill("carla@example.org")
    assert "cannot be taken back" in press(page, "Seat this player")
    assert "plays Novgorod from turn 1 on" in press(page, "Yes, do it")


def edit_the_position(page: Any, folder: Path) -> None:
    """Edit the position by hand: the turn is not played, and the message names the correction (12)."""
    state = folder / "turns/turn-00/state.json"
    data = state.read_bytes()
    state.write_bytes(data.replace(b"Lithuania", b"Lituania", 1) if b"Lithuania" in data else data + b" ")
    page.get_by_label("without the missing").check()
    page.get_by_label("before the deadline").check()
    assert "amend" in press(page, "Play the turn")
    assert GameFolder(folder).newest_turn() == 0
    state.write_bytes(data)
    follow(page, "This week")


def test_two_windows_and_a_terminal_are_told_of_each_other(
    folder: Path,
    new_window: Callable[..., Any],  # noqa: F811
) -> None:
    """A page that is older than the game does nothing, and shows the game as it is."""
    server = Desk(folder)
    try:
        first = new_window(server)
        second = new_window(server)
        command("turn", "--missing-ok", "--early", "--game", folder)
        first.get_by_label("without the missing").check()
        assert "has moved on in another window or a terminal" in press(first, "Play the turn")
        assert GameFolder(folder).newest_turn() == 1
        first.get_by_label("without the missing").check()
        first.get_by_label("before the deadline").check()
        press(first, "Play the turn")
        assert "has moved on" in press(second, "Rehearse the turn")
        assert "turn 3" in second.get_by_role("button", name="Play the turn").inner_text()
    finally:
        server.stop()


def test_the_desk_works_by_keys_alone(folder: Path, new_window: Callable[..., Any]) -> None:  # noqa: F811
    """Tab, Enter and typing are enough."""
    server = Desk(folder)
    try:
        page = new_window(server)
        reach(page, "Change the deadline")
        page.keyboard.press("Enter")
        reach(page, "Put the game on hold", back_first="a fair")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        assert "on hold: a fair" in answer(page)
        reach(page, "Rehearse the turn")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        assert "nothing was written" in answer(page)
    finally:
        server.stop()


FOCUSED = "(document.activeElement?.innerText ?? '').trim()"


def reach(page: Any, name: str, back_first: str = "") -> None:
    """Go with the Tab key to what is called so; ``back_first``: type this into the field before it."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED) == name:
            break
    assert page.evaluate(FOCUSED) == name
    if back_first:
        page.keyboard.press("Shift+Tab")
        page.keyboard.type(back_first)
        page.keyboard.press("Tab")


@pytest.mark.parametrize("look", LOOKS)
def test_the_desk_keeps_nobody_out(folder: Path, new_window: Callable[..., Any], look: str) -> None:  # noqa: F811
    command("new", folder.parent / "duel", "--game", "conquest-fields", "--play", "RED", "--bots", "greedy")
    server = Desk(folder.parent)
    try:
        page = new_window(server, **LOOKS[look])
        assert grave_findings(page) == []
        follow(page, "minsk")
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        assert grave_findings(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        drop(page, [("a.yaml", orders_of(b"LIT")), ("b.yaml", b"nonsense")])
        assert grave_findings(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    finally:
        server.stop()


def test_the_desk_is_to_be_had_in_german(folder: Path, new_window: Callable[..., Any]) -> None:  # noqa: F811
    server = Desk(folder)
    try:
        page = new_window(server, locale="de-AT")
        assert page.locator("html").get_attribute("lang") == "de"
        assert states(page) == ["fehlt"] * 4
        text = drop(page, [("a.yaml", orders_of(b"LIT").replace(b"realm: LIT", b"realm: XXX"))], "Prüfen")
        assert re.search(r"Not done|Error|\bthe\b", page.locator(".answer > .state").inner_text()) is None
        assert "a.yaml" in text
    finally:
        server.stop()
