"""Issue 39, item 2: a week of Minsk on ``pbem desk`` in German, with the game master's mistakes."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gm.store.folder import GameFolder
from tests.browser.conftest import DESK, PHONE, command
from tests.browser.test_accessibility import LOOKS, grave_findings
from tests.browser.test_desk import Desk, answer, folder, follow, states  # noqa: F401
from tests.browser.test_play import new_window  # noqa: F401
from tests.desk.test_desk import orders, orders_of

ENGLISH = re.compile(
    r"\b(?:the|is|are|of|and|with|from|this|it|not|been|turn|orders|file|files|missing|error|warning|done|you)\b"
)
"""Words that no German sentence has."""
TYPED = re.compile(
    r"\bpbem [^\n]*|'[^'\n]*'|--[\w-]+|\S*[/\\]\S*|\S+\.(?:yaml|html|txt)|(?m:^ *\d* \|.*$)|\[[\w/-]+\]"
    r"|(?:[A-Z]\w+|\n) +(?:the|of) +[A-Z]|[A-Z]\w+ (?:the|of)\b|Orders from"
)
"""What is typed or quoted, the names of files, and lines of them."""


def german(text: str) -> str:
    """Return the text of an answer, which is German from beginning to end."""
    lines = [line for line in TYPED.sub(" ", text).splitlines() if ENGLISH.search(line)]
    assert lines == []
    return text


def press(page: Any, button: str) -> str:
    with page.expect_navigation():
        page.locator("button", has_text=re.compile(rf"^\s*{button}")).first.click()
    return german(answer(page))


def drop(page: Any, files: list[tuple[str, bytes]], button: str) -> str:
    """Drop files on the desk, and press a button below them."""
    uploads = [{"name": name, "mimeType": "text/plain", "buffer": data} for name, data in files]
    page.locator("input[type=file]").set_input_files(uploads)
    return press(page, button)


def unfold(page: Any, name: str) -> Any:
    """Open a part of the page; returns it."""
    page.locator("summary", has_text=name).click()
    return page.locator("details[open]", has_text=name)


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "telephone"])
def test_a_week_of_minsk_in_german(
    folder: Path,  # noqa: F811
    new_window: Callable[..., Any],  # noqa: F811
    screen: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All answers of the week are German: of the page, of the commands, of their errors."""
    monkeypatch.delenv("GM_EARLY", raising=False)
    server = Desk(folder)
    try:
        page = new_window(server, **screen, locale="de-DE")
        assert states(page) == ["fehlt"] * 4
        change_deadline(page)
        drop_files(page)
        correct_and_replace(page)
        play(page, folder)
        break_and_mend(page, folder)
        undo(page, folder)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        command("verify", "--replay", "--game", folder)
    finally:
        server.stop()


def change_deadline(page: Any) -> None:
    """Extend it, move it, put the game on hold and resume it."""
    moved = datetime.now(UTC) + timedelta(days=16)
    for button, later in (("Verschieben", moved), ("Verlängern", moved + timedelta(days=1))):
        part = unfold(page, "Frist ändern")
        part.locator("input[type=datetime-local]").nth(int(button == "Verschieben")).fill(
            f"{later:%Y-%m-%dT20:00}"
        )
        assert f"fällig am {DAYS[later.weekday()]} {later:%Y-%m-%d} 20:00" in press(page, button)
    unfold(page, "Frist ändern").locator("input[type=datetime-local]").first.fill(f"{moved:%Y-%m-%dT20:00}")
    assert "Eine Verlängerung muss später enden" in press(page, "Verlängern")
    unfold(page, "Frist ändern").locator("input[name=WHY]").fill("Messe")
    assert "das Spiel ruht (Messe)" in press(page, "Spiel ruhen lassen")
    unfold(page, "Frist ändern")
    press(page, "Spiel fortsetzen")


DAYS = ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")


