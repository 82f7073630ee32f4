"""The order writer's files: opened, downloaded, copied, kept.

And the same on a telephone and without scripts.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gm.games.medieval.spec import SPEC
from gm.store.folder import GameFolder
from tests.browser.conftest import PHONE, command
from tests.browser.playing import Player, first_turn, page_of

# -- files ---------------------------------------------------------------------------------------------------


def test_what_the_page_wrote_it_opens_again(player: Player, started: Path, tmp_path: Path) -> None:
    """15.5: the same orders, the same file."""
    first_turn(player)
    file = player.download(tmp_path).read_text("utf-8")
    player.open(page_of(started, 0, "TEU")).open_file("mine.yaml", file)
    assert "mine.yaml is open" in player.news
    assert player.download(tmp_path).read_text("utf-8") == file
    player.choose("Prussia").order("Repair the walls")
    player.press("Undo")
    assert player.download(tmp_path).read_text("utf-8") == file


def test_a_file_that_was_changed_by_hand_says_what_would_be_lost(
    player: Player, started: Path, tmp_path: Path
) -> None:
    """15.5: and points to the program that reads it; nothing is lost unasked."""
    first_turn(player)
    count = player.verdict.split(" order")[0]
    file = player.download(tmp_path).read_text("utf-8")
    changed = file.replace("headquarters:", "headquarters:\n  declare_war: [POL]", 1)
    if changed == file:
        changed = file.replace("units:", "headquarters:\n  declare_war: [POL]\nunits:", 1)
    player.open(page_of(started, 0, "TEU")).page.get_by_role("button", name="Start again").click()
    player.open_file("mine.yaml", changed)
    problems = player.page.locator("#writer-problems")
    assert "pbem check" in problems.inner_text()
    assert "declare_war: [POL]" in problems.locator("pre").inner_text()
    assert "No orders yet" in player.verdict
    problems.get_by_role("button", name="Go on without the changes").click()
    assert player.verdict.split(" order")[0] == count
    assert problems.is_hidden()
    assert "declare_war: [POL]" not in player.text


def test_orders_in_words_are_shown_line_by_line_and_never_dropped_unasked(
    player: Player, started: Path, tmp_path: Path
) -> None:
    """Item 6: what the page cannot edit it leaves to the program's reader; its own draft stays as it was."""
    first_turn(player)
    file = player.download(tmp_path).read_text("utf-8")
    in_words = IN_WORDS.partition("units:\n")[2]
    player.open_file("mine.yaml", file.replace("units:\n", f"units:\n{in_words}", 1))
    problems = player.page.locator("#writer-problems")
    assert "check the file with “pbem check” and mail it as it is" in problems.inner_text()
    assert problems.locator("pre").inner_text().splitlines() == [
        line.strip() for line in in_words.splitlines()
    ]
    assert player.download(tmp_path).read_text("utf-8") == file


def ordered(player: Player) -> str:
    """The file of orders that are given by keyboard; what has these keys is the same in every language."""

    def press(*keys: str) -> None:
        for key in keys:
            player.page.locator(f'#write [data-key="{key}"]').press("Enter")

    press("unit headquarters", "word offer_alliance", "pick LIT", "close", "word proclamation")
    player.form.locator("textarea").fill("Gott will es.")
    press("accept", "back", "unit G1", "word form")
    player.form.locator("[type=number]").last.fill("2")
    press("accept", "go o3", "word ranks", "accept", "word leader", "close", "word hold")
    return player.text


def test_a_page_in_another_language_writes_the_same_file(
    player: Player, game: Path, tmp_path: Path, new_page: Callable[..., Any]
) -> None:
    """But for the comments in it; and a page opens what a page in another language wrote."""
    players = game / "players.yaml"
    players.write_text(
        players.read_text("utf-8").replace("{realm: TEU,", "{realm: TEU, language: de,"), "utf-8"
    )
    command("report", "--game", game)
    reader = Player(new_page()).open(page_of(game, 0, "TEU"))
    english = ordered(player)
    german = ordered(reader)
    assert "# L17: sich verbünden" in german
    assert re.sub(" *#.*", "", german) == re.sub(" *#.*", "", english)
    reader.open_file("mine.yaml", player.download(tmp_path).read_text("utf-8"))
    assert "mine.yaml ist geöffnet: 5 Befehle" in reader.news


IN_WORDS = """\
orders: 1
units:
  army 1: {plan: [hold position on phase 1, {transfer: 3 Archers to A2}, {march to: the Minsk}]}
  Prussia: {recruit: '3 Archers, 1 Militia'}
"""
"""Forms that only the program's own reader takes."""


