"""A realm's page in a real browser: from disk, on a telephone, without scripts, on paper, with hostile
names.
"""

import json
import re
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from gm.cli.session import open_campaign
from gm.games.medieval.spec import SPEC
from gm.store.folder import GameFolder
from tests.browser.conftest import DESK, PHONE, STARTED, command
from tests.browser.playing import Player, page_of, see, seen, whole
from tests.medieval.reportland import HOSTILE, raw_texts
from tests.medieval.test_report_pages import hostile_record

SECTIONS = (
    *(
        "changed",
        "headquarters",
        "messages",
        "orders",
        "events",
        "battles",
        "map",
        "places",
        "write",
        "units",
    ),
    *("provinces", "realms", "study", "rules"),
)
REALMS = ("LIT", "NOV", "POL", "TEU")
WHEN = ("", "spring 1320", "summer 1320", "autumn 1320")
LARGEST = 1_100_000  # bytes of a page as a file
LARGEST_PACKED = 250_000  # and as letters carry it
"""Bytes of the largest page: a turn of Europe in which every realm gave orders of every kind."""


def pages_of(game: Path, turn: int) -> list[Path]:
    """Every page of a turn."""
    return sorted((game / "turns" / f"turn-{turn:02}").rglob("*.html"))


# -- from disk -----------------------------------------------------------------------------------------------


def test_a_report_opens_from_disk_with_all_its_sections(page: Any, minsk_reports: Path) -> None:
    whole(page, page_of(minsk_reports, 4, "TEU"))
    assert "Teutonic Order" in page.title()
    assert page.locator("h1").inner_text() == "Teutonic Order"
    missing = [section for section in SECTIONS if page.locator(f"#{section}").count() != 1]
    assert missing == []
    assert page.evaluate("performance.getEntriesByType('resource').map(each => each.name)") == []


def test_every_link_of_every_page_leads_somewhere(
    page: Any, minsk_reports: Path, europe_report: Path
) -> None:
    for path in (*pages_of(minsk_reports, 4), europe_report):
        whole(page, path)
        links = page.eval_on_selector_all("[href]", "all => all.map(each => each.getAttribute('href'))")
        ids = set(page.eval_on_selector_all("[id]", "all => all.map(each => each.id)"))
        assert ids
        dead = []
        for link in sorted(set(links)):
            parts = urlsplit(link)
            if parts.path:
                if not (path.parent / unquote(parts.path)).is_file():
                    dead.append(link)
            elif parts.scheme == "" and unquote(parts.fragment) not in ids:
                dead.append(link)
        assert dead == [], path.name


def test_no_id_stands_twice_on_a_page(page: Any, minsk_reports: Path, europe_report: Path) -> None:
    for path in (page_of(minsk_reports, 4, "LIT"), europe_report):
        whole(page, path)
        ids = page.eval_on_selector_all("[id]", "all => all.map(each => each.id)")
        assert sorted({anchor for anchor in ids if ids.count(anchor) > 1}) == []


def test_europes_page_is_small_enough_to_mail(europe_report: Path) -> None:
    sizes = {path.name: path.stat().st_size for path in europe_report.parent.glob("*.html")}
    assert len([name for name in sizes if not name.startswith("herald")]) == 23
    assert max(sizes.values()) < LARGEST, sizes
    packed = {
        path.name: len(zlib.compress(path.read_bytes(), 6)) for path in europe_report.parent.glob("*.html")
    }
    assert max(packed.values()) < LARGEST_PACKED, packed


# -- the map and the location reports ------------------------------------------------------------------------


def test_the_map_zooms_with_buttons_and_keys(page: Any, minsk_reports: Path) -> None:
    page.goto(page_of(minsk_reports, 4, "TEU").as_uri())

    def distance() -> float:
        """How far two places are apart on the screen."""
        one, other = (
            page.locator(f'#map .places a[aria-label="{place}"]').bounding_box()
            for place in ("Riga", "Minsk")
        )
        return float(abs(one["y"] - other["y"]))

    before = distance()
    page.locator("#map").get_by_role("button", name="Zoom in").click()
    nearer = distance()
    assert nearer > before * 1.2
    page.locator("#map .map-view").focus()
    page.keyboard.press("+")
    assert distance() > nearer * 1.1
    page.locator("#map").get_by_role("button", name="The whole map").click()
    assert distance() < nearer


