"""``pbem publish``: pages whose links work and that tell what everybody may know.

Only what changed is written.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest

from gm.cli.session import open_campaign
from gm.games import game_spec
from gm.site.pages import book_files
from gm.store.site import LIST
from gm.text.frames import parsed
from gm.text.languages import languages_of
from tests.commands import Run, repeated
from tests.site.conftest import HOSTILE, began

SCRIPTED = ("handbook.html", "history.html")
LARGEST = 300_000  # bytes of a page, but of the history
ATOM = "{http://www.w3.org/2005/Atom}"


class Links(HTMLParser):
    """What a page links to, what it loads, and the places in it to which links go."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.to: list[str] = []
        self.places: set[str] = set()
        self.scripts = 0
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.scripts += tag == "script"
        self.to += [
            attributes[name] or "" for name in ("href", "src", "srcset", "action") if name in attributes
        ]
        if place := attributes.get("id"):
            self.places.add(place)


def faults(site: Path) -> Iterator[str]:
    """Every link that leads nowhere, or out of the site."""
    pages = {path.resolve(): Links(path) for path in sorted(site.rglob("*.html"))}
    for page, links in pages.items():
        for link in links.to:
            target = urlsplit(link)
            if target.scheme in ("mailto", "data"):
                continue
            path = (page.parent / unquote(target.path)).resolve() if target.path else page
            there = path.is_file() and path.is_relative_to(site.resolve())
            place = not target.fragment or (path in pages and unquote(target.fragment) in pages[path].places)
            if target.scheme or target.netloc or target.path.startswith("/") or not there or not place:
                yield f"{page.relative_to(site.resolve())}: {link}"


@pytest.mark.slow
def test_all_links_lead_somewhere_within_the_site(site_once: Path) -> None:
    assert list(faults(site_once)) == []
    assert {path.parent.name for path in site_once.glob("*/index.html")} == {"r-r", "isles", "board"}


def test_the_checker_finds_links_that_lead_nowhere(site: Path) -> None:
    page = site / "index.html"
    bad = (
        "nowhere.html",
        "board/index.html#nowhere",
        "/index.html",
        "../x",
        "https://example.org/",
        "//example.org",
    )
    page.write_text(page.read_text() + "".join(f'<a href="{address}"></a>' for address in bad))
    assert [fault.partition(": ")[2] for fault in faults(site)] == list(bad)


def test_pages_are_small_and_need_no_script(site_once: Path) -> None:
    pages = [path for path in site_once.rglob("*.html") if path.name != "history.html"]
    assert len(pages) > 9
    assert [path.name for path in pages if path.stat().st_size > LARGEST] == []
    assert [path.name for path in pages if path.name not in SCRIPTED and Links(path).scripts] == []


@pytest.mark.parametrize("language", languages_of("medieval"))
def test_the_largest_handbook_is_light_and_its_drawing_is_a_file(language: str) -> None:
    spec = game_spec("medieval")
    whole = spec.handbook(spec.shipped_table("europe-1320"), None, language)
    files = book_files(whole)
    page = files["handbook.html"].decode()
    assert len(files["handbook.html"]) < LARGEST
    assert sorted(files) == ["handbook-1.svg", "handbook.html"]
    assert parsed(files["handbook-1.svg"].decode()).tag == "svg"
    scripts = [re.findall("<script.*?</script>", html, re.DOTALL) for html in (whole, page)]
    assert scripts[0] == scripts[1]  # else their policy would keep them from running


@pytest.mark.slow
def test_only_what_changed_is_written_and_only_what_is_ours_goes(games: Path, site: Path, run: Run) -> None:
    stamps = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}
    (site / "CNAME").write_text("example.org")
    (site / "isles" / "photo.png").write_text("mine")
    assert "0 files written, 0 removed" in run("publish", site, "--game", games).output
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps
    run("undo", "--game", games / "reich", "--why", "a test")
    said = run("publish", site, "--game", games / "reich").output
    assert "3 games" in said
    assert "0 removed" not in said
    assert not (site / "r-r" / "turn-01").exists()
    assert (site / "r-r" / "turn-00" / "dice.yaml").is_file()
    assert (site / "CNAME").read_text() == "example.org"
    run("publish", site, "--drop", "isles")
    assert [path.name for path in (site / "isles").iterdir()] == ["photo.png"]
    assert list(faults(site)) == []


def test_files_of_others_are_never_written_over(games: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "index.html").write_text("my own page")
    said = run("publish", tmp_path / "web", "--game", games / "board", code=2).output
    assert "index.html already exists and is not a site made by pbem" in said
    assert [path.name for path in (tmp_path / "web").iterdir()] == ["index.html"]


def test_a_list_that_names_places_elsewhere_is_refused(site: Path, run: Run, games: Path) -> None:
    listed = json.loads((site / LIST).read_bytes())
    (site / LIST).write_text(json.dumps({**listed, "files": ["../games/board/game.yaml"]}))
    assert "not a place on the site" in run("publish", site, "--game", games / "board", code=2).output
    assert (games / "board" / "game.yaml").is_file()


def test_a_game_stays_when_its_folder_has_gone(games: Path, site: Path, run: Run) -> None:
    archive = games / "board.zip"
    run("export", "--without-keys", "--game", games / "board", "--out", archive)
    before = {path.name: path.read_bytes() for path in (site / "board").iterdir() if path.is_file()}
    said = run("publish", site, "--game", archive).output
    assert "removed" in said
    assert {path.name: path.read_bytes() for path in (site / "board").iterdir() if path.is_file()} == before
    run("publish", site, "--game", games / "isles")
    assert "board/index.html" in (site / "index.html").read_text()


