"""How a browser finds the page of ``pbem play``: no secret on a command line, and the same address after a
restart.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from starlette.responses import PlainTextResponse

from gm.cli import serving
from gm.cli.addresses import AddressBook
from gm.cli.doorway import HERE, Doorway
from tests.play.asking import HOST, TOKEN, Answer, call

needs_permissions = pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")


@pytest.fixture
def doorway() -> Doorway:
    return Doorway(PlainTextResponse("the page"), TOKEN, HOST)


def path_of(address: str) -> Path:
    assert address.startswith("file:")
    return Path(url2pathname(urlsplit(address).path))


def led_to(page: str) -> str:
    """Where a page leads by itself."""
    return page.partition('content="0; url=')[2].partition('"')[0]


def come(doorway: Doorway, path: str, **heads: str) -> Answer:
    """A browser that comes from a file, to which Chromium says that this is another site."""
    return call(doorway, "GET", path, heads={"sec-fetch-site": "cross-site", **heads})


# -- the file and the door -----------------------------------------------------------------------------------


@needs_permissions
def test_the_file_is_its_owners_alone_and_holds_no_token(doorway: Doorway, tmp_path: Path) -> None:
    """item 31: others on a machine see command lines; the file on it can be read by nobody else."""
    umask = os.umask(0)
    try:
        path = path_of(doorway.open([tmp_path / "missing", tmp_path]))
    finally:
        os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert path.parent.parent == tmp_path
    assert TOKEN not in path.read_text("utf-8")
    assert TOKEN not in str(path)


def test_the_file_leads_to_the_door_and_the_door_to_the_page_once(doorway: Doorway, tmp_path: Path) -> None:
    """item 31: the file is gone and the door shut as soon as the page was asked for."""
    path = path_of(doorway.open([tmp_path]))
    door = urlsplit(led_to(path.read_text("utf-8")))
    assert door.netloc == HOST
    answer = come(doorway, door.path)
    assert led_to(answer.text) == f"/{TOKEN}/"
    assert (answer.heads["cache-control"], answer.heads["referrer-policy"]) == ("no-store", "no-referrer")
    assert path.exists()
    assert come(doorway, f"/{TOKEN}/").text == "the page"
    assert list(tmp_path.iterdir()) == []
    # what is inside answers: the guard, that there is nothing
    assert come(doorway, door.path).text == "the page"


@pytest.mark.parametrize(
    "heads", [{"host": "evil.example:8000"}, {"origin": "null"}, {"origin": f"http://{HOST}"}]
)
def test_the_door_is_for_browsers_that_call_this_machine(
    doorway: Doorway, tmp_path: Path, heads: dict[str, str]
) -> None:
    """item 31: the guards of Host and Origin stand before the door, too."""
    door = urlsplit(led_to(path_of(doorway.open([tmp_path])).read_text("utf-8"))).path
    assert TOKEN not in come(doorway, door, **heads).text
    assert TOKEN not in call(doorway, "POST", door).text
    assert TOKEN not in come(doorway, f"{door}x").text
    assert TOKEN in come(doorway, door).text


def test_a_server_that_ends_leaves_no_file(doorway: Doorway, tmp_path: Path) -> None:
    """item 31: nor is one made where no folder can be written to."""
    assert doorway.open([tmp_path / "missing"]) == ""
    assert doorway.open([tmp_path])
    doorway.close()
    assert list(tmp_path.iterdir()) == []


def test_the_door_behind_the_token_leads_in_whoever_knows_it(doorway: Doorway) -> None:
    """item 31: by which a browser comes from an address that the table had earlier."""
    assert led_to(come(doorway, f"/{TOKEN}/{HERE}").text) == f"/{TOKEN}/"
    for heads in ({"host": "evil.example:8000"}, {"origin": "null"}):
        assert come(doorway, f"/{TOKEN}/{HERE}", **heads).text == "the page"
    assert call(doorway, "POST", f"/{TOKEN}/{HERE}").text == "the page"
    assert come(doorway, f"/{TOKEN}x/{HERE}").text == "the page"


def test_who_comes_to_an_earlier_address_with_the_token_is_led_on() -> None:
    """item 31: its own token to itself, another's to that table, any other nowhere."""
    others = {"another-token": "127.0.0.1:9000"}
    doorway = Doorway(PlainTextResponse("the page"), TOKEN, HOST, ["127.0.0.1:7000"], others.get)
    old = {"host": "127.0.0.1:7000"}
    assert led_to(come(doorway, f"/{TOKEN}/", **old).text) == f"http://{HOST}/{TOKEN}/{HERE}"
    for heads in (old, {}):
        assert (
            led_to(come(doorway, "/another-token/", **heads).text)
            == f"http://127.0.0.1:9000/another-token/{HERE}"
        )
        assert led_to(come(doorway, "/unknown/", **heads).text) == ""
        assert led_to(come(doorway, "/another-token/", **heads, origin="null").text) == ""
    assert come(doorway, f"/{TOKEN}/").text == "the page"


