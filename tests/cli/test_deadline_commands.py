"""Every command of ``pbem deadline`` after every other: what one has written the next one reads."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from gm.cli.app import gm
from gm.store.deadlines import Deadline
from gm.store.folder import GameFolder
from tests.cli.conftest import AT
from tests.examples import examples, sweep

COMMANDS = {
    "show": "show",
    "extend by hours": "extend --hours 24",
    "extend until": "extend --until|2026-01-10 08:30",
    "move": "move 2026-01-14 --why|a fair: # {",
    "move to a time": "move|2026-01-08 19:00",
    "move a later turn": "move 2026-01-21 --turn 2",
    "every few days": "every 14d",
    "every few hours": "every 12h",
    "every weekday": "every|mon,thu 19:00",
    "early": "every --early --vacations 2",
    "never": "every none",
    "holiday": "holiday 2026-01-12 2026-01-20 --why|Rest: 'all' # of us",
    "hold": "hold|ill: {",
    "resume": "resume",
}
# what is refused for a good reason, which the message names
REASONS = (
    "The game is not on hold",
    "move the turn instead",
    "has to be later",
    "is in the holiday",
    "Move that one",
)


def words_of(name: str) -> list[str]:
    plain, *quoted = COMMANDS[name].split("|")
    return [*plain.split(), *quoted]


def typed(game: Path, name: str) -> None:
    """Type a command; it does what it says, or says why not."""
    result = CliRunner().invoke(gm, ["deadline", *words_of(name), "--at", AT, "--game", str(game)])
    understood = result.exit_code == 0 or any(reason in result.output for reason in REASONS)
    assert understood, f"{name}: {result.output}"


def deadline_of(game: Path) -> Deadline:
    return GameFolder(game).settings.deadline


def check(game: Path, done: Sequence[str]) -> None:
    """Everything can be read, the turns are due one after the other, and no remark was lost."""
    due = deadline_of(game)
    moments = [due.of_turn(turn) for turn in range(1, 6)]
    assert moments == sorted(set(moments)), f"{done}: {moments}"
    text = (game / "game.yaml").read_text(encoding="utf-8")
    for remark in (
        "# a turn due on another date",
        "# one turn alone due at another time",
        "# why the game stands",
    ):
        assert remark in text, f"{done}: {remark} is lost"


def copy_of(game: Path, place: Path) -> Path:
    place.mkdir(parents=True)
    for name in ("game.yaml", "players.yaml", "map.yaml", "scenario.yaml", "pinned.json", "journal.jsonl"):
        if (game / name).is_file():
            shutil.copyfile(game / name, place / name)
    shutil.copytree(game / "turns/turn-00", place / "turns/turn-00")
    return place


@pytest.mark.parametrize("first", sweep(COMMANDS, *list(COMMANDS)[::4]))
def test_every_command_of_deadline_works_after_every_other(
    first: str, fresh_game: Path, tmp_path: Path
) -> None:
    """item 9: all ordered pairs."""
    begun = copy_of(fresh_game, tmp_path / "begun")
    typed(begun, first)
    check(begun, [first])
    for number, second in enumerate(COMMANDS):
        game = copy_of(begun, tmp_path / str(number))
        typed(game, second)
        check(game, [first, second])


@given(st.lists(st.sampled_from(sorted(COMMANDS)), min_size=3, max_size=5))
@examples(100, 5)
def test_any_commands_of_deadline_work_one_after_the_other(
    fresh_game: Path, tmp_path_factory: pytest.TempPathFactory, done: list[str]
) -> None:
    """item 9: longer sequences."""
    game = copy_of(fresh_game, tmp_path_factory.mktemp("deadlines") / "game")
    for number, name in enumerate(done, start=1):
        typed(game, name)
        check(game, done[:number])


def test_an_extension_after_a_move_is_what_it_says(fresh_game: Path, tmp_path: Path) -> None:
    """item 9: the sequence that failed, told as the command shows it."""
    game = copy_of(fresh_game, tmp_path / "game")
    typed(game, "move")
    typed(game, "extend by hours")
    assert deadline_of(game).words(1) == "Thursday 2026-01-15 20:00 UTC"
    assert deadline_of(game).words(2) == "Wednesday 2026-01-21 20:00 UTC"


def test_no_turn_is_due_before_an_earlier_one(fresh_game: Path, tmp_path: Path) -> None:
    """item 9: a command that would turn the deadlines about says which turn is to be moved first."""
    game = copy_of(fresh_game, tmp_path / "game")
    typed(game, "move a later turn")
    for words in (["move", "2026-01-28"], ["holiday", "2026-01-05", "2026-01-22"]):
        result = CliRunner().invoke(gm, ["deadline", *words, "--game", str(game), "--at", AT])
        assert result.exit_code == 2, words
        assert "'pbem deadline move DATE --turn 2'" in " ".join(result.output.split())
    check(game, ["move a later turn"])
