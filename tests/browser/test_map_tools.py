"""What the land is coloured by, names of realms, playing the phases, saving the map and printing it for
the wall.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

REALM = "LIT"
LAND = "document.querySelector('.lands .u-{} g use')"


@pytest.fixture
def opened(page: Any, report: str) -> Any:
    page.goto(report)
    return page


def style(page: Any, element: str, name: str) -> str:
    return str(page.evaluate(f"getComputedStyle({element}).getPropertyValue('{name}')"))


def test_the_land_is_coloured_by_what_is_chosen_with_keys_and_a_legend_says_how(opened: Any) -> None:
    opened.locator("#mode-owners").focus()
    owner = style(opened, LAND.format(REALM), "fill")
    seen = {owner}
    for mode in ("relations", "gold", "troops", "cities", "terrain"):
        opened.keyboard.press("ArrowRight")
        assert opened.locator(f"#mode-{mode}").is_checked()
        seen.add(style(opened, LAND.format(REALM), "fill"))
        assert opened.locator(".map-key ul:visible").count() == 1
        assert opened.locator(f".map-key .{mode} li").first.is_visible()
    assert len(seen) == 6
    # what changed, whose land keeps its owners' colours: test_map_changes.py
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("ArrowRight")
    assert style(opened, LAND.format(REALM), "fill") == owner
    assert opened.locator(".map-key ul:visible").count() == 0


def test_revenue_colours_each_province_as_strongly_as_its_level(opened: Any) -> None:
    opened.locator("#mode-gold").check()
    script = """[...document.querySelectorAll('.lands g g > use')].map(each =>
        [(each.getAttribute('class').match(/[a-e]/) || [''])[0], getComputedStyle(each).fillOpacity])"""
    levels = {(letter, float(strength)) for letter, strength in opened.evaluate(script)}
    assert len(levels) == len({letter for letter, _ in levels}) >= 3
    assert sorted(levels) == sorted(levels, key=lambda level: level[1])
    strengths = opened.evaluate(
        "[...document.querySelectorAll('.map-key .gold i')].map(e => e.style.getPropertyValue('--o'))"
    )
    assert [f"{round(strength * 100)}%" for _, strength in sorted(levels)] == strengths


def test_relations_are_the_readers_own(page: Any, minsk_reports: Path) -> None:
    fills = {}
    for realm in ("LIT", "TEU"):
        page.goto((minsk_reports / "turns" / "turn-04" / "results" / f"{realm}.html").as_uri())
        page.locator("#mode-relations").check()
        relations = page.evaluate("async () => (await GmDom.own()).relations")
        tones = page.evaluate(
            "['mine', 'foe', 'ally', 'none'].map(e => getComputedStyle(document.body).getPropertyValue('--' "
            "+ e))"
        )
        words = {realm: 0} | {code: {"at war": 1, "allied": 2}[said] for code, said in relations.items()}
        for code in ("LIT", "NOV", "POL", "TEU"):
            tone = tones[words.get(code, 3)]
            red, green, blue = (int(tone[at : at + 2], 16) for at in (1, 3, 5))
            fills[realm, code] = style(page, LAND.format(code), "fill")
            assert fills[realm, code] == f"rgb({red}, {green}, {blue})", (realm, code)
    assert fills["LIT", "LIT"] != fills["TEU", "LIT"]


def test_names_of_realms_go_when_the_land_is_near_and_can_be_put_away_and_patterns_come(
    page: Any, europe_report: Path
) -> None:
    page.goto(europe_report.as_uri())
    names = page.locator(".names")
    page.get_by_role("button", name="The whole map").click()
    assert names.is_visible()
    assert names.locator("text").first.bounding_box()["height"] > 10
    for _ in range(5):
        page.get_by_role("button", name="Zoom in").click()
    assert not names.is_visible()
    page.get_by_role("button", name="The whole map").click()
    page.locator(".map-layers summary").click()
    page.locator("#show-realms").uncheck()
    assert not names.is_visible()
    rim = "document.querySelector('.lands .u-LIT > .rim')"
    assert style(page, rim, "fill") == "none"
    page.locator("#show-patterns").check()
    assert re.fullmatch(r'url\("#m-h\d"\).*', style(page, rim, "fill"))


def shown(page: Any) -> list[str]:
    """The phases whose arrows are on the map."""
    script = """[...document.querySelectorAll('.moves > g')]
        .filter(e => getComputedStyle(e).display != 'none')
        .map(e => e.className.baseVal)"""
    names: list[str] = page.evaluate(script)
    return names


def test_the_phases_are_played_one_after_another_until_all_are_seen_or_it_is_stopped(opened: Any) -> None:
    phases = shown(opened)
    assert len(phases) > 1
    opened.clock.install(time=0)
    opened.clock.pause_at(1000)
    play = opened.get_by_role("button", name="play")
    play.focus()
    opened.keyboard.press("Enter")
    assert play.get_attribute("aria-pressed") == "true"
    for phase in phases[:2]:
        assert shown(opened) == [phase]
        assert opened.locator(".map-status").inner_text() == f"Last moves: phase {phase[1:]}"
        opened.clock.run_for(1800)
    opened.locator("#moves-all").check()
    assert play.get_attribute("aria-pressed") == "false"
    opened.clock.run_for(4000)
    assert shown(opened) == phases, "who chooses himself goes on himself"


def test_who_wants_less_motion_goes_on_by_himself(new_page: Callable[..., Any], report: str) -> None:
    page = new_page(reduced_motion="reduce")
    page.goto(report)
    phases = shown(page)
    play = page.get_by_role("button", name="play")
    for phase in phases:
        play.click()
        assert shown(page) == [phase]
        assert play.get_attribute("aria-pressed") == "false"
    play.click()
    assert shown(page) == phases


def saved(page: Any, kind: str, folder: Path) -> Path:
    page.locator(".map-layers").evaluate("each => { each.open = true; }")
    with page.expect_download() as download:
        page.get_by_role("button", name=kind.upper()).click()
    path = folder / str(download.value.suggested_filename)
    download.value.save_as(path)
    return path


def test_the_map_is_saved_as_a_drawing_that_stands_alone(
    new_page: Callable[..., Any], report: str, tmp_path: Path
) -> None:
    page = new_page(color_scheme="dark")
    page.goto(report)
    page.locator("#mode-gold").check()
    page.locator(".map-layers summary").click()
    page.locator("#show-forts").uncheck()
    path = saved(page, "svg", tmp_path)
    assert re.fullmatch(r"[a-z]+-turn-04-map\.svg", path.name)
    root = ElementTree.fromstring(path.read_text("utf-8"))  # noqa: S314 - our own drawing
    assert "turn 4" in "".join(root.itertext())
    assert not [
        element
        for element in root.iter()
        if element.get("href", "#").startswith("#place") or "script" in str(element.tag)
    ]
    fill = style(page, LAND.format(REALM), "fill")
    opacity = style(page, LAND.format(REALM), "fill-opacity")
    page.goto(path.as_uri())
    assert style(page, LAND.format(REALM), "fill-opacity") == opacity
    assert style(page, LAND.format(REALM), "fill") != fill, "drawn by day, whatever the reader's scheme"
    assert style(page, "document.querySelector('.places [href^=\"#m-fort\"]')", "display") == "none"
    assert style(page, "document.querySelector('.places text.n')", "fill") == "rgb(23, 17, 10)"
    assert page.locator(".places .off").count() == 0


def test_the_map_is_saved_as_a_picture(opened: Any, tmp_path: Path) -> None:
    data = saved(opened, "png", tmp_path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    assert max(width, height) == 4096
    assert len(data) > 200_000, "it is not empty"


def test_the_map_alone_is_printed_on_one_sheet_for_the_wall(opened: Any, tmp_path: Path) -> None:
    for size, points in (("a3", (1191, 842)), ("a2", (1684, 1191))):
        opened.locator(f"#print-{size}").check()
        text = opened.pdf(prefer_css_page_size=True, print_background=True)
        assert re.findall(rb"/Count (\d+)", text) == [b"1"]
        (box,) = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", text)
        assert tuple(round(float(number)) for number in box) == points
    opened.emulate_media(media="print")
    seen = {
        css: opened.locator(css).first.is_visible()
        for css in (".mast .over", ".map-view svg", ".map-legend li")
    }
    hidden = {
        css: opened.locator(css).first.is_visible()
        for css in ("#changed", "nav.page", "footer", ".map-modes")
    }
    assert (all(seen.values()), any(hidden.values())) == (True, False), (seen, hidden)
