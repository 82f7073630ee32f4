"""The order writer: orders planned by clicking are the orders that ``pbem check`` reads and the turn
carries out.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from gm.games.medieval.orders.grammar import all_words
from gm.games.medieval.spec import SPEC
from gm.store.folder import GameFolder
from tests.browser.playing import Player, first_turn, page_of, see, whole
from tests.commands import command

AT = ("--at", "2026-01-06 12:00")


def run(*arguments: object) -> str:
    """A command's output; it must end well."""
    return command(*arguments).output


# -- from the page to the turn -------------------------------------------------------------------------------


@pytest.mark.clause("O3", "O4", "O5")
def test_orders_planned_by_clicking_pass_the_check_and_happen_in_the_turn(
    page: Any, game: Path, tmp_path: Path
) -> None:
    """Thirteen orders from the page have no errors, and all but an offer of alliance are done in the turn."""
    player = Player(page).open(page_of(game, 0, "TEU"))
    first_turn(player)
    assert "would fail" not in player.verdict
    path = player.download(tmp_path)
    assert path.name == "TEU-turn-01.orders.yaml"
    assert "mail this file to the game master" in player.news.lower()

    checked = json.loads(run("check", path, "--game", game, "--json"))
    assert checked["errors"] == 0
    failing = {
        order["order"]: order["reason"]
        for order in checked["orders"]
        if order["fate"] != "done" and not order["open"]
    }
    assert failing == {}

    run("receive", path, "--game", game, *AT)
    run("turn", "--missing-ok", "--game", game)
    fates = {e["text"]: e["fate"] for e in GameFolder(game).log(1) if e["event"] == "OrderSettled"}
    assert {order for order, fate in fates.items() if fate != "done"} == {"offer_alliance: LIT"}
    assert len(fates) == 13
    state = json.loads((game / "turns" / "turn-01" / "state.json").read_bytes())
    assert state["units"]["TEU/F1"]["place"] == "Baltic"
    assert sum(state["units"]["TEU/G1"]["troops"]["Crusader Knights"]) == 2

    player.open(page_of(game, 1, "TEU"))
    see(page, "messages")
    messages = page.locator("#messages").text_content()
    for order in ("F1 sail: Baltic", "F1 unload: A1 at Gotland", "Riga recruit: 1 Crusader Knights"):
        assert order in messages
    assert "God wills it. Also, Gotland." in messages


def test_the_plan_is_laid_out_phase_by_phase_and_drawn_on_the_map(player: Player) -> None:
    first_turn(player)
    start, first, second = player.phases("F1")[:3]
    assert start.startswith("Prussia")
    assert first.startswith("→ Bay of Danzig")
    assert "1 left" in first
    assert second.startswith("→ Baltic")
    aboard = player.phases("A1")
    assert "aboard F1" in aboard[1]
    assert aboard[2].startswith("→ Gotland")
    arrows = player.page.locator("#map .map-plan > g")
    assert sorted(arrow.get_attribute("data-phase") for arrow in arrows.all()) == ["1", "2", "2"]


@pytest.mark.clause("H1")
def test_the_treasury_follows_every_order_and_warns_before_it_is_empty(player: Player) -> None:
    before = player.books()
    player.choose("Riga").order("Recruit").count(Light_Spearmen=2).accept("Recruit these")
    after = player.books()
    assert after["Troops recruited"] == "−10.00"
    assert float(before["Surplus"]) - float(after["Surplus"]) == 10
    player.order("Recruit").count(Light_Spearmen=0, Crusader_Knights=4).accept("Recruit these")
    player.choose("Prussia").order("Recruit").count(Crusader_Knights=6).accept("Recruit these")
    assert "more than there is" in player.page.locator("#writer-books").inner_text()
    assert "Shortfall" in player.books()


@pytest.mark.clause("O2", "P4")
def test_an_order_that_would_fail_says_why_with_its_clause(player: Player) -> None:
    player.choose("Riga").order("Form an army or fleet").count(Light_Spearmen=1).accept()
    player.choose("A1").order("March").pick("Courland", "Riga", "Courland")
    assert player.orders() == [
        "March to Courland | works",
        "March to Riga | works",
        "March to Courland | fails",
    ]
    failed = player.editor.locator(".writer-order").nth(2)
    assert "needs 1 move-point, has 0" in failed.locator(".writer-why").inner_text()
    assert failed.locator("a.clause").first.get_attribute("href").startswith("#rule-")
    assert "would fail" in player.verdict


