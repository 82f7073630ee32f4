"""Issue 39, item 2: ``pbem desk`` without a browser: who may ask, the week, its buttons, mistakes, two
windows.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from datetime import date
from itertools import chain
from pathlib import Path

import click
import pytest

from examples.medieval.demo import mail
from gm.cli.app import gm as program
from gm.cli.session import open_campaign
from gm.desk.acts import ACTS, NotDoneError, command_line, words_of
from gm.desk.page import calendar_weeks, shown_file
from gm.desk.server import MOST_BYTES, MOST_FILES
from gm.store.disk import locked
from tests.commands import command
from tests.desk.asking import Browser, begin, browser, said
from tests.play.asking import HOST, TOKEN, call
from tests.play.test_play import AT


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example's game before its first turn; not to be changed."""
    return begin(tmp_path_factory.mktemp("desk") / "minsk")


@pytest.fixture
def folder(begun: Path, tmp_path: Path) -> Path:
    """The same, to play on."""
    return Path(shutil.copytree(begun, tmp_path / "minsk"))


@pytest.fixture
def window(folder: Path) -> Browser:
    return browser(folder, folder.parent)


def orders(turn: int = 1) -> list[tuple[str, bytes]]:
    return [(path.name, path.read_bytes()) for path in mail(turn)]


def orders_of(realm: bytes, turn: int = 1) -> bytes:
    return next(data for _, data in orders(turn) if re.search(rb"(?m)^\W*realm: *" + realm, data))


# -- the table of buttons ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ACTS)
def test_every_button_is_a_command_with_options_that_it_has(name: str) -> None:
    act = ACTS[name]
    context = click.Context(program)
    button = program.get_command(context, act.words[0])
    for word in act.words[1:]:
        assert isinstance(button, click.Group)
        button = button.get_command(context, word)
    assert button is not None
    flags = {*chain.from_iterable((*param.opts, *param.secondary_opts) for param in button.params)}
    assert {*act.always, *act.options, *chain.from_iterable(act.switches)} <= flags


def test_what_is_typed_stays_one_word(tmp_path: Path) -> None:
    typed = {
        "REALM": "--help; rm -rf /",
        "--name": "--email=x $(id)",
        "--email": "a@b.example",
        "--port": "1",
    }
    words = words_of(ACTS["replace"], Path("minsk"), typed)
    options = ["--name=--email=x $(id)", "--email=a@b.example", "--game=minsk"]
    assert words == ["player", "replace", *options, "--", "--help; rm -rf /"]
    assert command_line(words).startswith("pbem player replace '--name=--email=x $(id)'")
    assert words_of(ACTS["turn"], Path("minsk"), {"--early": "--reject=LIT:all"}) == [
        "turn",
        "--game=minsk",
        "--",
    ]
    assert (
        words_of(ACTS["extend"], Path("g"), {"--until": "2026-12-06T20:00"})[2] == "--until=2026-12-06 20:00"
    )


@pytest.mark.parametrize(
    "typed", [{"--why": "a\0b"}, {"--why": "x" * 30_000}, {"CORRECTION": "name LIT 'Duchy"}]
)
def test_what_no_field_holds_is_refused(typed: dict[str, str]) -> None:
    with pytest.raises(NotDoneError):
        words_of(ACTS["amend"], Path("minsk"), typed)


