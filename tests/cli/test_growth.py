"""What a command costs in a longer game, or in one of more realms: calls and reads are counted, no time is
taken.

Twice as many turns may cost twice as much more, and no turn more than the one before it.
"""

import cProfile
import pstats
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.generated import Land
from gm.game.base import texts
from gm.games.medieval.analysis.exposure import Threats
from gm.games.medieval.spec import SPEC
from gm.resources import resource
from gm.store.folder import GameFolder
from gm.store.packed import PackedPath
from gm.store.turns import KEPT, turn_name
from tests.commands import command, repeated

LENGTHS = (6, 12, 24)
"""Turns played: each twice as many as before."""
SLACK = 1.1
"""So much more may the turns of the second half cost."""


def calls(work: Callable[[], object]) -> int:
    """How many functions are called for some work."""
    profile = cProfile.Profile()
    profile.runcall(work)
    return pstats.Stats(profile).total_calls


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """One game of four realms that do nothing, at each of the lengths. Not to be changed."""
    folder = tmp_path_factory.mktemp("long")
    game = folder / "game"
    seats = repeated("--player", (f"{realm}={realm}@example.org" for realm in ("LIT", "NOV", "POL", "TEU")))
    command("new", game, "--id", "long", "--seed", "test", "--key-secret", "test", "--every", "none", *seats)
    folders = {}
    for turn in range(1, LENGTHS[-1] + 1):
        command("turn", "--no-html", "--missing-ok", "--game", game)
        if turn in LENGTHS:
            folders[turn] = Path(shutil.copytree(game, folder / f"game-{turn}"))
    return folders


def _growth(games: dict[int, Path], work: Callable[[Path], object]) -> float:
    """How many times the calls for the turns of the first half of a game those of its second half take."""
    work(games[LENGTHS[0]])  # fills what is kept in memory
    short, middle, long = (calls(lambda game=game: work(game)) for game in games.values())  # type: ignore[misc]
    return (long - middle) / (middle - short) / 2


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Counter[Path]:
    """How often each file is read from here on, be it packed or not."""
    reads: Counter[Path] = Counter()
    original = Path.read_bytes
    of_packed = PackedPath.read_bytes

    def read_bytes(path: Path) -> bytes:
        reads[path] += 1
        return original(path)

    def read_packed(path: PackedPath) -> bytes:
        reads[path.turn.path.with_suffix("") / str(path.relative_to(PackedPath(path.turn)))] += 1
        return of_packed(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    monkeypatch.setattr(PackedPath, "read_bytes", read_packed)
    return reads


@pytest.mark.slow
@pytest.mark.parametrize("word", ["verify", "status"])
def test_no_turn_costs_more_than_those_before_it(games: dict[int, Path], word: str) -> None:
    assert _growth(games, lambda game: command(word, "--game", game)) < SLACK


@pytest.mark.slow
@pytest.mark.parametrize("words", [("history",), ("verify", "--replay")], ids=" ".join)
def test_no_turn_costs_more_that_is_drawn_or_played_again(
    games: dict[int, Path], words: tuple[str, ...], tmp_path: Path
) -> None:
    out = ("--out", tmp_path / "history.html") if words == ("history",) else ()
    assert _growth(games, lambda game: command(*words, *out, "--game", game)) < SLACK


@pytest.mark.slow
def test_a_turn_reads_no_log_and_no_position_before_the_last(
    games: dict[int, Path], tmp_path: Path, reads: Counter[Path]
) -> None:
    last = LENGTHS[0]
    game = Path(shutil.copytree(games[last], tmp_path / "game"))
    command("turn", "--missing-ok", "--no-html", "--game", game)
    turns = {path.parent.name for path in reads if path.name in ("state.json", "log.jsonl", "turn.json")}
    packed = last + 1 - KEPT
    assert turns <= {turn_name(last), turn_name(last + 1), turn_name(packed)}
    letters = {path: count for path, count in reads.items() if path.name == "press.json"}
    assert len(letters) == last
    assert set(letters.values()) == {1}


@pytest.mark.slow
def test_a_site_reads_journal_and_letters_once_and_not_for_each_turn(
    games: dict[int, Path], tmp_path: Path, reads: Counter[Path]
) -> None:
    game = games[LENGTHS[0]]
    command("publish", tmp_path / "site", "--game", game)
    assert reads[game / "journal.jsonl"] <= 4
    for turn in range(1, LENGTHS[0] + 1):
        folder = game / f"turns/turn-{turn:02}"
        assert reads[folder / "press.json"] == 1
        assert reads[folder / "turn.json"] <= 12


def _threats(realms: int, scratch: Path) -> float:
    """The calls for each unit that could come to a realm of a generated world."""
    game = GameFolder(Land(1, "mostly land", realms).write_game(scratch))
    table = SPEC.load_table(game.path)
    world = SPEC.state(game.state(0, SPEC.snapshot))

    def units() -> int:
        threats = Threats(world, table.rules, table.board)
        return sum(len(threats.exposure(realm).units) for realm in world.realms)

    count = units()  # distances on the map are kept with it
    return calls(units) / count


@pytest.mark.slow
def test_what_threatens_a_realm_costs_no_more_where_there_are_more_realms(tmp_path: Path) -> None:
    assert _threats(72, tmp_path) < 1.25 * _threats(24, tmp_path)


def test_rulings_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Counter[tuple[str, ...]] = Counter()

    def counting(*parts: str) -> Path:
        asked[parts] += 1
        return resource(*parts)

    texts.rulings.cache_clear()
    monkeypatch.setattr(texts, "resource", counting)
    for _ in range(3):
        texts.chapter_views("conquestination", str)
    assert asked["rules", "conquestination", "rulings.yaml"] <= 2
