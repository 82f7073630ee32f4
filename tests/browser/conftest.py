"""A real browser and real reports for the tests in this folder: offline, and a page that complains fails
its test.
"""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bench.europe import order_file
from examples.medieval import demo
from gm.cli.app import gm
from gm.game.values import GameData, TurnResult
from gm.games.medieval.spec import SPEC
from tests.browser.playing import Player, page_of
from tests.commands import repeated, same_in_every_run
from tests.medieval.testland import rules

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LOCAL = ("file:", "data:", "blob:", "about:")
"""What a page may ask for: nothing of it goes over a network."""
DESK = {"viewport": {"width": 1280, "height": 900}}
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
PATIENCE = 60_000
"""Milliseconds until a click on something that is not there fails: the machine may have much else to do."""

STARTED = "2026-01-05 12:00"
"""When the games of these tests begin."""

EUROPEAN = "ENG"
LATE = 300
"""The turn of its page: late, so that it has as long a past as any."""
"""The realm whose page of Europe is looked at."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test in this folder needs a browser."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


# -- the browser ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium. Without one the test is skipped."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.skip("these tests need the package playwright: pip install -e '.[browser]'")
    program = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if program is None:
        pytest.skip(f"these tests need a browser, and none of {', '.join(BROWSERS)} is here")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield chromium
        chromium.close()


@dataclass
class Complaints:
    """What pages of a test said or did that they should not."""

    texts: list[str] = field(default_factory=list)

    def watch(self, page: Any) -> None:
        page.on("console", lambda message: self._console(message))
        page.on("pageerror", lambda error: self.texts.append(f"error: {error}"))
        page.on("request", lambda request: self._request(request.url))
        page.on("crash", lambda _: self.texts.append("the page crashed"))

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.texts.append(f"console {message.type}: {message.text}")

    def _request(self, url: str) -> None:
        if not url.startswith(LOCAL):
            self.texts.append(f"asked the network for {url}")


@pytest.fixture
def new_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens empty pages: ``new_page(**DESK)``, ``new_page(**PHONE, color_scheme="dark")``.

    See ``Browser.new_context``.

    Afterwards the test fails if any of them printed an error or a warning, threw, or asked for anything over
    a network.
    """
    complaints = Complaints()
    contexts = []

    def open_page(**options: Any) -> Any:
        context = browser.new_context(**{**DESK, "offline": True, "accept_downloads": True, **options})
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        context.on("page", complaints.watch)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()
    if complaints.texts:
        pytest.fail("the page complained:\n" + "\n".join(complaints.texts))


@pytest.fixture
def page(new_page: Callable[..., Any]) -> Any:
    """One empty page as wide as a desk's screen, watched as above."""
    return new_page()


# -- reports -------------------------------------------------------------------------------------------------


def command(*arguments: object) -> None:
    """Type a command as the GM does; raises what it raises."""
    gm.main(same_in_every_run(list(map(str, arguments))), prog_name="pbem", standalone_mode=False)


@pytest.fixture(scope="session")
def minsk_reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game folder of the example campaign after its last turn; nobody may change it: copy it to play on.

    Its reports are ``turns/turn-00`` (the start) to ``turns/turn-04``, each with ``results/TEU.html`` and so
    on.
    """
    folder: Path = tmp_path_factory.mktemp("reports") / "minsk"
    demo.run(folder)
    return folder


@pytest.fixture
def report(minsk_reports: Path) -> str:
    """Lithuania's page of its last turn."""
    return (minsk_reports / "turns" / "turn-04" / "results" / "LIT.html").as_uri()


def endless(table: GameData) -> GameData:
    """A game that no turn ends."""
    rules = table.rules
    return table.evolve(rules=rules.evolve(victory=rules.victory.evolve(last_turn=None)))


def contested(table: GameData, turn: int) -> dict[str, list[list[str]]]:
    """Return the record of a turn in which thirty provinces changed hands, after as many battles."""
    realms = sorted(table.board.realms)
    lands = [name for name, place in table.board.locations.items() if not place.sea]
    places = [lands[(turn * 7 + at * 11) % len(lands)] for at in range(30)]
    hands = [
        [place, realms[(turn + at) % len(realms)], realms[(turn + at + 5) % len(realms)]]
        for at, place in enumerate(dict.fromkeys(places))
    ]
    return {"hands": hands, "battles": [[place] for place in places], "built": [[places[0], "harbour"]]}


@pytest.fixture(scope="session")
def europe_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """England's page of the map of Europe after a turn in which every realm gave orders, with its battles
    beside it.
    """
    table = endless(SPEC.shipped_table("europe-1320"))
    before = SPEC.start(table, SPEC.maps()["europe-1320"], None).evolve(turn=LATE - 1)
    readings = {}
    for realm in sorted(before.realms):
        text = order_file(before, table.board, rules(), realm, "europe", "key")
        file = f"{realm}.yaml"
        readings[realm] = SPEC.read_orders(
            table, before, text.encode(), file, game="europe", realm=realm, key="key"
        )
    sheets = {realm: reading.sheet for realm, reading in readings.items()}
    outcome = SPEC.play(table, before, sheets, "europe")
    keys = dict.fromkeys(sheets, "brave-otter-71")
    languages = {"LIT": "de"}  # the largest page in longer words
    played = TurnResult(
        game="europe",
        before=before,
        after=outcome.state,
        events=outcome.events,
        readings=readings,
        keys=keys,
        languages=languages,
        # as if the same had happened in each of the last turns, and more in those before than a page has
        course=[SPEC.figures(table, before)] * LATE,
        changed=tuple(contested(table, turn) for turn in range(1, LATE)),
        past=tuple((before.evolve(turn=turn), outcome.events) for turn in range(LATE - 5, LATE)),
    )
    folder = tmp_path_factory.mktemp("europe")
    for name, data in SPEC.reports(table, played).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder / "results" / f"{EUROPEAN}.html"


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game on the small map before its first turn; nobody may change it."""
    game: Path = tmp_path_factory.mktemp("started") / "minsk"
    seats = repeated("--player", (f"{realm}={realm}@example.org" for realm in ("LIT", "NOV", "POL", "TEU")))
    command("new", game, "--map", "minsk", "--seed", "gotland", "--key-secret", "x", *seats, "--at", STARTED)
    return game


@pytest.fixture
def game(started: Path, tmp_path: Path) -> Path:
    """The same game, to play on."""
    return Path(shutil.copytree(started, tmp_path / "minsk"))


@pytest.fixture
def player(page: Any, started: Path) -> Player:
    """The player of the Teutonic Order with his first page open."""
    return Player(page).open(page_of(started, 0, "TEU"))
