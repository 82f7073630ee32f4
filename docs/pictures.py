"""Take the pictures of the documentation again: ``python docs/pictures.py [PICTURE ...]``.

It needs Chromium and the extra ``browser``.

Bots play eleven turns of a game of Europe, which its seed decides. A person then takes Poland's seat, and so
gets a report. The pictures of the tutorial and of a first turn are taken from a small game that begins as the
tutorial does. All are drawn in few colours, so that they stay small.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
AT = "2026-01-05 12:00"
TURNS = 11
SECRETS = ("--seed", "pictures", "--key-secret", "pictures")
"""The options that make a game the same each time."""
WIDTH = 1200
"""In pixels."""
COLOURS = 128


class Shot(NamedTuple):
    """A picture of the top of a page."""

    picture: str
    """The name of the picture's file."""
    page: str
    """The path of the page below the folder of its game."""
    height: int
    """In pixels."""
    part: str = ""
    """The part of the page that is opened first, by its anchor; empty for none."""
    unit: str = ""
    """The unit that is given orders, by its name; empty for none."""


OF_EUROPE = (Shot("map.png", "POL.html", 720), Shot("report.png", "battles/18-ingria.html", 840))
OF_MINSK = (
    Shot("start.png", "turn-00/results/LIT.html", 700),
    Shot("orders.png", "turn-00/results/LIT.html", 700, part="write", unit="Minsk"),
    Shot("place.png", "turn-00/results/LIT.html", 700, part="place-volodymir"),
    Shot("herald.png", "turn-01/results/herald.html", 640),
    Shot("summary.png", "turn-01/summary.html", 640),
)


def pbem(folder: Path, *words: str) -> None:
    """Run the program in a folder. Raises ``CalledProcessError``."""
    command = [sys.executable, "-m", "gm", *words]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)  # noqa: S603 - our own words


def play_europe(top: Path) -> Path:
    """Play the game of Europe below a folder; return the folder with the results of its last turn."""
    schedule = ("--every", "none", "--first", "2026-01-09", "--at", AT)
    pbem(top, "new", "europe", "--map", "europe-1320", "--play", "VEN", "--bots", *SECRETS, *schedule)
    game = top / "europe"
    for _ in range(TURNS):
        pbem(game, "turn", "--missing-ok", "--no-html")
    pbem(game, "seat", "POL", "--name", "Anna", "--email", "anna@example.org", "--bot", "none")
    pbem(game, "report")
    return game / "turns" / f"turn-{TURNS}" / "results"


def play_minsk(top: Path) -> Path:
    """Play one turn of a small game below a folder; return the folder of its turns."""
    players = ("--player", "LIT=anna@example.org", "--player", "POL=bob@example.org", "--bots", "raider")
    schedule = ("--every", "friday 20:00", "--first", "2026-01-09", "--at", AT)
    pbem(top, "new", "minsk", "--map", "minsk", *players, *SECRETS, *schedule)
    pbem(top / "minsk", "turn", "--missing-ok", "--at", "2026-01-09 20:05")
    return top / "minsk" / "turns"


def open_part(tab: Page, shot: Shot) -> None:
    """Open the part of a report that a picture shows, and in the order writer the unit that it names."""
    tab.evaluate("part => { location.hash = part; }", shot.part)
    if not shot.unit:
        tab.get_by_role("button", name="Close the location report").wait_for()
        return
    tab.locator("#write.at-work").wait_for(state="attached")
    units = tab.get_by_role("navigation", name="Who can be given orders")
    units.get_by_role("button", name=shot.unit).first.click()


def photograph(browser: Browser, folder: Path, shot: Shot) -> None:
    """Take a picture of a page below a folder, and store it in few colours."""
    tab = browser.new_page(viewport={"width": WIDTH, "height": shot.height}, reduced_motion="reduce")
    tab.goto((folder / shot.page).as_uri())
    tab.wait_for_load_state("networkidle")
    if shot.part:
        open_part(tab, shot)
    picture = IMAGES / shot.picture
    tab.screenshot(path=picture)
    tab.close()
    with Image.open(picture) as full:
        full.convert("RGB").quantize(COLOURS).save(picture, optimize=True)


GAMES = ((play_europe, OF_EUROPE), (play_minsk, OF_MINSK))
"""(what plays a game, the pictures that are taken of it)"""


def take_pictures(browser: Browser, pictures: Collection[str]) -> None:
    """Play the games in a folder that is thrown away and write their pictures.

    ``pictures``: the files' names; all where there are none. A game without a picture is not played.
    """
    with tempfile.TemporaryDirectory() as place:
        for play, shots in GAMES:
            chosen = [shot for shot in shots if not pictures or shot.picture in pictures]
            if not chosen:
                continue
            folder = play(Path(place))
            for shot in chosen:
                photograph(browser, folder, shot)


def main() -> None:
    """Write all pictures, or only those that the command names."""
    IMAGES.mkdir(exist_ok=True)
    programs = [shutil.which(name) for name in BROWSERS]
    program = next(filter(None, programs))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        take_pictures(browser, sys.argv[1:])
        browser.close()


if __name__ == "__main__":
    main()