def drop_files(page: Any) -> None:
    """Drop none, foreign ones, two of one realm, and those of the week."""
    press(page, "Annehmen")
    lit = orders_of(b"LIT")
    other = orders_of(b"POL").replace(b"realm: POL", b"realm: NOV")
    wrong = [("b.yaml", orders_of(b"TEU", 2)), ("c.yaml", other), ("d.yaml", bytes(range(9)))]
    drop(page, [("a.yaml", lit), *wrong], "Prüfen")
    assert "angenommen von 4" in press(page, "Diese Dateien annehmen")
    assert "spätere Datei" in drop(page, [("a.yaml", lit + b"\n"), ("e.yaml", lit)], "Annehmen")
    assert "Es fehlen Befehle von" in press(page, "Zug spielen")
    drop(page, orders(), "Prüfen")
    assert "4 Dateien angenommen von 4" in press(page, "Diese Dateien annehmen").replace(
        "3 Dateien", "4 Dateien"
    )
    assert states(page) == ["liegt vor"] * 4


def correct_and_replace(page: Any) -> None:
    """Correct the position, wrongly at first; record an absence; seat a replacement player."""
    for correction, says in (
        ("gold LTI +5", "meintest du 'LIT'?"),
        ("glod LIT +5", "meintest du 'gold'?"),
        ("gold LIT +5", "Es gilt ab sofort"),
    ):
        part = unfold(page, "Stellung berichtigen")
        part.locator("input[name=CORRECTION]").fill(correction)
        part.locator("input[name='--why']").fill("Versehen")
        assert says in press(page, "Berichtigen")
    unfold(page, "Stellung berichtigen")
    assert "Zurückgenommen" in press(page, "Letzte Berichtigung zurücknehmen")
    part = unfold(page, "Jemand ist abwesend")
    part.locator("select").select_option("POL")
    part.locator("input[name='--until']").fill("2")
    assert "POL ist abwesend" in press(page, "Abwesend")


def play(page: Any, folder: Path) -> None:  # noqa: F811
    """Rehearse and play, before the deadline only when that is ticked."""
    assert "Nichts wurde geschrieben" in press(page, "Zug proben")
    assert "Nichts wurde gespielt" in press(page, "Zug spielen")
    page.locator("input[name='--early']").check()
    assert "Zug 1 ist gespielt" in press(page, "Zug spielen")
    assert GameFolder(folder).newest_turn() == 1


def break_and_mend(page: Any, folder: Path) -> None:  # noqa: F811
    """A broken file is told in its place; when it is right again, the desk carries on."""
    path = folder / "game.yaml"
    before = path.read_bytes()
    path.write_bytes(before.replace(b"deadline:", b"deadlin:", 1))
    follow(page, "Diese Woche")
    assert "meintest du 'deadline'?" in german(page.locator("pre").inner_text())
    assert grave_findings(page) == []
    path.write_bytes(before)
    follow(page, "Noch einmal nachsehen")
    assert states(page) == ["fehlt"] * 4


def undo(page: Any, folder: Path) -> None:  # noqa: F811
    """Undo the turn, whose results are known: it wants a reason, and is asked twice."""
    for reason, says in (("", "warum er zurückgenommen wird"), ("Irrtum", "Das Spiel ruht")):
        part = unfold(page, "Neuesten Zug")
        part.locator("input[value='--published']").check()
        part.locator("input[name='--why']").fill(reason)
        press(page, "Zug zurücknehmen")
        assert says in press(page, "Ja")
    assert GameFolder(folder).newest_turn() == 0


@pytest.mark.parametrize("look", LOOKS)
def test_the_german_desk_keeps_nobody_out(
    folder: Path,  # noqa: F811
    new_window: Callable[..., Any],  # noqa: F811
    look: str,
) -> None:
    """Axe-core finds nothing on the list, the week with all its parts open, and an answer."""
    command("new", folder.parent / "duel", "--game", "conquest-fields", "--play", "RED", "--bots", "greedy")
    (folder.parent / "broken").mkdir()
    (folder.parent / "broken" / "game.yaml").write_text("a: [", encoding="utf-8")
    server = Desk(folder.parent)
    try:
        page = new_window(server, **LOOKS[look], locale="de-DE")
        assert grave_findings(page) == []
        follow(page, "broken")
        assert grave_findings(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        follow(page, "minsk")
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        german(page.locator("main").inner_text())
        assert grave_findings(page) == []
        drop(page, [("a.yaml", orders_of(b"LIT")), ("b.yaml", b"nonsense")], "Prüfen")
        assert grave_findings(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    finally:
        server.stop()
