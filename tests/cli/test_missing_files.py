"""What the absence of each file of a game does: no protection is switched off by it (item 11).

The next turn starts from what the newest one left (item 12).
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from gm.cli.app import gm
from gm.store.folder import GameFolder
from tests.cli.conftest import RECRUIT, Run, write_orders
from tests.cli.posting import AFTER, BEFORE, START, Office

STOPS = "stops every command that changes the game"
TURN_STOPS = "stops the next turn"
FOUND = "is found by 'pbem verify'"
MADE = "is written again by 'pbem report', and 'pbem verify' tells"
OPTIONAL = "protects nothing"
ASKS = "has everything confirmed again"

# by pattern, the first that fits: what its absence does
ABSENCE = {
    r"game\.yaml": STOPS,
    r"players\.yaml": STOPS,
    r"map\.yaml|scenario\.yaml": STOPS,
    r"mail\.yaml": "stops the post",
    r"pinned\.json": STOPS,
    r"journal\.jsonl": STOPS,
    r"mail/(letters|outbox)\.jsonl": STOPS,
    r"imported\.json": ASKS,
    r"mail/outbox/.*\.eml": OPTIONAL,  # a letter that was sent
    r"mail/.*": OPTIONAL,  # remarks about what cron was told
    r"inbox/turn-01/.*": OPTIONAL,  # of a turn that was played: its folder holds them
    r"turns/turn-01/state\.json": STOPS,
    r"turns/turn-01/turn\.json": STOPS,
    r"turns/turn-01/log\.jsonl": FOUND,
    r"turns/turn-01/press\.json": FOUND,
    r"turns/turn-01/orders/rejected/.*": OPTIONAL,  # a copy of what was not taken
    r"turns/turn-01/orders/.*": TURN_STOPS,
    r"turns/turn-01/results/.*\.(yaml|jsonl)": MADE,
    r"turns/turn-01/.*": OPTIONAL,  # pages and templates, which 'pbem report' writes
    r"turns/turn-00/(state\.json|turn\.json|log\.jsonl)": FOUND,
    r"turns/turn-00/.*": OPTIONAL,
    r"handbook\.html|\.lock": OPTIONAL,
}


def absence_of(name: str) -> str:
    effects = [what for pattern, what in ABSENCE.items() if re.fullmatch(pattern, name)]
    assert effects, f"{name} is a new file of a game: say in this table what its absence does"
    return effects[0]


@pytest.fixture(scope="module")
def played_office(tmp_path_factory: pytest.TempPathFactory, fresh_game: Path) -> Iterator[Path]:
    """A game with mail after its first turn. Not to be changed."""
    from tests.cli.posting import office_of
    from tests.commands import command

    game = tmp_path_factory.mktemp("office") / "minsk"
    shutil.copytree(fresh_game, game)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(game)
        with office_of(game, command) as office:
            play_a_week(office)
            yield game


def play_a_week(office: Office) -> None:
    office.week(START)
    for realm in ("LIT", "NOV", "POL", "TEU"):
        office.orders(realm, BEFORE)
    office.week(BEFORE)
    office.week(AFTER)
    assert (office.game / "turns/turn-01").is_dir()


def typed(game: Path, *words: str) -> tuple[int, str]:
    result = CliRunner().invoke(gm, [*words, "--game", str(game)])
    assert "Traceback" not in result.output
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, " ".join(result.output.split())


CHANGE = ("amend", "gold", "LIT", "+1", "--why", "a typing error", "--dry-run")
NEXT = ("turn", "--missing-ok", "--dry-run")


def one_of_each(names: list[str]) -> list[str]:
    """The files, but of those that are alike only the first: another realm's, another letter."""
    kinds = {
        re.sub(r"[A-Z]{3}\b|[0-9a-f]{16,}|(?<=letters/)\d+", "*", name): name for name in reversed(names)
    }
    return sorted(kinds.values())