def fill_anyhow(player: Player) -> None:
    """Give an order with the open form: the first target, or something in every field."""
    picks = player.form.locator(".pick:not([aria-pressed=true])")
    if picks.count():
        picks.first.click()
    elif player.form.locator("form").count():
        fill_fields(player)
        fill_ranks(player)
        player.form.locator("[data-key=accept]").click()
    if player.form.count():
        player.other()


def fill_fields(player: Player) -> None:
    """Fill the open form: texts, numbers that are empty, the first count of troops, the first checkbox."""
    for field in player.form.locator("input[type=text], textarea").all():
        field.fill("Anyhow")
    for field in player.form.locator("input[type=number]").all():
        is_filled = field.input_value() or field.get_attribute("max") == "0"
        if not is_filled and not field.get_attribute("aria-label", timeout=0):
            field.fill("1")
    for field in player.form.locator(".writer-counts input").all()[:1]:
        field.fill("1")
    for field in player.form.locator("input[type=checkbox]").all()[:1]:
        field.check()


def fill_ranks(player: Player) -> None:
    """Put all troops of the open form's last type into the last rank, if it has ranks."""
    ranks = player.form.locator(".writer-ranks tr:last-child input").all()
    if ranks:
        count = sum(int(rank.input_value() or 0) for rank in ranks)
        for rank, value in zip(ranks, (0, 0, 0, 0, count), strict=True):
            rank.fill(str(value))


@pytest.mark.clause("O3", "O4", "O5")
def test_every_word_of_the_grammar_can_be_ordered_and_is_read_by_the_program(
    player: Player, started: Path, tmp_path: Path
) -> None:
    first_turn(player)
    for unit in ("Headquarters", "A1", "F1", "Prussia", "Riga"):
        player.choose(unit)
        keys = [
            button.get_attribute("data-key") for button in player.editor.locator("[data-key^='word ']").all()
        ]
        for key in keys:
            player.editor.locator(f'[data-key="{key}"]').click()
            if player.form.count():
                fill_anyhow(player)
    text = player.download(tmp_path).read_bytes()
    table = SPEC.load_table(started)
    world = SPEC.state(GameFolder(started).state(0, SPEC.snapshot))
    reading = SPEC.read_orders(table, world, text, "TEU.yaml", game="minsk", realm="TEU", key=None)
    assert [diagnostic.render() for diagnostic in reading.diagnostics if diagnostic.is_error] == []
    assert reading.sheet is not None
    kinds = {type(order) for order in reading.sheet.all_orders()}
    # all provinces are annexed at the start, no way leads off Gotland by land, and nobody has a permission to
    # lose
    assert {word.name for word in all_words() if word.order not in kinds} == {
        "annex",
        "march",
        "revoke_permission",
    }


def test_what_cannot_work_is_not_offered_beside_what_can(player: Player) -> None:
    """item 39: it stands folded up below, with its reason; lists have no entry that would be refused."""
    player.choose("Riga").order("Form an army or fleet").count(Light_Spearmen=1).accept()
    player.choose("A1").order("March")
    offered = player.form.locator(":scope > div > .writer-picks > li, .writer-picks:not(details *) > li")
    assert offered.count() > 0
    assert player.form.locator(".writer-pick.no:visible").count() == 0
    player.choose("Headquarters").order("Offer peace")
    folded = player.form.locator(".writer-failing")
    assert folded.get_attribute("open") is not None, "nothing else is there: why stands open"
    assert folded.locator(".writer-why").count() == 3


@pytest.mark.clause("L6", "H1")
def test_a_conquered_province_is_annexed_from_its_location_report(page: Any, minsk_reports: Path) -> None:
    player = Player(page).open(page_of(minsk_reports, 1, "TEU"))
    see(page, "provinces")
    page.locator('#provinces a.place[href="#place-gotland"]').first.click()
    page.locator("#place-gotland").get_by_role("button", name="Orders about Gotland").click()
    player.order("Annex a province").pick("Gotland")
    assert [order.split(" | ")[0] for order in player.orders()] == ["Annex Gotland"]
    assert player.books()["Provinces annexed"] == "−14.00"


def test_what_could_be_done_next_opens_its_form(page: Any, minsk_reports: Path) -> None:
    """16.10: it opens with the price and what it pays, as headquarters have it.

    Item 39: each button says what it opens.
    """
    whole(page, page_of(minsk_reports, 1, "TEU"))
    offer = page.locator(".next li", has_text="Annex Gotland")
    words = page.locator(".next button").all_inner_texts()
    assert len(set(words)) == len(words) > 3
    assert "Orders" not in words
    row = page.locator("#headquarters tr", has=page.locator('a[href="#place-gotland"]')).last
    price, pays = row.locator("td").all_text_contents()
    assert f"for {price} gold: it pays {pays} a turn" in offer.inner_text()
    offer.get_by_role("button", name="Annex Gotland").click()
    player = Player(page).order("Annex a province").pick("Gotland")
    assert [order.split(" | ")[0] for order in player.orders()] == ["Annex Gotland"]