def test_a_link_to_a_place_opens_its_location_report(page: Any, minsk_reports: Path) -> None:
    page.goto(page_of(minsk_reports, 4, "TEU").as_uri())
    see(page, "provinces")
    link = page.locator('#provinces a.place[href="#place-prussia"]').first
    link.click()
    report = page.locator("#place-prussia")
    report.wait_for(state="visible")
    text = report.inner_text()
    assert "Prussia" in text
    assert "Marienburg" in text


# -- on a telephone ------------------------------------------------------------------------------------------


def test_no_page_scrolls_sideways_on_a_telephone(
    new_page: Callable[..., Any], minsk_reports: Path, europe_report: Path
) -> None:
    page = new_page(**PHONE)
    for path in (*pages_of(minsk_reports, 4), europe_report):
        whole(page, path)
        width, wide = page.evaluate(
            "[document.documentElement.clientWidth, document.documentElement.scrollWidth]"
        )
        assert wide <= width, f"{path.name} is {wide} wide on a screen of {width}"


# -- without scripts -----------------------------------------------------------------------------------------


def test_everything_but_the_order_writer_is_there_without_scripts(
    new_page: Callable[..., Any], minsk_reports: Path
) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(page_of(minsk_reports, 4, "TEU").as_uri())
    for section in SECTIONS:
        assert page.locator(f"#{section}").is_visible(), section
    assert page.locator("#map svg").first.is_visible()
    assert page.locator("#unit-A1").is_visible()
    page.locator('a[href="#place-prussia"]').first.click()
    assert page.locator("#place-prussia").is_visible()
    assert page.locator("#writer-app").is_hidden()
    by_hand = page.locator("#writer-by-hand").inner_text()
    player = GameFolder(minsk_reports).players.of("TEU")
    for line in ("orders: 1", "game: minsk", "realm: TEU", "turn: 5"):
        assert line in by_hand
    assert any(f"key: {player.key_for(5, short=short)}" in by_hand for short in (True, False))


def test_every_detail_opens_without_scripts(new_page: Callable[..., Any], minsk_reports: Path) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(page_of(minsk_reports, 4, "LIT").as_uri())
    closed = page.locator("main section > details:not([open])")
    count = closed.count()
    assert count
    for left in range(count, 0, -1):
        assert closed.count() == left
        closed.first.locator("> summary").click()
    assert closed.count() == 0


def test_a_clause_is_read_where_it_is_named(page: Any, minsk_reports: Path) -> None:
    page.goto(page_of(minsk_reports, 4, "TEU").as_uri())
    see(page, "messages")
    link = page.locator("#messages a.clause").first
    link.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    link.click()
    note = page.locator("#clause-note")
    rule = page.locator(f'[id="{link.get_attribute("href").removeprefix("#")}"] .rule-text')
    assert rule.text_content().strip() in note.text_content()
    assert page.evaluate("scrollY") == before
    box = note.bounding_box()
    at = link.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= DESK["viewport"]["width"]
    assert min(abs(box["y"] - at["y"] - at["height"]), abs(at["y"] - box["y"] - box["height"])) < 12
    page.keyboard.press("Escape")
    assert note.is_hidden()
    assert page.evaluate("document.activeElement.className") == "clause"
    link.click()
    note.get_by_role("link", name="All rules of this report").click()
    rule.wait_for(state="visible")
    assert note.is_hidden()


# -- on paper ------------------------------------------------------------------------------------------------


