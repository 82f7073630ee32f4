"""Take the pictures of the documentation again: ``python docs/pictures.py`` (needs Chromium and the extra ``browser``).

Programs play eleven turns of a game of Europe, which its seed decides. A person then takes Poland's seat, and so gets a
report. The pictures are drawn in few colours, so that they stay small.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
AT = "2026-01-05 12:00"
TURNS = 11
REPORT = "POL.html"
BATTLE = "battles/18-ingria.html"
WIDTH = 1200
HEIGHTS = {"map.png": 720, "report.png": 840}
COLOURS = 128


def pbem(folder: Path, *words: str) -> None:
    """Run the program in a folder. Raises ``CalledProcessError``."""
    command = [sys.executable, "-m", "gm", *words]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)  # noqa: S603 - our own words


def play(top: Path) -> Path:
    """Play the game below a folder; return the folder with the results of its last turn."""
    schedule = ("--every", "none", "--first", "2026-01-09", "--at", AT)
    names = ("--seed", "pictures", "--key-secret", "pictures")
    pbem(top, "new", "europe", "--map", "europe-1320", "--play", "VEN", "--bots", *names, *schedule)
    game = top / "europe"
    for _ in range(TURNS):
        pbem(game, "turn", "--missing-ok", "--no-html")
    pbem(game, "seat", "POL", "--name", "Anna", "--email", "anna@example.org", "--bot", "none")
    pbem(game, "report")
    return game / "turns" / f"turn-{TURNS}" / "results"


def photograph(browser: Browser, page: Path, picture: Path) -> None:
    """Take a picture of the top of a page."""
    tab = browser.new_page(viewport={"width": WIDTH, "height": HEIGHTS[picture.name]}, reduced_motion="reduce")
    tab.goto(page.as_uri())
    tab.wait_for_load_state("networkidle")
    tab.screenshot(path=picture)
    tab.close()
    with Image.open(picture) as full:
        full.convert("RGB").quantize(COLOURS).save(picture, optimize=True)


def main() -> None:
    """Play the game and write its pictures."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        results = play(Path(place))
        program = next(filter(None, map(shutil.which, BROWSERS)))
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        photograph(browser, results / REPORT, IMAGES / "map.png")
        photograph(browser, results / BATTLE, IMAGES / "report.png")
        browser.close()


if __name__ == "__main__":
    main()
