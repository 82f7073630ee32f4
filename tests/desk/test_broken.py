"""Issue 39, item 2: a game with a broken file is told on the desk in its place, and harms no other."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

from tests.commands import command
from tests.desk.asking import Browser, begin, browser
from tests.play.test_play import AT

Change = Callable[[bytes], bytes]


def replaced(pattern: str, new: str) -> Change:
    return lambda data: re.sub(pattern.encode(), new.encode(), data, count=1)


def written(text: bytes) -> Change:
    return lambda _: text


BROKEN: dict[str, tuple[str, Change, str, str]] = {
    "no YAML": ("game.yaml", written(b"a: [1"), "this '[' is not closed", "diese '[' ist nicht geschlossen"),
    "a page": ("game.yaml", written(b"<script>"), "this is a web page", "das ist eine Webseite"),
    "empty": ("game.yaml", written(b""), "the file is empty", "die Datei ist leer"),
    "bytes": ("game.yaml", written(bytes(range(256))), "not a text file", "keine Textdatei"),
    "an unknown key": (
        "game.yaml",
        lambda data: data + b"hooky: 1\n",
        "did you mean 'hooks'?",
        "meintest du 'hooks'?",
    ),
    "a wrong key": (
        "game.yaml",
        replaced("deadline:", "deadlin:"),
        "did you mean 'deadline'?",
        "meintest du 'deadline'?",
    ),
    "a wrong type": (
        "game.yaml",
        replaced("deadline:", "missed: many\ndeadline:"),
        "a valid integer",
        "eine ganze Zahl",
    ),
    "a newer format": ("game.yaml", replaced(r"schema: \d+", "schema: 99"), "newer pbem", "neueres pbem"),
    "an unknown game": (
        "game.yaml",
        replaced("game: medieval", "game: medieva"),
        "did you mean 'medieval'?",
        "meintest du 'medieval'?",
    ),
    "a player's key": (
        "players.yaml",
        replaced("secret: ", "sekret: "),
        "did you mean 'secret'?",
        "meintest du 'secret'?",
    ),
    "a player's address": (
        "players.yaml",
        replaced("@example.org", ""),
        "is not an e-mail address",
        "ist keine E-Mail-Adresse",
    ),
    "a list for entries": ("players.yaml", written(b"- 1\n"), "no named entries", "keine benannten Einträge"),
    "newer players": ("players.yaml", replaced(r"schema: \d+", "schema: 99"), "newer pbem", "neueres pbem"),
    "a position": ("turns/turn-00/state.json", written(b"{"), "is damaged", "ist beschädigt"),
    "a position of another kind": (
        "turns/turn-00/state.json",
        written(b'{"schema": 1}'),
        "is damaged",
        "ist beschädigt",
    ),
    "a turn": ("turns/turn-00/turn.json", written(b"{"), "is damaged", "ist beschädigt"),
    "a journal": (
        "journal.jsonl",
        written(b"{nonsense\n"),
        "not a line of a journal",
        "keine Zeile eines Journals",
    ),
    "pins": ("pinned.json", written(b"{nonsense\n"), "is damaged", "ist beschädigt"),
    "receipts": ("inbox/turn-01/receipts.json", written(b"{nonsense"), "is damaged", "ist beschädigt"),
    "settings of mail": ("mail.yaml", written(b"a: ["), "the file ends before", "die Datei endet, bevor"),
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two games, each of which may be broken and is mended again."""
    folder = tmp_path_factory.mktemp("games")
    begin(folder / "minsk")
    command("new", folder / "duel", "--game", "conquest-fields", "--play", "RED", *AT)
    return folder


def error_in(page: str) -> str:
    """Return the error that a page shows in its place."""
    section = re.search(r'role="alert">.*?<pre tabindex="0">(.*?)</pre>', page, re.DOTALL)
    assert section is not None, page[-2000:]
    return unescape(section[1])


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_is_told_in_its_place_and_the_rest_goes_on(root: Path, what: str) -> None:
    """In both languages: the file, what is wrong, the way to the other games; and all is well once mended."""
    name, change, english, german = BROKEN[what]
    path = root / "minsk" / name
    before = path.read_bytes() if path.exists() else None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(change(before or b""))
    try:
        for language, says in (("en", english), ("de", german)):
            window = browser(root, root, language)
            answer = window.get("minsk/")
            assert says in error_in(answer.text)
            assert name in error_in(answer.text)
            assert f'<html lang="{language}">' in answer.text
            assert 'href="../duel/"' in answer.text
            assert answer.text.rstrip().endswith("</html>")
            assert 'href="minsk/"' in window.get().text
            assert name != "game.yaml" or says in unescape(window.get().text)
            assert window.evolve(name="duel").week()
            pressed = window._post(b"act=turn&turn=1", "application/x-www-form-urlencoded")
            assert says in error_in(pressed.text)
    finally:
        path.unlink()
        if before is not None:
            path.write_bytes(before)
    assert browser(root, root).week().count(">missing<") == 4


@pytest.mark.parametrize(("language", "says"), [("en", "Page not found."), ("de", "Seite nicht gefunden.")])
def test_a_game_that_is_gone_leaves_the_way_to_the_others(root: Path, language: str, says: str) -> None:
    window = browser(root, root, language)
    shutil.move(root / "minsk", root / ".minsk")
    try:
        gone = window.get("minsk/")
        assert (gone.status, error_in(gone.text)) == (404, says)
        assert 'href="../duel/"' in gone.text
    finally:
        shutil.move(root / ".minsk", root / "minsk")
    assert window.week()
    deep = window.get("minsk/turns/turn-00/results/none.html")
    assert deep.status == 404
    assert 'href="../../../../duel/"' in deep.text


def test_a_folder_that_cannot_be_read_is_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The look at the folder itself fails."""
    window: Browser = browser(root, root)

    def unreadable() -> dict[str, Path]:
        raise PermissionError(13, "Permission denied", str(root))

    window.desk.lent = window.desk.lent.evolve(games=unreadable)
    answer = window.get()
    assert answer.status == 500
    assert "Permission denied. Check the owner and the permissions." in error_in(answer.text)


@pytest.mark.slow
def test_a_file_that_breaks_while_a_command_runs_leaves_the_page_whole(root: Path) -> None:
    """The answer ends with the error and with the rest of the page as it was."""
    window = browser(root, root)
    run = window.desk.lent.run
    path = root / "minsk" / "game.yaml"
    before = path.read_bytes()

    def breaking(*asked: object) -> object:
        running = run(*asked)  # type: ignore[arg-type]
        path.write_bytes(b"a: [")
        return running

    window.desk.lent = window.desk.lent.evolve(run=breaking)
    try:
        text = window.press("rehearse")
    finally:
        path.write_bytes(before)
    assert "the file ends before" in text
    assert "dry run" in browser(root, root).press("rehearse")