def test_a_report_prints(page: Any, minsk_reports: Path, tmp_path: Path) -> None:
    page.goto(page_of(minsk_reports, 4, "TEU").as_uri())
    printed = page.pdf(path=tmp_path / "report.pdf")
    assert printed.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) >= 3
    page.emulate_media(media="print")
    for section in ("headquarters", "orders", "events", "map", "units", "provinces", "realms"):
        assert page.locator(f"#{section}").is_visible(), section
    assert page.locator("#write").is_hidden()
    # the heads of columns are buttons that sort: on paper they are the heads
    assert [button for button in page.locator("button:not(thead button)").all() if button.is_visible()] == []


def test_a_turn_of_europe_is_a_few_sheets_of_paper(page: Any, europe_report: Path) -> None:
    page.goto(europe_report.as_uri())
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) <= 14
    page.emulate_media(media="print")
    others = page.locator("#battles > details").first
    assert page.locator("#battles article").first.is_visible()
    assert others.is_hidden()
    assert page.evaluate("getComputedStyle(document.querySelector('.map-panel')).position") == "static"
    page.emulate_media(media="screen")
    page.locator("#print-all").check()
    page.emulate_media(media="print")
    for section in (others, page.locator("#world"), page.locator("#study")):
        assert section.is_visible()


def test_a_realm_looks_back_on_the_turns_before_on_graphs_maps_and_in_words(
    page: Any, minsk_reports: Path
) -> None:
    page.goto(f"{page_of(minsk_reports, 4, 'TEU').as_uri()}#history")
    history = page.locator("#history")
    maps = page.locator(".past-maps figure:visible")
    assert history.locator("figure.course").count() == 4
    assert history.locator(".past-turn h4").all_inner_texts() == [
        f"Turn {turn}, {WHEN[turn]}" for turn in (3, 2, 1)
    ]
    campaign = open_campaign(minsk_reports)
    for turn in range(5):
        page.locator(".past-maps input").nth(turn).check()
        owners = campaign.spec.owners(campaign.table, campaign.state_after(turn))
        drawn = {code: maps.locator(f"use.u-{code}").count() for code in REALMS}
        assert drawn == {code: [*owners.values()].count(code) for code in REALMS}, turn
    page.emulate_media(media="print")
    assert history.is_hidden()


# -- hostile names -------------------------------------------------------------------------------------------

RUN = "window.hacked=1"
HOSTILE_NAMES = (
    f"<script>{RUN}</script>",
    f"</script><script>{RUN}//",
    f'"><img src=x onerror="{RUN}">',
    "]]></style><!-- ${1+1} {{7*7}} '\"&amp;",
)
"""At most 40 characters each, as a unit's or commander's name."""
PROCLAMATION = f"</script></blockquote><img src=x onerror='{RUN}'> שלום ]]> {{{{7*7}}}} &lt;b&gt; <b>bold</b>"
ADDRESS = "o'hara&lt=1@example.org"
REALM = f"</title><script>{RUN}</script>"
"""What a map's author calls a realm, and its ruler."""


