"""What a GM honestly does between turns never makes ``pbem verify`` or its replay say that something DIFFERS:
what is told of the future is what was true then (item 10).
"""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from gm.cli.app import gm
from gm.store.folder import GameFolder
from tests.cli.conftest import copied
from tests.examples import examples

Deed = Callable[[Path], None]


def typed(*words: str, code: int | None = 0) -> Deed:
    def deed(game: Path) -> None:
        result = CliRunner().invoke(gm, [*words, "--game", str(game)])
        assert code is None or result.exit_code == code, f"{words}: {result.output}"

    return deed


def written(name: str, before: str, after: str) -> Deed:
    def deed(game: Path) -> None:
        path = game / name
        path.write_text(path.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")

    return deed


def next_deadline_moved(game: Path) -> None:
    """Put the coming turn off by some days, and in a game without deadlines nothing."""
    folder = GameFolder(game)
    turn = folder.newest_turn() + 1
    typed("deadline", "move", f"2031-0{turn}-10", code=None)(game)


TURN = ("turn", "--missing-ok", "--no-html")
DEEDS: dict[str, Deed] = {
    "report": typed("report"),
    "report of turn 1": typed("report", "--turn", "1", code=None),  # it may have been taken back
    "a bot takes over": typed("seat", "POL", "--bot", "raider"),
    "a bot goes": typed("seat", "POL", "--bot", "none"),
    "move": next_deadline_moved,
    "extend": typed("deadline", "extend", "--hours", "5", code=None),
    "hold": typed("deadline", "hold", "ill"),
    "another pace": typed("deadline", "every", "12h"),
    "another zone": written("game.yaml", 'zone: "UTC"', 'zone: "Europe/Minsk"'),
    "no deadlines": typed("deadline", "every", "none"),
    "a new key": typed("seat", "LIT", "--new-key"),
    "a replacement player": typed(
        "player", "replace", "LIT", "--name", "Carla", "--email", "carla@example.org"
    ),
    "a language": written("players.yaml", "realm: NOV, ", "realm: NOV, language: de, "),
    "another status": typed("seat", "NOV", "--status", "commoner"),
    "local forces": typed("seat", "TEU", "--controller", "local forces"),
    "a correction": typed("amend", "gold", "LIT", "+3", "--why", "a typing error"),
    "letters": typed("press", "signed", code=None),
    "no letters": typed("press", "none", code=None),
    "an open seat": typed("open", "NOV", code=None),
    "short keys": written("game.yaml", "late: take", "late: take\nshort_keys: true"),
    "undo": typed("undo", "--published", "--why", "an error of mine", code=None),
    "a turn": typed(*TURN),
}


def do(game: Path, deeds: Sequence[str]) -> None:
    for name in deeds:
        if name == "short keys" and "short_keys" in (game / "game.yaml").read_text(encoding="utf-8"):
            continue
        if name == "a language" and "language: de" in (game / "players.yaml").read_text(encoding="utf-8"):
            continue
        DEEDS[name](game)


def check(game: Path, deeds: Sequence[str]) -> None:
    """The game is proven, looked over and played again."""
    for words in (["verify"], ["verify", "--replay"]):
        result = CliRunner().invoke(gm, [*words, "--game", str(game)])
        assert "DIFFERS" not in result.output, f"{deeds}: {result.output}"
        assert result.exit_code == 0, f"{deeds}: {result.output}"
        assert "Proven" in result.output


@pytest.fixture(scope="module")
def begun(ready_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game after its first turn."""
    game = tmp_path_factory.mktemp("honest") / "minsk"
    shutil.copytree(ready_once / "minsk", game)
    typed(*TURN, "--at", "2026-01-09 20:15")(game)
    return game


@pytest.mark.parametrize(
    "deeds",
    [
        pytest.param(["a bot takes over", "move", "report"], id="as it was found"),
        pytest.param(
            ["move", "a new key", "a replacement player", "extend"],
            id="a new player after a move",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            ["a language", "another zone", "short keys", "report", "a turn", "report of turn 1"], id="files"
        ),
        pytest.param(
            ["a bot takes over", "a turn", "report", "a bot goes", "another pace", "report"],
            id="bots",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_an_honest_game_is_proven(deeds: list[str], begun: Path, tmp_path: Path) -> None:
    """item 10: what was found, and others of its kind."""
    game = tmp_path / "minsk"
    shutil.copytree(begun, game)
    do(game, deeds)
    check(game, deeds)


@pytest.mark.slow
@given(st.lists(st.sampled_from(sorted(DEEDS)), min_size=2, max_size=7, unique=True))
@examples(40, 5)
def test_any_honest_game_is_proven(
    begun: Path, tmp_path_factory: pytest.TempPathFactory, deeds: list[str]
) -> None:
    """item 10: whatever a GM does, in whatever order."""
    game = tmp_path_factory.mktemp("deeds") / "minsk"
    shutil.copytree(begun, game)
    do(game, deeds)
    do(game, ["a turn"])
    check(game, deeds)


def test_a_report_that_is_written_again_names_the_deadline_of_then(begun: Path, tmp_path: Path) -> None:
    """item 10: and the deadline in a results file cannot be changed by hand unseen."""
    game = tmp_path / "minsk"
    shutil.copytree(begun, game)
    path = game / "turns/turn-01/results/LIT.yaml"
    before = path.read_bytes()
    do(game, ["move", "report"])
    assert path.read_bytes() == before
    text = path.read_text(encoding="utf-8")
    assert "2026-01-16" in text
    path.write_text(text.replace("2026-01-16", "2026-01-17"), encoding="utf-8")
    result = CliRunner().invoke(gm, ["verify", "--replay", "--game", str(game)])
    assert result.exit_code == 1
    assert "2026-01-17" in result.output


def test_what_an_earlier_version_wrote_of_moved_deadlines_is_taken_as_it_is(
    begun: Path, tmp_path: Path
) -> None:
    """item 10: its records hold no deadline, and each of its reports has that of when it was written."""
    from gm.store.folder import TURN

    game = tmp_path / "minsk"
    shutil.copytree(begun, game)
    path = game / "turns/turn-01/turn.json"
    record = TURN.decode(path.read_bytes(), path)
    del record["next_deadline"]
    path.write_bytes(TURN.encode(record))
    results = game / "turns/turn-01/results/POL.yaml"
    text = results.read_text(encoding="utf-8")
    results.write_text(text.replace("Friday 2026-01-16 20:00", "Monday 2026-01-19 20:00"), encoding="utf-8")
    result = CliRunner().invoke(gm, ["verify", "--replay", "--game", str(game)])
    assert result.exit_code == 0, result.output


def test_the_results_of_a_seat_that_a_bot_plays_now_are_written_again(
    ready_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """item 10: 'verify' names 'pbem report' for a lost file, which left it out when a bot had come
    meanwhile.
    """
    game = copied(ready_once, tmp_path, monkeypatch)
    typed(*TURN)(game)
    do(game, ["a bot takes over"])
    (game / "turns/turn-01/results/POL.yaml").unlink()
    do(game, ["report"])
    check(game, ["report"])
