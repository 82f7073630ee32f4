"""What the order writer tells somebody who has never played: the way on, what is missing, and what he
would meet.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser.playing import Player, first_turn, page_of
from tests.commands import command

COUNTED = """
window.steps = 0;
const ticked = (event) => event.target.type === "checkbox" || event.target.type === "radio";
addEventListener("click", (event) => { steps += event.isTrusted; }, true);
addEventListener("input", (event) => { steps += !ticked(event); }, true);
"""
"""Counts clicks, fields that are filled in and options that are chosen."""


def word(player: Player, title: str) -> Any:
    """The button of a word in the chooser."""
    return player.editor.get_by_role("button", name=re.compile(rf"^{re.escape(title)}\b"))


def army(player: Player) -> Player:
    """An army with a commander, formed at Prussia, and its orders opened from there."""
    player.choose("Prussia").order("Form an army or fleet").count(Heavy_Infantry=3).tick(
        "Dietrich of Altenburg"
    ).accept()
    player.editor.get_by_role("button", name="A1: give it orders").click()
    return player


@pytest.mark.clause("H1")
def test_what_there_is_nothing_to_order_with_stands_last_and_says_why(player: Player) -> None:
    player.choose("Headquarters")
    offers = player.editor.locator(
        "section", has=player.page.locator("h4", has_text="War, peace and alliance")
    )
    lines = offers.locator("li").all()
    assert [line.get_attribute("class") for line in lines] == ["", "", "idle", "idle"]
    assert "you are at war with no realm" in lines[2].inner_text()
    player.choose("Courland")
    assert "only cities recruit" in word(player, "Recruit").inner_text()


def test_an_idle_word_can_be_opened_all_the_same(player: Player) -> None:
    player.choose("Headquarters").order("Offer peace")
    assert "were not at war" in player.form.inner_text()


def test_a_new_army_is_one_press_away_and_asks_for_a_leader(player: Player) -> None:
    army(player)
    assert player.editor.locator("h3").inner_text() == "Army A1"
    player.editor.get_by_role("button", name="Make this commander lead it").click()
    assert player.orders() == ["Be led by Dietrich of Altenburg | works"]
    assert "helps it in battle only" not in player.editor.inner_text()


@pytest.mark.clause("W6.1")
def test_an_army_that_nobody_goes_into_says_what_becomes_of_it(player: Player) -> None:
    player.choose("Prussia").order("Form an army or fleet")
    assert "It is still empty" in player.form.inner_text()
    player.accept()
    player.editor.get_by_role("button", name="A1: give it orders").click()
    assert "disappears when the turn ends" in player.editor.inner_text()
    player.editor.get_by_role("button", name="To the garrison of Prussia").click()
    assert player.editor.locator("h3").inner_text() == "Garrison Prussia (G3)"


@pytest.mark.clause("X1")
def test_a_march_tells_whom_it_would_meet(player: Player) -> None:
    army(player).order("March")
    strength = re.search(
        r"total combat (\d+), hit points ([\d.]+)", player.editor.locator("header p").first.inner_text()
    )
    assert strength is not None
    target = player.form.get_by_role("button", name=re.compile("^Samogitia")).inner_text()
    assert re.search(r"independent · 4 soldiers, total combat \d+, hit points \d+ · 2 move-points", target)


@pytest.mark.clause("P4")
def test_a_unit_without_move_points_is_offered_no_further_march(player: Player) -> None:
    army(player).order("March").pick("Samogitia")
    assert player.form.locator(".writer-pick.yes").count() == 0
    assert "0 move-points left" in player.form.inner_text()


@pytest.mark.clause("M8")
def test_a_landing_tells_its_chance_and_its_enemy(player: Player) -> None:
    army(player)
    player.choose("Prussia").order("Form an army or fleet").select("What", "a fleet").count(
        Trading_Cog=3
    ).accept()
    player.choose("F1").order("Load armies").tick("A1").accept()
    player.order("Sail").pick("Bay of Danzig").other()
    player.order("Unload armies").select("A1 goes ashore in", "Samogitia (independent)")
    # three Heavy Infantry of combat 34: the commander does not count
    assert "4 soldiers" in player.form.inner_text()
    assert "chance of 100%" in player.form.inner_text()


def test_the_first_page_says_what_to_do(player: Player) -> None:
    player.page.evaluate("GmDom.buildAll()")
    steps = player.page.locator("ol.first-steps > li")
    assert steps.count() == 6
    for link in player.page.locator("ol.first-steps a").all():
        target = (link.get_attribute("href") or "")[1:]
        assert player.page.locator(f'[id="{target}"]').count() == 1, target


def test_a_first_file_takes_at_most_sixty_clicks(page: Any, game: Path, tmp_path: Path) -> None:
    """From the page as it opens to a file of ten orders and more on the disk, which pbem check has nothing
    against.
    """
    page.add_init_script(COUNTED)
    page.goto(page_of(game, 0, "TEU").as_uri())
    page.get_by_role("link", name="Orders", exact=True).first.click()
    page.locator("#write.at-work").wait_for(state="attached")
    player = Player(page)
    first_turn(player)
    checked = json.loads(command("check", player.download(tmp_path), "--game", game, "--json").output)
    assert (checked["errors"], len(checked["orders"])) == (0, 13)
    assert 13 < page.evaluate("steps") <= 60