@pytest.fixture(scope="module")
def hostile_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A turn of the small map, one realm's name on it hostile, in which every realm names and says hostile
    things.
    """
    game: Path = tmp_path_factory.mktemp("hostile") / "minsk"
    mail = game.parent / "mail"
    mail.mkdir()
    land = Path(shutil.copytree(SPEC.maps()["minsk"], game.parent / "land"))
    drawn = (land / "map.yaml").read_text("utf-8")
    named = drawn.replace(
        "name: Lithuania, adjective: Lithuanian, ruler: Grand Prince Gediminas",
        f"name: '{REALM}', ruler: '{REALM}'",
    )
    assert named != drawn
    (land / "map.yaml").write_text(named, "utf-8")
    seats = game.parent / "players.yaml"
    players = [{"realm": realm, "name": HOSTILE_NAMES[0], "email": ADDRESS} for realm in REALMS]
    seats.write_text(json.dumps({"players": players}), "utf-8")
    command(
        "new", game, "--map", land, "--seed", "x", "--key-secret", "x", "--players", seats, "--at", STARTED
    )
    for realm in REALMS:
        player = GameFolder(game).players.of(realm)
        assert player is not None
        (mail / f"{realm}.yaml").write_text(
            json.dumps(hostile_orders(game, realm, player.key_for(1))), "utf-8"
        )
    command("receive", mail, "--game", game, "--at", "2026-01-06 12:00")
    command("turn", "--game", game)
    return game


def hostile_orders(game: Path, realm: str, key: str) -> dict[str, Any]:
    """Forms an army with a hostile name and renames the realm's first commander to another."""
    results = (page_of(game, 0, realm)).with_suffix(".yaml").read_text("utf-8")
    garrisons = re.findall(rf'"{realm}/(G\d+)": (.*)', results)
    place, data = next((garrison, json.loads(text)) for garrison, text in garrisons if "commanders" in text)
    commander = data["commanders"][0]["name"]
    troop = next(iter(data["troops"]))
    head = {"orders": 1, "game": game.name, "realm": realm, "turn": 1, "key": key}
    return head | {
        "headquarters": {
            "rename_commander": {commander: HOSTILE_NAMES[1]},
            "proclamation": PROCLAMATION,
            "send_ambassador": [other for other in REALMS if other != realm],
        },
        "units": {
            place: {
                "form": {"A1": HOSTILE_NAMES[2][:40], "A2": HOSTILE_NAMES[3][:40]},
                "name": HOSTILE_NAMES[0],
                "plan": [{"transfer": {"to": "A1", "troops": {troop: 1}, "commanders": [HOSTILE_NAMES[1]]}}],
            },
            "A1": {"leader": HOSTILE_NAMES[1]},
        },
    }


def test_hostile_names_are_shown_as_text_and_run_nothing(page: Any, hostile_game: Path) -> None:
    for path in pages_of(hostile_game, 1):
        whole(page, path)
        assert page.evaluate("window.hacked") is None, path.name
        assert page.locator("img").count() == 0
        assert page.locator("main").count() == 1, path.name
    page.goto(page_of(hostile_game, 1, "TEU").as_uri())
    text = seen(page)
    assert HOSTILE_NAMES[1] in text
    assert HOSTILE_NAMES[2][:40] in text
    assert "<b>bold</b>" in text
    assert "{{7*7}}" in text
    assert ADDRESS in text
    assert REALM in text
    page.goto(page_of(hostile_game, 1, "LIT").as_uri())
    assert REALM in page.title()
    assert page.locator("h1").inner_text() == REALM


def test_hostile_text_wherever_there_is_any_runs_nothing(page: Any, tmp_path: Path) -> None:
    for name, text in raw_texts(hostile_record()).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran and said {dialog.message}"))
    for path in sorted(tmp_path.rglob("*.html")):
        whole(page, path)
        assert page.locator("main").count() == 1, path.name
    Player(page).open(tmp_path / "results" / "ENG.html")
    assert HOSTILE in page.locator("h1").inner_text()
    page.locator('[data-key="unit A1"]').click()
    assert HOSTILE in page.locator("#writer-editor").inner_text()


def test_hostile_names_in_the_order_writer_are_text_too(page: Any, hostile_game: Path) -> None:
    Player(page).open(page_of(hostile_game, 1, "TEU"))
    page.locator('[data-key="unit A1"]').click()
    editor = page.locator("#writer-editor")
    assert HOSTILE_NAMES[2][:40] in editor.inner_text()
    for word in ("leader", "transfer", "name"):
        editor.locator(f'[data-key="word {word}"]').click()
        editor.locator('[data-key="close"]').click()
    page.locator("#writer-file").set_input_files(
        {"name": f"<img src=x onerror={RUN}>.yaml", "mimeType": "text/plain", "buffer": b"orders: 1\n"}
    )
    page.locator("#writer-problems").wait_for(state="visible")
    assert "<img" in page.locator("#writer-problems").inner_text()
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
