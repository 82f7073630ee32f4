"""The order writer's files: opened, downloaded, copied, kept; and the same on a telephone and without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from gm.games.medieval.orders.model import Order, OrderSheet
from gm.games.medieval.spec import SPEC
from gm.kernel.store import GameFolder
from tests.browser.conftest import PHONE
from tests.browser.playing import Player, first_turn, page_of

# -- files -------------------------------------------------------------------------------------------------------------

HAND_WRITTEN = """\
orders: 1
game: minsk
realm: TEU
turn: 1
key: wrong-key-11
headquarters:
  offer_aliance: [LIT]
  declare_war: [POL]
units:
  Prussia:
    form: {A1: Grey Cloaks}
    plan:
      - transfer: {to: A1, troops: {Heavy Infantri: 2}}
      - transfer: {to: A1, troops: {Heavy Infantry: 2}}
  A1:
    plan: [march: Mazovia]
"""


def test_a_hand_written_file_is_opened_and_what_is_not_understood_is_listed(player: Player) -> None:
    player.open_file("mine.yaml", HAND_WRITTEN)
    problems = player.page.locator("#writer-problems").inner_text()
    assert "Line 7, column 3" in problems
    assert "offer_aliance" in problems
    assert "Heavy Infantri" in problems
    player.choose("Headquarters")
    assert [each.split(" | ")[0] for each in player.orders()] == ["declare war: POL"]
    player.choose("A1")
    assert [each.split(" | ")[0] for each in player.orders()] == ["march: Mazovia"]
    assert "wrong-key" not in player.text
    player.page.get_by_role("button", name="Put this list away").click()
    assert player.page.locator("#writer-problems").is_hidden()


def test_a_file_that_is_none_changes_nothing_and_says_so(player: Player) -> None:
    player.choose("Prussia").order("Repair the walls").order("Hire commanders").accept()
    player.open_file("photo.yaml", b"\xff\xfe\x00\x01")
    assert "cannot be read" in player.news
    player.choose("Prussia")
    assert len(player.orders()) == 2


@pytest.mark.parametrize("turn", [1, 2, 3, 4])
def test_real_players_files_come_back_as_the_same_orders(
    page: Any, minsk_reports: Path, tmp_path: Path, turn: int
) -> None:
    folder = GameFolder(minsk_reports)
    table = SPEC.load_table(minsk_reports)
    world = SPEC.state(folder.state(turn - 1, SPEC.snapshot))
    for realm, data in sorted(folder.orders(turn, world.realms).items()):
        player = Player(page).open(page_of(minsk_reports, turn - 1, realm))
        player.open_file(f"{realm}.yaml", data)
        again = player.download(tmp_path).read_bytes()
        sheets = [
            SPEC.read_orders(table, world, each, realm, game="minsk", realm=realm, key=None).sheet
            for each in (data, again)
        ]
        assert in_words(sheets[1]) == in_words(sheets[0]), realm


def in_words(sheet: OrderSheet) -> Mapping[str, Any]:
    """A sheet's orders without the lines that they stand on."""

    def words(orders: tuple[Order, ...]) -> list[str]:
        return [f"{type(each).__name__} {each.written.text}" for each in orders]

    return {
        "headquarters": sorted(words(sheet.headquarters)),
        "units": sorted(words(sheet.units)),
        "plans": {unit: words(entries) for unit, entries in sorted(sheet.plans.items()) if entries},
    }


def test_the_file_can_be_copied_and_the_page_warns_before_it_is_lost(player: Player) -> None:
    page = player.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    player.choose("Prussia").order("Repair the walls")
    assert "not downloaded yet" in player.verdict
    asked = []
    page.once("dialog", lambda each: (asked.append(each.type), each.dismiss()))
    page.close(run_before_unload=True)
    page.wait_for_timeout(300)
    assert asked == ["beforeunload"]
    player.press("Copy")
    page.locator("#writer-news", has_text=re.compile("Paste|selected")).wait_for()
    assert "repair" in player.text


def test_a_draft_that_this_device_kept_is_offered_and_never_put_in_unasked(player: Player, started: Path) -> None:
    player.choose("Prussia").order("Repair the walls")
    player.download(started.parent)
    player.open(page_of(started, 0, "TEU"))
    assert "No orders yet" in player.verdict
    player.page.get_by_role("button", name="Go on with them").click()
    assert "1 order" in player.verdict
    player.open(page_of(started, 0, "TEU"))
    player.page.get_by_role("button", name="Forget them").click()
    player.open(page_of(started, 0, "TEU"))
    assert player.page.get_by_role("button", name="Go on with them").count() == 0


# -- on a telephone ----------------------------------------------------------------------------------------------------


def test_the_same_orders_are_written_on_a_telephone(
    new_page: Callable[..., Any], page: Any, started: Path, tmp_path: Path
) -> None:
    texts = []
    for each in (new_page(**PHONE), page):
        player = Player(each).open(page_of(started, 0, "TEU"))
        first_turn(player)
        width, wide = each.evaluate("[document.documentElement.clientWidth, document.documentElement.scrollWidth]")
        assert wide <= width
        texts.append(player.download(tmp_path).read_text("utf-8"))
    assert texts[0] == texts[1]


def test_what_a_finger_presses_is_large_enough(new_page: Callable[..., Any], started: Path) -> None:
    page = new_page(**PHONE)
    player = Player(page).open(page_of(started, 0, "TEU"))
    player.choose("Prussia").order("Form an army or fleet").count(Heavy_Infantry=1).accept()
    player.order("Recruit")
    small = page.evaluate(
        """() => [...document.querySelectorAll('#write button, #write select, #write input:not([type=checkbox])')]
        .filter((each) => each.offsetParent !== null)
        .map((each) => [each.textContent || each.type, each.getBoundingClientRect()])
        .filter(([, box]) => box.height < 40)
        .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""
    )
    assert small == []


# -- a page that cannot be written on ----------------------------------------------------------------------------------


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