# -- who may ask, and what is shown --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "heads",
    [{"host": "evil.example:8000"}, {"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}],
)
def test_the_guard_stands_before_the_desk(window: Browser, heads: dict[str, str]) -> None:
    assert window.get("minsk/", heads).status == 404
    assert window.get("../minsk/").status == 404


def test_one_game_opens_its_week_and_several_their_list(window: Browser, folder: Path) -> None:
    answer = window.get()
    assert (answer.status, answer.heads["location"]) == (303, "minsk/")
    command(
        "new", folder.parent / "duel", "--game", "conquest-fields", "--play", "RED", "--every", "none", *AT
    )
    (folder.parent / "broken").mkdir()
    (folder.parent / "broken" / "game.yaml").write_text("<script>", encoding="utf-8")
    listed = browser(folder.parent, folder.parent).get()
    assert listed.status == 200
    assert 'href="minsk/"' in listed.text
    assert "0 / 4" in listed.text
    assert "<script>" not in listed.text
    assert "never" not in browser(folder.parent, folder.parent).evolve(name="duel").week()
    assert window.get("elsewhere/").status == 404


def test_the_week_shows_its_steps_in_order(window: Browser) -> None:
    text = window.week()
    steps = [
        text.index(f'<h2 id="{name}">') for name in ("due", "orders", "rehearse", "play", "results", "right")
    ]
    assert steps == sorted(steps)
    assert text.count(">missing<") == 4
    assert "<script" not in text
    assert "pbem turn [--missing-ok] [--early]" in text


def test_the_desk_speaks_the_browsers_language(folder: Path) -> None:
    heads = {"accept-language": "xx,de-AT;q=0.9,en;q=0.5"}
    assert '<html lang="de">' in browser(folder, folder.parent, "").get("minsk/", heads).text
    assert '<html lang="en">' in browser(folder, folder.parent, "").get("minsk/").text


def test_the_summary_is_in_the_windows_language_and_the_file_in_the_games(folder: Path) -> None:
    command("turn", "--missing-ok", "--early", "--game", folder)
    kept = (folder / "turns/turn-01/summary.html").read_bytes()
    english = browser(folder, folder, "en").get("minsk/turns/turn-01/summary.html").text
    assert english.encode() == kept
    german = browser(folder, folder, "de").get("minsk/turns/turn-01/summary.html").text
    assert '<html lang="de">' in german
    assert "Diese Seite zeigt, was die Reiche voreinander geheim halten" in german
    links = set(re.findall(r'href="(results/[^"#]+)"', german))
    assert any(".de.html" in link for link in links)
    for link in links:
        assert browser(folder, folder, "de").get(f"minsk/turns/turn-01/{link}").status == 200, link
    assert (folder / "turns/turn-01/summary.html").read_bytes() == kept


def test_a_players_page_is_shown_as_the_player_sees_it_and_no_other_file(
    window: Browser, folder: Path
) -> None:
    answer = window.get("minsk/turns/turn-00/results/LIT.html")
    assert answer.body == (folder / "turns/turn-00/results/LIT.html").read_bytes()
    assert "connect-src 'none'; form-action 'none'" in answer.heads["content-security-policy"]
    for name in (
        "players.yaml/",
        "../minsk/turns/turn-00/results/LIT.html",
        "turns/turn-00/state.json",
        "mail/x.yaml",
    ):
        assert window.get(f"minsk/{name}").status == 404, name
    (folder / "turns/turn-00/results/out.html").symlink_to("/etc/passwd")
    assert shown_file(folder, "turns/turn-00/results/out.html") is None


def test_the_calendar_holds_today_and_the_deadline() -> None:
    weeks = calendar_weeks(date(2026, 11, 28), date(2026, 12, 6))
    assert [len(week) for week in weeks] == [7, 7]
    marked = {what: day.isoformat() for day, what in chain.from_iterable(weeks) if what}
    assert marked == {"today": "2026-11-28", "due": "2026-12-06"}
    assert len(calendar_weeks(date(2026, 1, 1), date(2028, 1, 1))) == 6


# -- a week --------------------------------------------------------------------------------------------------


def test_files_are_checked_and_then_received(window: Browser, folder: Path) -> None:
    page = window.dropped("check", orders())
    assert "In all:" in said(page)
    assert open_campaign(folder).folder.inbox(1).current(["LIT"]) == {}
    kept = re.findall(r'name="checked" value="(\w+)"', page.text)
    assert "Turn 1: 4 files accepted of 4." in window.drop("receive", [], checked=kept[0])
    assert "Choose order files first" in window.drop("receive", [], checked="another")
    assert window.week().count(">in<") == 4


@pytest.mark.slow
def test_the_turn_is_rehearsed_played_and_undone(
    window: Browser, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rehearsal writes nothing, a turn before its deadline wants a word, an undo is asked twice."""
    monkeypatch.delenv("GM_EARLY", raising=False)
    window.drop("receive", orders())
    assert "This was a dry run of turn 1: nothing was written." in window.press("rehearse")
    assert "Until then orders may come" in window.press("turn")
    assert open_campaign(folder).newest_turn == 0
    played = window.press("turn", __early="--early")
    assert "pbem turn --early --game=minsk" in played
    assert played.endswith("Done.")
    assert open_campaign(folder).newest_turn == 1
    assert "Do it?" in window.press("undo", turn=2, __unpublished="--unpublished")
    assert open_campaign(folder).newest_turn == 1
    assert window.press("undo", turn=2, __unpublished="--unpublished", sure="yes").endswith("Done.")
    assert open_campaign(folder).newest_turn == 0


def test_mistakes_are_told_and_change_nothing_else(window: Browser, folder: Path) -> None:
    """Two files for one realm, a file of the wrong turn, a wrong realm, garbage."""
    data = orders_of(b"LIT")
    wrong_turn = ("turn-2.yaml", orders_of(b"TEU", 2))
    wrong_realm = ("realm.yaml", orders_of(b"POL").replace(b"realm: POL", b"realm: NOV"))
    garbage = ("../../../<img src=x>.yaml", bytes(range(256)))
    twice = [("a.yaml", data), ("b.yaml", data + b"# again\n")]
    text = window.drop("receive", [*twice, wrong_turn, wrong_realm, garbage])
    assert "a.yaml (by a later file from this realm)" in text
    assert len(re.findall(r"\brejected +(?:\w{3}|\?{3}) ", text)) == 3
    assert "1 file accepted of 5" in text
    assert "<img src=x>.yaml" in text, "as words, not as a picture"
    inbox = folder / "inbox" / "turn-01"
    assert {path.name for path in inbox.iterdir()} == {"LIT.yaml", "receipts.json", "rejected"}
    assert not [path for path in folder.parent.iterdir() if path.name != "minsk"]


def test_a_page_of_an_earlier_turn_does_nothing(window: Browser, folder: Path) -> None:
    """Two windows, and a command in a terminal beside them."""
    command("turn", "--missing-ok", "--early", "--game", folder)
    for act in ("turn", "undo", "rehearse", "nonsense"):
        assert "has moved on in another window or a terminal" in window.press(
            act, __missing_ok="--missing-ok"
        )
    assert "has moved on" in window.drop("receive", orders())
    assert open_campaign(folder).newest_turn == 1


@pytest.mark.slow
def test_a_game_that_is_being_changed_is_told(window: Browser, folder: Path) -> None:
    with locked(folder):
        assert "Not done" in window.press("hold", WHY="a fair")
        assert "Another" in window.drop("receive", orders())
    assert "on hold" in window.press("hold", WHY="a <b>fair")
    assert "a &lt;b&gt;fair" in window.week()
    assert "due" in window.press("resume")


@pytest.mark.slow
def test_the_position_is_corrected_and_a_player_replaced(window: Browser, folder: Path) -> None:
    said_ = window.press("amend", CORRECTION="gold LIT +12.50", __why="a slip")
    assert "It counts from now on" in said_
    assert "gold LIT +12.50" in window.week()
    assert "Withdrawn" in window.press("unamend")
    assert "no realm XXX" in window.press("replace", REALM="XXX", __email="c@example.org", sure="yes")
    assert "plays Lithuania from turn 1 on" in window.press(
        "replace", REALM="LIT", __email="c@example.org", sure="yes"
    )
    assert open_campaign(folder).folder.players.of("LIT").addresses == ("c@example.org",)  # type: ignore[union-attr]


# -- limits --------------------------------------------------------------------------------------------------


def test_too_much_at_once_is_refused(window: Browser) -> None:
    assert "Choose order files first" in window.drop("receive", [])
    assert "Too much at once" in window.drop("receive", [("a.yaml", b"a: 1\n")] * (MOST_FILES + 1))
    heads = {"content-type": "application/x-www-form-urlencoded", "content-length": str(MOST_BYTES + 1)}
    for headers in (heads, {**heads, "content-length": "nonsense"}, {"content-type": heads["content-type"]}):
        answer = call(_app(window), "POST", f"/{TOKEN}/minsk/", b"act=turn", headers)
        assert "Too much at once" in said(answer)


def _app(window: Browser) -> object:
    from gm.desk.server import application

    return application(window.desk, TOKEN, HOST)


@pytest.mark.slow
def test_a_steward_acts_for_a_player_who_is_away(window: Browser, folder: Path) -> None:
    assert "A steward acts while they have no orders in" in window.week()
    said_of_it = window.press("absent", REALM="LIT", __until="2", __steward="--steward")
    assert said_of_it.endswith("Done.")
    player = open_campaign(folder).folder.players.of("LIT")
    assert player is not None
    assert (player.absent_until, player.deputy) == (2, "steward")
    command("new", folder.parent / "duel", "--game", "conquest-fields", "--play", "RED", *AT)
    assert "A steward acts" not in browser(folder.parent, folder.parent).evolve(name="duel").week()


@pytest.mark.slow
def test_a_request_looks_for_the_games_once(window: Browser) -> None:
    looks = []
    look = window.desk.lent.games

    def counted() -> Mapping[str, Path]:
        looks.append(1)
        return look()

    window.desk.lent = window.desk.lent.evolve(games=counted)
    window.week()
    assert len(looks) == 1
    window.press("hold", WHY="a fair")
    assert len(looks) == 2
