"""What the game of a package may do, and what is said when it is wrong: ``pbem games --check``, errors of
its own.
"""

import json
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree

import pytest

from gm.core.codec import EventCodec
from gm.core.values import Event
from gm.core.yaml.source import Mapping, read_yaml
from gm.game.base.reading import Body, Line
from gm.games import GAMES
from gm.resources import resource
from tests.games.test_installed import NAME, copied, gm, install

OURS = "conquest-structures"
BOARD = "duel-11"
STEP = 'Emits: PopCapCounted.\n    """\n'
Change = tuple[str, str, str]


class Bid(Event):
    amount: int


class HighBid(Bid):
    pass


class Spoken(Line):
    order: str

    @classmethod
    def spoken(cls, text: str) -> dict[str, str]:
        return {"order": text}


@pytest.fixture
def package(tmp_path: Path) -> Callable[..., Path]:
    """A folder of packages with a game whose files were changed: (file, old text, new text)."""

    def made(*changes: Change) -> Path:
        site = tmp_path / "site"
        copied(resource("gm", "games", OURS.replace("-", "_")), site / NAME)
        for kind in ("rules", "maps", "templates"):
            copied(resource(kind, OURS), site / NAME / kind / NAME)
        for folder in (site / NAME / "maps" / NAME).iterdir():
            if folder.is_dir() and folder.name != BOARD:
                rmtree(folder)
        for file, old, new in changes:
            path = site / NAME / file
            text = path.read_text("utf-8")
            assert old in text, (file, old)
            path.write_text(text.replace(old, new, 1), "utf-8")
        install(site, "a-toy", f"{NAME} = {NAME}.spec")
        return site

    return made


def test_events_of_any_module_and_those_that_others_derive_from_are_read() -> None:
    """item 40: what was written of turn 1 is read in turn 2."""
    codec = EventCodec("tests.games")
    assert codec.event({"event": "HighBid", "amount": 3}) == HighBid(amount=3)
    assert codec.event({"event": "Bid", "amount": 3}) == Bid(amount=3)
    assert "Bid" not in codec.classes
    with pytest.raises(ValueError, match="knows no event 'Bid'"):
        EventCodec("tests.game").event({"event": "Bid", "amount": 3})


@pytest.mark.slow
def test_events_may_stand_in_any_module_of_a_package(package: Callable[..., Path], tmp_path: Path) -> None:
    """item 40: no module is called ``events``.

    The game is checked on its board, with its last turns verified.
    """
    site = package()
    for path in (site / NAME).glob("*.py"):
        text = path.read_text("utf-8")
        text = text.replace(f"from {NAME}.events import", f"from {NAME}.happenings import")
        path.write_text(
            text.replace(f"from {NAME} import events", f"from {NAME} import happenings as events"), "utf-8"
        )
    (site / NAME / "events.py").rename(site / NAME / "happenings.py")
    report = json.loads(gm(site, tmp_path, "games", "--check", NAME, "--json"))
    assert report["package"] == "a-toy 1.5"
    assert len(report["checked"]) == 9
    assert not [row for row in report["checked"] if row["trouble"]]


@pytest.mark.slow
def test_a_fault_of_a_package_s_game_is_called_its_own(package: Callable[..., Path], tmp_path: Path) -> None:
    """item 40: by the check, and by the command that meets it."""
    site = package(("steps.py", STEP, f"{STEP}    raise RuntimeError('the toy is broken')\n"))
    said = gm(site, tmp_path, "games", "--check", NAME, code=1)
    assert f"The game {NAME} of the package a-toy 1.5 does not work here" in said
    assert f"an error in the game '{NAME}' of the package a-toy 1.5 ({NAME}.steps, line " in said
    assert "raise RuntimeError('the toy is broken')" in said
    assert "RuntimeError: the toy is broken" in said
    gm(site, tmp_path, "new", "game", "--game", NAME, "--bots", "raider")
    said = gm(site, tmp_path / "game", "turn", code=2)
    assert "not in pbem; nothing was changed" in said


def test_a_game_that_nobody_knows_is_not_checked(tmp_path: Path) -> None:
    """item 40."""
    said = gm(tmp_path, tmp_path, "games", "--check", "consuest", code=2)
    assert "no game is called 'consuest'" in said.lower() or "No game is called" in said


def body(text: str) -> Body:
    root = read_yaml(text.encode(), "orders.yaml")
    assert isinstance(root, Mapping)
    body = Body()
    body.root = root
    body.realm = "RED"
    return body


def test_a_number_is_an_order() -> None:
    """item 40: alone, and as a line of a list; what is too much is reported."""
    read = body("bid: 5\norders: [7, 12.5, yes, 2026-01-01, A2: 3]\n")
    bid = read.number("bid", "the bid", 1, 9)
    assert bid is not None
    assert (bid[0].line, bid[0].text, bid[1]) == (1, "5", 5)
    lines = [value.order for _, _, value in read.items("orders", Spoken)]
    assert lines == ["7", "12.5", "yes", "2026-01-01", "A2: 3"]
    assert body("bid: 10\n").number("bid", "the bid", 1, 9) is None
    assert body("bid:\n").number("bid", "the bid", 1, 9) is None
    assert not read.diagnostics


def test_every_game_that_comes_with_pbem_has_events_of_its_own_alone() -> None:
    """item 40: a game of ours reads no other's."""
    from gm.games import game_spec

    for name in GAMES.keys() - {"medieval"}:
        package = GAMES[name].rpartition(".")[0]
        modules = {event.__module__ for event in game_spec(name).file_types.events.values()}
        assert all(module.startswith((package, "gm.core", "gm.game.")) for module in modules), name