# -- the address ---------------------------------------------------------------------------------------------


def test_a_folder_keeps_its_token(tmp_path: Path) -> None:
    """item 31: after a restart the address is the same, and another folder's is another."""
    kept = tmp_path / "kept"
    first = AddressBook(kept).token(tmp_path / "solo")
    assert len(first) == 32
    assert AddressBook(kept).token(tmp_path / "solo") == first
    assert AddressBook(kept).token(tmp_path / "duo") != first
    assert {path.suffix for path in kept.iterdir()} == {".token"}


@needs_permissions
def test_a_token_that_others_could_have_read_is_none(tmp_path: Path) -> None:
    """item 31: a file that is open to others, no file, or holds something else is written anew."""
    kept = tmp_path / "kept"
    folder = tmp_path / "solo"
    first = AddressBook(kept).token(folder)
    (path,) = kept.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    second = AddressBook(kept).token(folder)
    assert second != first
    assert AddressBook(kept).token(folder) == second
    path.write_text("../../etc", encoding="ascii")
    third = AddressBook(kept).token(folder)
    assert len(third) == 32
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").write_text(first, encoding="ascii")
    assert AddressBook(kept).token(folder) != first
    kept.chmod(0o777)
    assert AddressBook(kept).token(folder) != AddressBook(kept).token(folder)


def test_where_nothing_can_be_kept_the_page_is_served_all_the_same(tmp_path: Path) -> None:
    """item 31: a home that cannot be written to."""
    (tmp_path / "kept").write_text("a file", encoding="utf-8")
    tokens = {AddressBook(tmp_path / "kept").token(tmp_path / "solo") for _ in range(2)}
    assert sorted(map(len, tokens)) == [32, 32]


# -- the command ---------------------------------------------------------------------------------------------


def test_the_browsers_command_line_holds_a_file_and_the_terminal_an_address_that_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """item 31: what is opened, what is printed, and what a second start prints."""
    import uvicorn

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(serving, "has_screen", lambda: True)
    opened: list[str] = []
    answers: list[Answer] = []

    def browse(address: str) -> bool:
        opened.append(address)
        return True

    def run(server: Any, sockets: Any) -> None:
        host = f"127.0.0.1:{sockets[0].getsockname()[1]}"
        door = led_to(path_of(opened[-1]).read_text("utf-8"))
        answers.append(come(server.config.app, urlsplit(door).path, host=host))

    monkeypatch.setattr("webbrowser.open", browse)
    monkeypatch.setattr(uvicorn.Server, "run", run)
    made: list[tuple[str, str]] = []

    def application(token: str, host: str) -> Any:
        made.append((token, host))
        return PlainTextResponse("the page")

    folder = tmp_path / "solo"
    for _ in range(2):
        serving.serve(folder, application, None, browser=True)
        token, host = made[-1]
        assert f"  http://{host}/{token}/\n" in capsys.readouterr().out
        assert token not in opened[-1]
        assert led_to(answers[-1].text) == f"/{token}/"
        assert not path_of(opened[-1]).exists()
    assert made[0] == made[1]
    assert {path.name for path in tmp_path.iterdir()} == {"cache"}