HOLD = "Hold position for a phase"


# -- changing one's mind -------------------------------------------------------------------------------------


def test_orders_can_be_moved_changed_removed_undone_and_redone(player: Player) -> None:
    player.choose("Prussia").order("Form an army or fleet").count(Heavy_Infantry=1).accept()
    player.choose("A1").order("March").pick("Mazovia").other()
    player.order("Hold")
    texts = lambda: [order.split(" | ")[0] for order in player.orders()]  # noqa: E731
    assert texts() == ["March to Mazovia", HOLD]
    player.editor.get_by_role("button", name=f"Earlier: {HOLD}").click()
    assert texts() == [HOLD, "March to Mazovia"]
    # the first can go no further up: the focus is on the way back down
    assert player.page.evaluate("document.activeElement.title") == f"Later: {HOLD}"
    player.editor.get_by_role("button", name="Change: March to Mazovia").click()
    player.pick("Samogitia")
    assert texts() == [HOLD, "March to Samogitia"]
    player.editor.get_by_role("button", name=f"Remove: {HOLD}").click()
    assert texts() == ["March to Samogitia"]
    assert player.page.evaluate("document.activeElement.title") == "Remove: March to Samogitia"
    player.press("Undo")
    assert texts() == [HOLD, "March to Samogitia"]
    player.press("Undo").press("Undo")
    assert texts() == ["March to Mazovia", HOLD]
    player.press("Redo")
    assert texts() == [HOLD, "March to Mazovia"]
    assert player.news == "Done again."


def test_a_formed_unit_that_gets_another_number_keeps_its_orders(player: Player) -> None:
    first_turn(player)
    player.choose("Prussia").editor.get_by_role("button", name="Change: Form A1 Grey Cloaks").click()
    player.field("Number").fill("7")
    player.accept("Change the order")
    player.choose("A7")
    assert player.orders() == ["Be led by Dietrich of Altenburg | works"]
    player.choose("F1")
    assert player.orders()[0] == "Load A7 | works"
    assert "A1" not in player.text
    player.choose("Prussia").editor.get_by_role("button", name="Remove: Form A7 Grey Cloaks").click()
    player.choose("A7")
    assert "not there now" in player.editor.inner_text()
    assert player.orders() == ["Be led by Dietrich of Altenburg | fails"]


def test_everything_can_be_done_from_the_keyboard(player: Player) -> None:
    page = player.page
    player.list.get_by_role("button", name="Prussia").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.tagName") == "H3"
    player.editor.get_by_role("button", name=re.compile("^Build")).focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.tagName") == "H4"
    page.keyboard.press("Tab")
    for _ in range(6):
        if page.evaluate("document.activeElement.matches('.pick')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert "build a " in player.news
    page.keyboard.press("Control+z")
    assert player.news == "Undone."
    page.keyboard.press("Control+y")
    assert player.orders()[0].startswith("Build")
    # after each step the focus is still inside the writer, where it can be seen
    assert page.evaluate("document.getElementById('write').contains(document.activeElement)")


# -- from and to the rest of the page ------------------------------------------------------------------------


def test_units_provinces_and_realms_on_the_page_lead_to_their_orders(player: Player) -> None:
    page = player.page
    see(page, "units")
    page.locator("#unit-G1").get_by_role("button", name="Orders for Riga").click()
    assert "Riga" in player.editor.locator("h3").inner_text()
    see(page, "realms")
    page.locator("#realm-POL").get_by_role("button", name="Orders about Poland").click()
    player.order("Declare war")
    assert [choice.inner_text().split("\n")[0] for choice in player.form.locator(".pick").all()] == ["Poland"]
    see(page, "provinces")
    page.locator('#provinces a.place[href="#place-riga"]').first.click()
    page.locator("#place-riga").get_by_role("button", name="Orders for Riga (G1)").first.click()
    assert "Riga" in player.editor.locator("h3").inner_text()


def test_a_target_is_picked_on_the_map(player: Player) -> None:
    player.choose("Prussia").order("Form an army or fleet").count(Heavy_Infantry=1).accept()
    player.choose("A1").order("March")
    player.form.get_by_role("button", name="Pick on the map").click()
    player.page.locator('#map .places a[aria-label="Samogitia"]').dispatch_event("click")
    player.page.keyboard.press("Escape")
    assert [order.split(" | ")[0] for order in player.orders()] == ["March to Samogitia"]