@pytest.mark.parametrize(
    "file", [b"\xff\xfe\x00\x01", b"orders: 1\nunits: {A1: {plan: [hold]}}\n", IN_WORDS.encode(), b""]
)
def test_a_file_that_the_page_did_not_write_changes_nothing_and_says_where_to_go(
    player: Player, file: bytes
) -> None:
    """15.5: the page reads no orders that it did not write."""
    player.choose("Prussia").order("Repair the walls").order("Hire commanders").accept()
    player.open_file("mine.yaml", file)
    assert "cannot be opened here" in player.news
    assert "pbem check" in player.page.locator("#writer-problems").inner_text()
    player.page.get_by_role("button", name="Put this away").click()
    assert player.page.locator("#writer-problems").is_hidden()
    player.choose("Prussia")
    assert len(player.orders()) == 2


def test_the_file_of_another_realm_is_not_opened(
    player: Player, page: Any, started: Path, tmp_path: Path
) -> None:
    player.choose("Prussia").order("Repair the walls")
    file = player.download(tmp_path).read_bytes()
    other = Player(page).open(page_of(started, 0, "LIT"))
    other.open_file("TEU.yaml", file)
    assert "another realm" in other.news
    assert "No orders yet" in other.verdict


def test_what_was_written_is_what_the_program_reads_and_plays(
    player: Player, game: Path, tmp_path: Path
) -> None:
    """15.5: downloaded, received, and its turn played."""
    first_turn(player)
    path = player.download(tmp_path)
    table = SPEC.load_table(game)
    world = SPEC.state(GameFolder(game).state(0, SPEC.snapshot))
    reading = SPEC.read_orders(
        table, world, path.read_bytes(), "TEU.yaml", game="minsk", realm="TEU", key=None
    )
    assert [diagnostic.render() for diagnostic in reading.diagnostics if diagnostic.is_error] == []
    command("receive", path, "--game", game, "--at", "2026-01-10 12:00")
    command("turn", "--game", game, "--missing-ok")
    assert page_of(game, 1, "TEU").exists()


def test_the_file_can_be_copied_and_the_page_warns_before_it_is_lost(player: Player) -> None:
    page = player.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    player.choose("Prussia").order("Repair the walls")
    assert "not downloaded yet" in player.verdict
    with page.expect_event("dialog") as asked:
        page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    player.press("Copy")
    page.locator("#writer-news", has_text=re.compile("Paste|selected")).wait_for()
    assert "repair" in player.text


def test_orders_that_this_device_kept_are_there_again_until_one_begins_anew(
    player: Player, started: Path
) -> None:
    player.choose("Prussia").order("Repair the walls")
    player.download(started.parent)
    player.open(page_of(started, 0, "TEU"))
    assert "1 order" in player.verdict
    player.page.get_by_role("button", name="Go on").click()
    player.open(page_of(started, 0, "TEU"))
    player.page.get_by_role("button", name="Start again").click()
    assert "No orders yet" in player.verdict
    player.open(page_of(started, 0, "TEU"))
    assert "No orders yet" in player.verdict
    assert player.page.get_by_role("button", name="Start again").count() == 0


# -- on a telephone ------------------------------------------------------------------------------------------


def test_the_same_orders_are_written_on_a_telephone(
    new_page: Callable[..., Any], page: Any, started: Path, tmp_path: Path
) -> None:
    texts = []
    for window in (new_page(**PHONE), page):
        player = Player(window).open(page_of(started, 0, "TEU"))
        first_turn(player)
        width, wide = window.evaluate(
            "[document.documentElement.clientWidth, document.documentElement.scrollWidth]"
        )
        assert wide <= width
        texts.append(player.download(tmp_path).read_text("utf-8"))
    assert texts[0] == texts[1]


def test_what_a_finger_presses_is_large_enough(new_page: Callable[..., Any], started: Path) -> None:
    page = new_page(**PHONE)
    player = Player(page).open(page_of(started, 0, "TEU"))
    player.choose("Prussia").order("Form an army or fleet").count(Heavy_Infantry=1).accept()
    player.order("Recruit")
    small = page.evaluate(
        """() => [...document.querySelectorAll('#write :is(button, select, input:not([type=checkbox]))')]
        .filter((each) => each.offsetParent !== null)
        .map((each) => [each.textContent || each.type, each.getBoundingClientRect()])
        .filter(([, box]) => box.height < 40)
        .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""
    )
    assert small == []


# -- a page that cannot be written on ------------------------------------------------------------------------


def test_without_scripts_the_section_says_how_to_write_the_file_by_hand(
    new_page: Callable[..., Any], started: Path, tmp_path: Path
) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(page_of(started, 0, "TEU").as_uri())
    sample = page.locator(".writer-sample").inner_text()
    path = tmp_path / "TEU.yaml"
    path.write_text(sample, "utf-8")
    table = SPEC.load_table(started)
    world = SPEC.state(GameFolder(started).state(0, SPEC.snapshot))
    player = GameFolder(started).players.of("TEU")
    assert player is not None
    reading = SPEC.read_orders(
        table, world, path.read_bytes(), path.name, game="minsk", realm="TEU", key=player.key_for(1)
    )
    assert reading.sheet is not None
    assert reading.realm == "TEU"