def test_another_game_of_the_same_name_is_refused(games: Path, site: Path, run: Run, tmp_path: Path) -> None:
    began(tmp_path / "isles", "conquestination", "--bots", "--seed", "other")
    assert (
        "another game on the site is called isles, too"
        in run("publish", site, "--game", tmp_path / "isles", code=1).output
    )


def test_nothing_is_published_into_the_folder_of_a_game(games: Path, run: Run) -> None:
    assert (
        "lies in the folder of a game"
        in run("publish", games / "isles" / "site", "--game", games, code=1).output
    )


def test_whose_orders_are_missing_is_told_if_the_game_says_so(games: Path, site: Path, run: Run) -> None:
    page = site / "r-r" / "index.html"
    assert "Orders are missing" not in page.read_text()
    settings = games / "reich" / "game.yaml"
    settings.write_text(settings.read_text() + "site: {missing: true}\n")
    run("publish", site, "--game", games / "reich")
    assert "Orders are missing from Lithuania." in page.read_text()


def test_what_parties_keep_to_themselves_is_in_no_table(games_once: Path, site_once: Path) -> None:
    campaign = open_campaign(games_once / "reich")
    record = json.loads((site_once / "r-r" / "game.json").read_bytes())
    names = chain.from_iterable(standing["figures"] for standing in record["standings"])
    columns = {name.lower() for name in names}
    figures = set(chain.from_iterable(campaign.spec.figures(campaign.table, campaign.snapshot).values()))
    assert "gold" in figures
    assert {"score", "provinces", "soldiers"} <= columns <= figures - {"gold"}


def test_whoever_wants_to_checks_the_dice(site_once: Path) -> None:
    turn = site_once / "r-r" / "turn-01"
    words = [turn / "dice.yaml", site_once / "r-r" / "turn-00" / "dice.yaml", "--rolls", turn / "rolls.jsonl"]
    done = subprocess.run(
        [sys.executable, site_once / "verify_dice.py", *words], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    assert re.search(r"Everything fits: .* [1-9]\d* rolls", done.stdout)


def test_what_players_write_does_nothing(site_once: Path) -> None:
    for path in site_once.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert "<script>alert" not in text, path
        assert "<img src=x" not in text, path


def test_names_of_players_are_told_only_if_the_game_says_so(games: Path, site: Path, run: Run) -> None:
    def told() -> bool:
        return any(b"alert(1)" in path.read_bytes() for path in site.rglob("*") if path.is_file())

    assert not told()
    settings = games / "board" / "game.yaml"
    settings.write_text(settings.read_text() + "site: {names: true}\n")
    run("publish", site, "--game", games / "board")
    assert told()
    assert "&lt;script&gt;alert(1)" in (site / "hall-of-fame.html").read_text()
    assert HOSTILE not in (site / "hall-of-fame.html").read_text()


def test_the_feed_tells_of_turns_and_the_calendar_of_deadlines(site_once: Path) -> None:
    feed = ElementTree.parse(site_once / "feed.xml")  # noqa: S314 - our own
    titles = [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]
    assert "R & R: Turn 1" in titles
    ids = [element.text for element in feed.iter(f"{ATOM}id")]
    assert len({*ids}) == len(ids) > 3
    times = [entry.findtext(f"{ATOM}updated") or "" for entry in feed.iter(f"{ATOM}entry")]
    assert times == sorted(times, reverse=True)
    for link in feed.iter(f"{ATOM}link"):
        assert (site_once / link.attrib["href"].partition("#")[0]).is_file()
    calendar = (site_once / "deadlines.ics").read_bytes().decode()
    assert calendar.count("BEGIN:VEVENT") == calendar.count("END:VEVENT") == 2
    assert "SUMMARY:R & R: orders for turn 2 are due\r\n" in calendar
    assert re.fullmatch(r"(?:[^\r\n]{1,75}\r\n)+", calendar)


def test_turns_wait_for_the_gm_who_wants_to_look_first(games: Path, run: Run, tmp_path: Path) -> None:
    post = (
        "--from",
        "gm@example.org",
        "--maildir",
        tmp_path / "box",
        "--smtp",
        "localhost:25",
        "--security",
        "none",
    )
    for part in ("new", "cur", "tmp"):
        (tmp_path / "box" / part).mkdir(parents=True)
    run("mail", "setup", *post, "--gate", "--game", games / "reich")
    said = run("publish", tmp_path / "out", "--game", games / "reich").output
    assert "0 games" in said
    assert "waits for 'pbem week --publish'" in said


@pytest.mark.slow
def test_the_same_games_give_the_same_bytes(
    games_once: Path, site_once: Path, run: Run, tmp_path: Path
) -> None:
    names = [games_once / name for name in ("isles", "board", "reich")]
    run("publish", tmp_path / "other", *repeated("--game", names))
    trees = [
        {str(p.relative_to(top)): p.read_bytes() for p in top.rglob("*") if p.is_file()}
        for top in (site_once, tmp_path / "other")
    ]
    assert trees[0] == trees[1]


@pytest.mark.slow
def test_a_site_in_german(games_once: Path, run: Run, tmp_path: Path) -> None:
    run("publish", tmp_path / "de", "--game", games_once, "--language", "de")
    front = (tmp_path / "de" / "index.html").read_text(encoding="utf-8")
    assert '<html lang="de">' in front
    assert "Laufende Partien" in front