@pytest.mark.slow
def test_no_missing_file_switches_a_protection_off(played_office: Path, tmp_path: Path) -> None:
    """item 11: each file of a game, taken away."""
    names = [
        path.relative_to(played_office).as_posix() for path in played_office.rglob("*") if path.is_file()
    ]
    game = tmp_path / "minsk"
    shutil.copytree(played_office, game)
    for name in one_of_each(names):
        what = absence_of(name)
        path = game / name
        data = path.read_bytes()
        path.unlink()
        verified, looked = typed(game, "verify")
        played, said = typed(game, *NEXT)
        if what in (STOPS, TURN_STOPS):
            assert played, f"{name}: {said}"
            assert "missing" in said or "no game" in said or "lacks" in said, f"{name}: {said}"
        if what == OPTIONAL:
            assert played == 0, f"{name}: {said}"
        if what in (FOUND, MADE):
            assert verified == 1, f"{name}: {looked}"
            assert Path(name).name in looked, f"{name}: {looked}"
        if what == STOPS and name != "game.yaml":
            changed, heard = typed(game, "deadline", "extend", "--hours", "1")
            assert changed, f"{name}: {heard}"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)


def test_an_imported_game_whose_record_is_gone_runs_nothing_unasked(
    ready: Path, run: Run, tmp_path: Path
) -> None:
    """item 11: imported.json taken away does not make a stranger's commands trusted."""
    settings = ready / "game.yaml"
    hook = "hooks:\n  - {name: lamp, run: [touch, lit]}\n"
    settings.write_text(settings.read_text(encoding="utf-8") + hook, encoding="utf-8")
    run("export", "--out", tmp_path / "game.zip")
    taken = tmp_path / "taken"
    run("import", tmp_path / "game.zip", taken)
    (taken / "imported.json").unlink()
    said = run("hooks", "test", "--game", taken, code=None).output
    assert "'pbem trust'" in said
    assert not (taken / "lit").exists()


@pytest.mark.slow
def test_a_restored_game_searches_its_mailbox_also_without_the_note_of_it(
    played_office: Path, tmp_path: Path
) -> None:
    """item 11: mail/restored.json taken away does not let a turn be played without the letters."""
    game = tmp_path / "minsk"
    typed(played_office, "export", "--out", str(tmp_path / "game.zip"))
    CliRunner().invoke(gm, ["import", str(tmp_path / "game.zip"), str(game), "--trust-commands"])
    (game / "mail/restored.json").unlink()
    code, said = typed(game, "turn")
    assert code == 1
    assert "its mailbox was not searched since" in said


# -- what was changed ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [0, 1])
def test_an_edited_position_is_not_played_on(turn: int, ready: Path, run: Run) -> None:
    """item 12: the message names the file and points to 'amend'."""
    if turn:
        run("turn", "--no-html")
    path = ready / f"turns/turn-{turn:02}/state.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"treasury": "', '"treasury": "1', 1), encoding="utf-8")
    for words in (["turn", "--missing-ok", "--no-html"], ["turn", "--missing-ok", "--dry-run"]):
        said = " ".join(run(*words, code=2).output.split())
        assert f"turns/turn-{turn:02}/state.json was changed by hand" in said
        assert "use 'pbem amend'" in said
    assert GameFolder(ready).newest_turn() == turn
    path.write_text(text, encoding="utf-8")
    run("turn", "--missing-ok", "--no-html")


@pytest.mark.parametrize("name", ["turn.json", "log.jsonl", "orders/LIT.yaml"])
def test_no_other_file_from_which_the_next_turn_follows_is_played_on_when_edited(
    name: str, ready: Path, run: Run
) -> None:
    """item 12: standing orders, votes, sums and what bots recall come from them."""
    run("turn", "--no-html")
    path = ready / "turns/turn-01" / name
    path.write_bytes(path.read_bytes() + b"\n")
    said = " ".join(run("turn", "--missing-ok", "--no-html", code=2).output.split())
    assert name in said
    assert not (ready / "turns/turn-02").exists()


def test_a_correction_is_the_way_to_another_position(ready: Path, run: Run) -> None:
    """item 12: what the message points to works, and is proven."""
    write_orders(ready, "LIT", RECRUIT)
    run("turn", "--no-html")
    run("amend", "gold", "LIT", "+3", "--why", "a typing error")
    run("turn", "--missing-ok", "--no-html")
    assert "Proven" in run("verify").output
    assert "Proven" in run("verify", "--replay").output
